// The types of the package. The test is that this file compiles.

import { Batch, explain, explainGoto, HashedUri, host, keyRanges, Reference, registeredDomain, split, Sxurl, Url, UrlHash, UrlidError } from "urlid";
import type { Explanation, Fact, Part, TokenKind } from "urlid";
import { callFunction, canon, diff, explainForm, List } from "urlid/forms";
import { indexLayout, search } from "urlid/search";
import type { Found, Layout, Query } from "urlid/search";
import { split as splitHost } from "urlid/suffix";

const id: Sxurl = Sxurl.encode(new URL("https://docs.rs/"));
const domain: bigint = id.slice("domain");
const port: number | null = id.port;
const batch: Batch<Sxurl> = Sxurl.encodeLines(new Uint8Array());
const ofText: (Sxurl | null)[] = [...Sxurl.encodeLines("https://docs.rs/\n")];
const parsed: Url | null = Url.parse("a", "http://h/");
const isUrl: boolean = Url.canParse("http://h/");
const domains: (string | null)[] = [host("http://h/"), registeredDomain(new URL("http://h/"), { sections: "icann" })];
const suffix: string | null = split("a.example", { sections: "all" }).tld ?? splitHost(new URL("http://h/")).tld;
const texts: Batch<UrlHash> = UrlHash.encodeAll(["http://h/", new URL("http://h/"), new Url("http://h/"), null]);
const first: Sxurl | null = batch.at(0);
const codes: (string | null)[] = batch.rejected.map(({ code }) => code);
const hash: UrlHash = UrlHash.of(new Url("https://docs.rs/"));
const words: bigint[] = hash.short().words;
const hashed: HashedUri = HashedUri.encode("http://h/", { variant: "p", key: new Uint8Array(32) });
const kind: TokenKind = new Reference("a/b").goto("c").ord;
const explanation: Explanation = explain("https://docs.rs/");
const part: Part | undefined = explanation.parts[0];
const fact: Fact | undefined = explanation.web;
const survives: boolean[] = explainGoto("http://h/", "a").base.map((fate) => fate.survives);
const [[from, to]] = keyRanges("rs", "docs") as [[Uint8Array, Uint8Array]];
const form: string = canon("http://h/", "surt-0.3.1", { keepQuery: true });
const isSame: boolean | null = diff("http://h/", "http://H/", { as: "web" }).verdict.same;
const changed = explainForm("http://h/", "web");
const canonical: string = "canonical" in changed ? changed.canonical : changed.error;
const listed: string | undefined = List.make(["http://h/"], { covers: "subdomains" }).check("http://h/")?.entry;
const result: string | Uint8Array | bigint | boolean | null = callFunction("urlid_host", "http://h/", null);
const query: Query = (sql, values) => [[values.length, sql]];
const layout: Layout = indexLayout([["table", "url", null]], 1);
const answers: Found = search(query, { tld: "org", pathPrefix: "/a", port: 80 }, layout, (url) => url !== "", { by: "host" });
try {
  Sxurl.parse("");
} catch (error) {
  const code: string = error instanceof UrlidError ? error.code : "";
  void code;
}
// @ts-expect-error An identifier is made of a URL.
new Sxurl(new Uint8Array(32));
// @ts-expect-error There is no such slice.
id.sliceHex("wob");
void [domain, port, ofText, parsed, isUrl, texts, first, codes, words, hashed, kind, part, fact, survives, from, to, form, canonical, listed, result, answers];
