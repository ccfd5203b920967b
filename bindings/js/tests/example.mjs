// The example of ten lines.
import { explain, goto, HashedUri, split, Sxurl, UrlHash } from "urlid";

const id = Sxurl.encode("https://docs.rs/serde?all");
console.log(String(id), id.scheme, id.matches("domain", "docs"));
console.log(split("www.example.co.uk"));
console.log(String(UrlHash.of("https://docs.rs/")));
console.log(String(HashedUri.encode("http://www.thus.net")));
console.log(goto("https://h/a/b", "../c"));
for (const part of explain("https://docs.rs/serde?all").parts) console.log(part.name, part.value, part.digits);
