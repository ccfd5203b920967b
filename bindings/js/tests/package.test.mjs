// The behaviour of the package that vectors do not cover: types of errors, offsets, batches, lists.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { buildSync } from "esbuild";
import { Components, explain, explainGoto, goto, HashedUri, host, keyRanges, probe, Reference, registeredDomain, snapshot, split, Sxurl, Url, UrlHash, UrlidError } from "urlid";
import { callFunction, canon, diff, explainForm, forms, functions, List, NoVarySearch, redact, Rules, ShardedList, Templates } from "urlid/forms";
import { conditions, groupParts, indexFormat, indexLayout, plan, search } from "urlid/search";
import * as suffix from "urlid/suffix";

const code = (code) => (error) => error instanceof UrlidError && error.code === code && error.message !== "";

const DOCS = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356";

test("rejections have codes, unknown names are range errors, other values are type errors", () => {
  assert.throws(() => Sxurl.encode("ws://h/"), code("ERR_INVALID_SCHEME"));
  assert.throws(() => Sxurl.parse("00"), code("ERR_ID_LENGTH"));
  assert.throws(() => new Url("no url"), code("ERR_URL_PARSE"));
  assert.throws(() => canon("http://h/", "wob"), code("ERR_CANON_NAME"));
  assert.throws(() => new Reference("a", "wob"), RangeError);
  assert.throws(() => Sxurl.encode("http://h.example/").slice("wob"), RangeError);
  assert.throws(() => callFunction("wob"), RangeError);
  assert.throws(() => Sxurl.encode(), TypeError);
  assert.throws(() => Sxurl.encode(1), TypeError);
});

test("ids are read back", () => {
  const id = Sxurl.encode(new URL("https://docs.rs/"));
  assert.equal(String(id), DOCS);
  assert.ok(id.equals(Sxurl.parse(DOCS)) && id.equals(Sxurl.fromBytes(id.bytes)));
  assert.equal(JSON.stringify({ id }), `{"id":"${DOCS}"}`);
  assert.deepEqual([id.scheme, id.port, id.hasPort, id.version], ["https", null, false, 1]);
  assert.equal(id.slice("domain"), probe("domain", "DOCS"));
  assert.ok(id.matches("tld", "rs") && !id.matches("tld", "de"));
  const ranges = keyRanges("rs", "docs");
  const within = ([first, last]) => Buffer.compare(first, id.bytes) <= 0 && Buffer.compare(id.bytes, last) <= 0;
  assert.deepEqual([ranges.length, ranges.filter(within).length], [48, 1]);
  const hash = UrlHash.of("https://docs.rs/");
  assert.ok(UrlHash.parse(String(hash)).equals(hash) && UrlHash.fromHex(hash.hex()).equals(hash));
  assert.ok(UrlHash.fromWords(hash.words).equals(hash));
  assert.throws(() => UrlHash.fromWords(hash.words.slice(1)), UrlidError);
  assert.throws(() => UrlHash.fromWords([-1n, 0n, 0n, 0n]), RangeError);
  assert.throws(() => UrlHash.fromWords([2n ** 64n, 0n, 0n, 0n]), RangeError);
  assert.ok(hash.startsWith(hash.short()) && hash.startsWith(hash.veryShort()));
});

test("a form of another library is as shown", () => {
  const page = readFileSync(`${process.env.URLID_VECTORS}/../docs/coming-from.md`, "utf8");
  const calls = [...page.matchAll(/^canon\("(.*)", "(.*)"\); .*: "(.*)"$/gm)];
  assert.ok(calls.length > 0);
  for (const [, url, form, canonical] of calls) assert.equal(canon(url, form), canonical);
});

test("suffixes are split as the README shows", () => {
  const page = readFileSync(new URL("./README.md", import.meta.resolve("urlid")), "utf8");
  const calls = [...page.split('from "urlid/suffix";')[1].split("```")[0].matchAll(/^(\w+)\((.*)\)(?:\.(\w+))?; \/\/ "(.*)"$/gm)];
  assert.equal(calls.length, 2);
  for (const [, name, given, part, result] of calls) {
    const found = suffix[name](...new Function(`return [${given}]`)());
    assert.equal(part ? found[part] : found, result);
  }
});

test("secrets leave a URL by a list of names, and by a key", () => {
  assert.equal(redact("https://u@h.example/?sig=1&a=2"), "https://REDACTED:REDACTED@h.example/?sig=REDACTED&a=2");
  assert.equal(redact("/?sig=1&a=2", { names: ["a"] }), "/?sig=1&a=REDACTED");
  assert.equal(redact("/?sig=1", { names: [] }), "/?sig=1");
  assert.equal(redact("/?Access-Token=1&q=2", { names: "common-1" }), "/?Access-Token=REDACTED&q=2");
  assert.throws(() => redact("/", { names: "other" }), RangeError);
  const key = new Uint8Array(32).fill(11);
  const digits = createHmac("sha256", key).update("1").digest("hex");
  assert.equal(redact("/?sig=1", { key }), `/?sig=${digits}`);
  assert.throws(() => redact("/?sig=1", { key: key.slice(1) }), code("ERR_KEY"));
  assert.throws(() => redact("http://u@h h/"), code("ERR_URL_PARSE"));
});

test("offsets count in the string", () => {
  const text = "https://www.bücher😀.de/ä?q";
  for (const part of explain(text).parts.filter((part) => part.name === "domain" || part.name === "path")) {
    assert.equal(text.slice(part.start, part.end), part.name === "domain" ? "bücher😀" : "/ä");
  }
});

test("references lead somewhere", () => {
  assert.equal(goto("https://h/a/b", "../c"), "https://h/a/../c");
  assert.equal(goto("http://h/a/b", "http:c", { nonstrict: true }), "http://h/a/c");
  const { base, target } = explainGoto("https://h/a/b", "c");
  assert.deepEqual([base.filter((fate) => fate.survives).length, target], [4, "https://h/a/c"]);
  assert.ok(new Reference("https://h/a/b?q").upto("query").equals(new Reference("https://h/a/b")));
});

test("batches have the same ids as single URLs, in every chunk", () => {
  const urls = Array.from({ length: 30_000 }, (_, number) => [`https://h${number % 97}.example/${number}`, "", "x:y"][number % 61 ? 0 : number % 3]);
  for (const end of ["\n", "\r\n"]) {
    const batch = Sxurl.encodeLines(new TextEncoder().encode(urls.join(end)));
    assert.equal(batch.length, urls.length);
    const rejected = new Map(batch.rejected.map(({ index, code }) => [index, code]));
    for (const [index, url] of urls.entries()) {
      if (url.startsWith("https:")) assert.ok(index % 101 || batch.at(index).equals(Sxurl.encode(url)));
      else assert.deepEqual([rejected.get(index), batch.at(index)], [url ? "ERR_INVALID_SCHEME" : null, null]);
    }
  }
  assert.equal(UrlHash.encodeLines(new TextEncoder().encode("https://docs.rs/\n")).at(0).hex(), UrlHash.of("https://docs.rs/").hex());
  assert.equal(Sxurl.encodeLines(new Uint8Array()).length, 0);
  const text = "https://docs.rs/\r\nmailto:x\nhttp://é.example/\ud800\n";
  assert.deepEqual(Sxurl.encodeLines(text), Sxurl.encodeLines(new TextEncoder().encode(text)));
  assert.throws(() => Sxurl.encodeLines(["https://docs.rs/"]), TypeError);
  const long = new TextEncoder().encode(`https://docs.rs/${"a".repeat(1 << 19)}\nhttps://docs.rs/`);
  assert.deepEqual([Sxurl.encodeLines(long).length, String(Sxurl.encodeLines(long).at(1))], [2, DOCS]);
});

test("a batch of texts has the same answers as each single text", () => {
  const odd = ["http://h/\na", "http://h/\r\na", "http://h/a\n", "http://h/a\r", "\n", "\n\n", "", " ", "http://h/\0", "http://h/\ud83d", "\ude00", "mailto:x", "http://é.example/😀", `https://docs.rs/${"é".repeat(300_000)}`];
  const texts = Array.from({ length: 20_000 }, (_, number) => (number % 7 ? `https://h${number % 97}.example/${number}` : odd[(number / 7) % odd.length | 0]));
  for (const type of [Sxurl, UrlHash]) {
    const alone = new Map([...odd, ...texts.slice(0, 2000)].map((text) => {
      try {
        return [text, [type.encode(text).hex(), undefined]];
      } catch ({ code }) {
        return [text, [undefined, code]];
      }
    }));
    const batch = type.encodeAll(texts);
    const rejected = new Map(batch.rejected.map(({ index, code }) => [index, code]));
    assert.equal(batch.length, texts.length);
    for (const [index, text] of texts.entries()) {
      if (alone.has(text)) assert.deepEqual([batch.at(index)?.hex(), rejected.get(index)], alone.get(text), JSON.stringify(text.slice(0, 40)));
      else assert.ok(batch.at(index) && !rejected.has(index));
    }
  }
  const given = function* () {
    yield* [null, new URL("https://docs.rs/"), undefined, new Url("HTTPS://docs.rs"), ""];
  };
  const batch = Sxurl.encodeAll(given());
  assert.deepEqual([String(batch.at(1)), String(batch.at(3)), batch.at(0), batch.bytes.length], [DOCS, DOCS, null, 160]);
  assert.deepEqual(batch.rejected, [{ index: 0, code: null }, { index: 2, code: null }, { index: 4, code: "ERR_INVALID_SCHEME" }]);
  assert.deepEqual(Array.from(batch, String), ["null", DOCS, "null", DOCS, "null"]);
  assert.deepEqual([Sxurl.encodeAll([]).length, Sxurl.encodeAll(new Set(["http://h.example/"])).length], [0, 1]);
  assert.throws(() => Sxurl.encodeAll("https://docs.rs/"), TypeError);
  assert.throws(() => Sxurl.encodeAll([1]), TypeError);
  assert.throws(() => Sxurl.encodeAll(), TypeError);
});

test("a URL is parsed or is not, and has its parts when they are asked for", () => {
  const url = Url.parse("../b?c#d", "HTTP://u:p@H:80/x/y/z");
  assert.equal(url.href, "http://u:p@h/x/b?c#d");
  assert.deepEqual([url.scheme, url.username, url.password, url.host, url.hostKind, url.port], ["http", "u", "p", "h", "domain", null]);
  assert.deepEqual([url.path, url.query, url.fragment, JSON.stringify({ url })], ["/x/b", "c", "d", '{"url":"http://u:p@h/x/b?c#d"}']);
  assert.deepEqual([Url.parse("no url"), Url.parse("a", "no base"), Url.canParse("no url"), Url.canParse("a", "http://h/")], [null, null, false, true]);
  assert.throws(() => Url.parse(1), TypeError);
  assert.throws(() => Object.assign(url, { href: "http://other/" }), TypeError);
});

test("names of an explanation follow JavaScript", () => {
  const tld = explain("https://docs.rs/").parts.find(({ name }) => name === "tld");
  assert.deepEqual([tld.digits, tld.hexStart, tld.hexEnd], ["2397", 3, 7]);
  const names = (value) => (value && typeof value === "object" ? Object.keys(value).concat(Object.values(value).flatMap(names)) : []);
  const found = ["https://docs.rs/a?b#c", DOCS, "https://1.2.3.4/", "mailto:x"].flatMap((text) => names(explain(text)));
  assert.ok(found.includes("urlHash") && found.includes("sxurlText"));
  assert.deepEqual(found.filter((name) => /[-_]/.test(name)), []);
});

test("CommonJS requires the same module", { skip: !process.features.require_module }, () => {
  assert.equal(createRequire(import.meta.url)("urlid").Sxurl, Sxurl);
});

test("texts of hundreds of megabytes have a result, or an error with a code", () => {
  const text = `https://docs.rs/${"a".repeat(300_000_000)}`;
  assert.ok(Sxurl.encode(text).hex().startsWith(DOCS.slice(0, 30)));
  const digest = createHash("sha256").update(text).digest("hex");
  assert.equal(UrlHash.encodeAll([null, text]).at(1).hex(), digest);
  assert.ok(canon(text) === text);
  // These have several copies of the text in their results, or three bytes for each character.
  const wide = `https://docs.rs/${"é".repeat(300_000_000)}`;
  for (const attempt of [() => new Url(text), () => Sxurl.encode(wide), () => canon(wide)]) {
    try {
      assert.ok(attempt());
    } catch (error) {
      assert.deepEqual([error.name, error.code], ["UrlidError", "ERR_LINE_LEN"], error.stack);
    }
  }
  assert.equal(String(Sxurl.encode("https://docs.rs/")), DOCS);
  assert.equal(canon("HTTPS://docs.rs"), "https://docs.rs/");
});

test("hosts and registered domains match SQL", () => {
  const asked = {
    urlid_host: (url) => host(url),
    urlid_registered_domain: (url) => registeredDomain(url),
    host: (url) => host(url),
    registered_domain: (url) => registeredDomain(url),
  };
  const seen = new Set();
  for (const { id, input, expect } of JSON.parse(readFileSync(`${process.env.URLID_VECTORS}/functions.json`, "utf8")).vectors) {
    const [url, part] = input.arguments ?? [];
    const name = input.name === "urlid_part" ? part : input.name;
    if (typeof url !== "string" || !Object.hasOwn(asked, name)) continue;
    seen.add(name);
    try {
      assert.equal(asked[name](url), expect.result, id);
    } catch (error) {
      // A rejected URL is null in SQL.
      assert.ok(error.name === "UrlidError" && expect.result === null, `${id}: ${error.stack}`);
    }
  }
  assert.deepEqual([...seen].sort(), Object.keys(asked).sort());
  assert.equal(registeredDomain(new URL("https://www.a.github.io/")), "a.github.io");
  assert.equal(registeredDomain("https://www.a.github.io/", { sections: "icann" }), "github.io");
  assert.equal(registeredDomain("WWW.Example.com.:80"), "example.com");
  assert.throws(() => registeredDomain("example.com\\@example.org"), { name: "UrlidError", code: "ERR_HOST_NOT_DNS" });
  assert.throws(() => registeredDomain("www.a.github.io", "icann"), TypeError);
  assert.throws(() => split("www.a.github.io", { section: "icann" }), TypeError);
  assert.equal(new Url("https://www.Example.co.uk./").registeredDomain, "example.co.uk");
  assert.throws(() => registeredDomain("http://h/", { sections: "private" }), RangeError);
});

test("hosts, hashed URIs and the snapshot", () => {
  const co = { sub: "www", domain: "example", tld: "co.uk", registeredDomain: "example.co.uk", hostKind: "domain" };
  assert.deepEqual(split("www.example.co.uk"), co);
  const address = { sub: null, domain: null, tld: null, registeredDomain: null, hostKind: "ipv4" };
  assert.deepEqual(split("1.2.3.4"), address);
  assert.deepEqual(split("http://1.2.3.4/a"), address);
  assert.throws(() => split("a..b"), { code: "ERR_HOST_LEN" });
  assert.equal(split("www.a.github.io").tld, "github.io");
  assert.deepEqual(split("www.a.github.io", { sections: "icann" }), { ...co, sub: "www.a", domain: "github", tld: "io", registeredDomain: "github.io" });
  assert.equal(new Components("http://Example.com").path, "/");
  const key = new Uint8Array(32).fill(7);
  const hashed = HashedUri.encode("http://h/", { algorithm: "x-hmac-sha256", key });
  assert.ok(hashed.matches("HTTP://H/", { key }) && hashed.digest.length === 32);
  assert.equal(snapshot(snapshot().line).line, snapshot().line);
});

test("two URLs are compared", () => {
  const [a, b] = ["http://www.h.example/a/", "http://h.example/a"];
  const web = diff(a, b);
  const verdict = { name: "web", a, b, same: false, differs: ["www.", "trailing slash"], ignores: [] };
  assert.deepEqual(web.verdict, verdict);
  assert.deepEqual(web.parts[0], { part: "scheme", a: "http", b: "http", same: true });
  assert.deepEqual(web.identifiers.map(({ name }) => name), ["url-hash", "sxurl", "hashed-uri"]);
  assert.deepEqual(web.forms.map(({ name }) => name), forms().map(({ name }) => name));
  assert.equal(diff(a, b, { as: "surt-0.3.1" }).verdict.same, true);
  const rejected = diff("no url", b).verdict;
  assert.deepEqual([rejected.same, rejected.a.error], [null, "ERR_URL_PARSE"]);
  assert.throws(() => diff(a, b, { as: "no form" }));
});

test("canonical forms and functions", () => {
  assert.equal(canon("http://www.Example.com:80/A?b&a", "surt-0.3.1"), "com,example)/a?a&b");
  const { changes, canonical } = explainForm("HTTP://h/#f", "web+drop-fragment");
  assert.deepEqual([changes.at(-1).rule, canonical], ["+drop-fragment", "http://h/"]);
  assert.equal(explainForm("no url", "web").error, "ERR_URL_PARSE");
  assert.ok(forms().some(({ name }) => name === "surt-0.3.1"));
  assert.ok(functions().length > 10);
  assert.equal(callFunction("urlid_host", "HTTP://WWW.Example.com"), "www.example.com");
  assert.equal(callFunction("urlid_host", null), null);
});

test("a form applies the rules of a file", () => {
  const rules = new Rules("urlid-rules 1\n[v.example] # of hand\nalias m.v.example\nkeep v\n");
  assert.equal(rules.name, "rules-d9bf2261");
  const [a, b] = ["https://m.v.example/w?v=1&t=2", "https://v.example/w?v=1"];
  assert.equal(canon(a, "web+rules", { rules }), b);
  assert.throws(() => canon(a, `web+rules@${rules.name}`), code("ERR_CANON_NAME"));
  assert.throws(() => new Rules("urlid-rules 1\n[h]\ndropp a"), code("ERR_LIST_LINE"));
  const templates = new Templates("urlid-templates 1\n[v.example] # by hand\n/w/{int}\n");
  assert.equal(templates.text, "urlid-templates 1\n[v.example]\n/w/{int}\n");
  assert.equal(templates.assign("https://www.v.example/w/7"), "v.example/w/{int}");
  assert.equal(templates.assign("https://h.example/"), null);
  assert.throws(() => new Templates("urlid-templates 1\n/a"), code("ERR_LIST_LINE"));
  const lines = [{ line: 3, rule: "[v.example] alias m.v.example" }, { line: 4, rule: "[v.example] keep v" }];
  assert.deepEqual(explainForm(a, "web+rules", { rules }).changes.at(-1).decided_by, lines);
  const { same, decided_by } = diff(a, b, { as: "web+rules", rules }).verdict;
  assert.deepEqual([same, decided_by], [true, lines]);
});

test("a form accepts only its own options", () => {
  const base = "http://h/x/y/z";
  for (const [form, canonical] of [["web", "http://h/x/b?q#f"], ["web+drop-fragment", "http://h/x/b?q"], ["hashed-n", "http://h/x/b"]]) {
    assert.equal(canon("../b?q#f", form, { base }), canonical);
  }
  assert.equal(canon("http://h/?q#f", "hashed-n", { keepQuery: true }), "http://h/?q");
  for (const form of ["generic", "sxurl", "surt-0.3.1"]) assert.throws(() => canon("http://h/", form, { base }), { code: "ERR_CANON_NAME" });
  for (const form of ["web", "generic", "surt-0.3.1"]) assert.throws(() => canon("http://h/", form, { keepQuery: true }), { code: "ERR_CANON_NAME" });
});

test("lists find entries, show what they cover, and read both forms", () => {
  const list = List.make(["http://example.com/secret/"], { covers: "directory" });
  assert.deepEqual([list.size, list.covers, list.rejected], [1, "directory", []]);
  const found = list.check("http://EXAMPLE.com/secret/page?x=1");
  assert.equal(found.canonical, "http://example.com/secret/");
  assert.equal(found.entry, list.entries()[0]);
  assert.equal(list.check("http://example.com/public/"), null);
  const expressions = list.expressions("http://example.com/secret/page").map(({ canonical, entry }) => [canonical, entry !== null]);
  assert.deepEqual(expressions, [["http://example.com/secret/page", false], ["http://example.com/secret/", true], ["http://example.com/", false]]);
  assert.throws(() => list.check("no url"), (error) => error.code === "ERR_URL_PARSE");
  assert.equal(list.check("no url", { invalidAs: "match" }).entry, "!ERR_URL_PARSE");
  assert.equal(list.check("no url", { invalidAs: "no-match" }), null);
  for (const form of [list.toText(), list.toCompiled()]) assert.deepEqual(List.parse(form).entries(), list.entries());
  const two = List.make(["http://a.example/", "http://b.example/"]);
  const damaged = List.parse(two.toText().replace(two.entries()[0], "nonsense"));
  assert.deepEqual([damaged.size, damaged.rejected[0].code], [1, "ERR_LIST_LINE"]);
  assert.throws(() => List.parse("no list"), (error) => error.code === "ERR_LIST_HEADER");
  list.free();
  assert.throws(() => list.check("http://h/"), RangeError);
});

/** Two shards that `urlid list shards` wrote, of a list that covers directories, whose entry is `http://h.example/dir/`. */
const SHARDS = {
  index: "dXJsaWRiaW4BAAAAAwAAAAEAAAC9AAAAAAAAACAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAAAAAAAAAIyB1cmxpZC1saXN0OiAxCiMga2luZDogZXhhY3QKIyBkaWdlc3QtYml0czogODAKIyB2YXJpYW50OiBuCiMgaW50YWtlOiB3ZWIKIyB1c2VyLWluZm86IGRyb3AKIyBhbGdvcml0aG1zOiBzaGExCiMga2VlcDogbm9uZQojIGNvdmVyczogZGlyZWN0b3J5CiMgY291bnQ6IDEKIyBzbmFwc2hvdDogbm9uZQojIHVuaWNvZGU6IDE4LjAKc2hhMQAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAATKk0xg78lK7odjWU1QrE6fyCNhqR9P5utVB/p4BOc95kvXSldxVX57LjbS1/4ATa1ketfbmWZC25eEmV2sMcK",
  "0.shard": "dXJsaWRiaW4BAAAABAAAAAAAAAAgAAAAAAAAAA8AAAAAAAAAAAAAAAAAAACIVVCKreFuxXPSHmpIXf0KdiQIXBoUtezdZIXeDGg5pAEAAAABlfCEC0Al9s58Wjkl3sEfHPFKFee4jsSKLBwmXkQji1GAhvLTYv20i9V8",
  "1.shard": "dXJsaWRiaW4BAAAABAAAAAEAAAAgAAAAAAAAAAQAAAAAAAAACwAAAAAAAACOOYbopKNObWM7EfCXVJcZqjPy01xZZ5Nv7ThpsNIO4wAAAAAAAAAAAAAAAAAAAAsITs+Ny/zfdEp58/h+ZQvAh2htlwm2l7lv9ZRDnTAh",
};

test("lists in shards ask for the shard that a URL could be in", async () => {
  const bytes = (file) => new Uint8Array(Buffer.from(SHARDS[file], "base64"));
  const asked = [];
  const list = ShardedList.open(bytes("index"), async (number, file) => {
    asked.push(number);
    return bytes(file);
  });
  assert.deepEqual([list.size, list.bits, list.sequence], [1, 1, null]);
  for (const url of ["http://h.example/dir/page?x", "http://H.example:80/dir/a/b"]) {
    assert.equal((await list.check(url)).canonical, "http://h.example/dir/");
    assert.equal(list.asks(url).length, 1);
  }
  assert.equal(await list.check("http://h.example/other"), null);
  assert.equal(asked.length, 1);
  const wrong = ShardedList.open(bytes("index"), (number) => bytes(`${number ^ 1}.shard`));
  await assert.rejects(wrong.check("http://h.example/dir/", { invalidAs: "no-match" }), (error) => error.code === "ERR_LIST_SHARD");
  const gone = ShardedList.open(bytes("index"), () => Promise.reject(new Error("404")));
  await assert.rejects(gone.check("http://h.example/dir/"), /404/);
  await assert.rejects(list.check("no url"), (error) => error.code === "ERR_URL_PARSE");
  assert.equal((await list.check("no url", { invalidAs: "match" })).entry, "!ERR_URL_PARSE");
  list.free();
});

/** Makes the module fail, after which the next call starts a new one. */
function failModule() {
  const { encodeInto } = TextEncoder.prototype;
  TextEncoder.prototype.encodeInto = () => {
    throw new Error("failed");
  };
  try {
    assert.throws(() => canon("http://h/"), /failed/);
  } finally {
    TextEncoder.prototype.encodeInto = encodeInto;
  }
}

test("a list that was freed, or ended with its module, is never another list", async () => {
  const index = () => new Uint8Array(Buffer.from(SHARDS.index, "base64"));
  const kinds = [
    [() => List.make(["http://h.example/dir/"]), (list) => list.entries()],
    [() => ShardedList.open(index(), () => {}), (list) => list.asks("http://h.example/dir/")],
  ];
  for (const [make, ask] of kinds) {
    const lists = [make()];
    const gone = () => lists.slice(0, -1).forEach((list) => assert.throws(() => ask(list), RangeError));
    for (const end of [(list) => list.free(), failModule, failModule]) {
      end(lists.at(-1));
      lists.push(make());
      gone();
      // Freeing them again, also by the finaliser of unused lists, does not free other lists.
      lists.slice(0, -1).forEach((list) => list.free());
      assert.equal(ask(lists.at(-1)).length, 1);
    }
  }
});

test("questions to an index are answered from the rows that JavaScript reads", () => {
  const urls = ["http://www.example.com/a", "https://docs.rs/", "https://docs.rs/serde?all", "https://example.com/docs/b"];
  const rows = urls.map((url) => [Sxurl.encode(url).bytes, url]).sort(([one], [other]) => Buffer.compare(one, other));
  const others = [["org.example", "mailto:x"], ["192.0.2.1", "http://192.0.2.1/"]];
  const read = [];
  const query = (sql, values) => {
    read.push([sql, values]);
    if (/ main\.other /.test(sql)) return others;
    // The end of a range is also looked up.
    return / DESC /.test(sql) ? rows.filter(([id]) => Buffer.compare(id, values[0]) <= 0).slice(-1) : rows;
  };
  const { applicationId, version, statements } = indexFormat();
  assert.deepEqual([applicationId, version], [0x55524c49, 1]);
  const objects = statements.map((sql) => [sql.split(" ")[1].toLowerCase(), /(\w+)\(/.exec(sql)[1], sql]);
  const layout = indexLayout(objects, version);
  assert.deepEqual(layout, { indexes: [] });
  for (const other of [0, 2, 3]) assert.throws(() => indexLayout(objects, other), { code: "ERR_INDEX_FORMAT" });
  assert.throws(() => indexLayout(objects.slice(1), version), (error) => error.code === "ERR_INDEX_FORMAT" && /`url`/.test(error.message));
  const find = (question, options) => {
    const found = [];
    const count = search(query, question, layout, (...answer) => void found.push(answer.join(" ")), options);
    return [found, count];
  };
  assert.deepEqual(find({ domain: "docs", tld: "rs" }, { by: "first_directory" }), [["https://docs.rs/ /", "https://docs.rs/serde?all /"], { rows: 2, dropped: 0, damaged: 1 }]);
  assert.ok(read[0][1].every((value) => value instanceof Uint8Array) && read.at(-1)[1].every((value) => typeof value === "string"));
  assert.deepEqual(find({ pathPrefix: "/d" })[0], ["https://example.com/docs/b"]);
  assert.deepEqual(find({ host: "192.0.2.1", port: undefined })[0], ["http://192.0.2.1/"]);
  assert.match(plan({ tld: "com" }, layout), /^48 key ranges/);
  assert.throws(() => find({ tld: "" }), (error) => error.code === "ERR_HOST_NOT_DNS");
  for (const [question, options] of [[{ wob: "" }], [{}, { by: "wob" }]]) assert.throws(() => find(question, options), RangeError);
  const names = conditions().map(({ name }) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()));
  const declared = readFileSync(new URL("./search.d.ts", import.meta.resolve("urlid")), "utf8").match(/interface Question \{(.*?)\n\}/s)[1];
  assert.deepEqual(names, Array.from(declared.matchAll(/^  (\w+)\?:/gm), ([, name]) => name));
  assert.ok(names.length >= 12);
  assert.equal(groupParts().length, 12);
});

test("a search ends where its callbacks end it", () => {
  const layout = { indexes: [] };
  const ended = [];
  function* query(sql) {
    if (/ main\.other /.test(sql)) return;
    try {
      for (const url of ["https://a.example/", "https://b.example/"]) yield [Sxurl.encode(url).bytes, url];
    } finally {
      ended.push("rows");
    }
  }
  const found = [];
  assert.equal(search(query, {}, layout, (url) => (found.push(url), false)).rows, 1);
  assert.deepEqual([found, ended], [["https://a.example/"], ["rows"]]);
  const broken = () => { throw new Error("no database"); };
  assert.throws(() => search(broken, {}, layout, () => {}), /no database/);
  assert.throws(() => search(query, {}, layout, broken), /no database/);
  assert.throws(() => search(query, {}, layout, () => void plan({}, layout)), TypeError);
  assert.deepEqual([ended.length, canon("http://H/")], [3, "http://h/"]);
  assert.equal(search(query, {}, layout, () => void canon("http://H/")).rows, 2);
});

test("the compressed core is smaller than 260 KB", () => {
  const code = readFileSync(new URL("./lib/core.wasm.js", import.meta.resolve("urlid")), "utf8");
  const compressed = Buffer.from(code.match(/"(.*)"/)[1], "base64");
  assert.ok(compressed.length < 260_000, `${compressed.length} bytes`);
});

test("a page loads at most 100 KB for suffixes, and 300 KB for questions to an index", () => {
  for (const [module, name, most] of [["urlid/suffix", "registeredDomain", 100_000], ["urlid/search", "search", 300_000]]) {
    const stdin = { contents: `import { ${name} } from "${module}"; console.log(${name});`, resolveDir: import.meta.dirname };
    const { outputFiles } = buildSync({ stdin, bundle: true, minify: true, format: "esm", platform: "browser", write: false });
    const { length } = gzipSync(outputFiles[0].contents, { level: 9 });
    assert.ok(length <= most, `${module}: ${length} bytes`);
  }
});

function thrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("every function with options rejects one that it does not have or of another type, and options that are no object", () => {
  const nobody = () => { throw new Error("called"); };
  const calls = [
    ["goto", (options) => goto("https://h/", "a", options)],
    ["explainGoto", (options) => explainGoto("https://h/", "a", options)],
    ["HashedUri.encode", (options) => HashedUri.encode("http://h/", options)],
    ["HashedUri.matches", (options) => HashedUri.encode("http://h/").matches("http://h/", options)],
    ["registeredDomain", (options) => registeredDomain("h.example", options)],
    ["split", (options) => split("h.example", options)],
    ["canon", (options) => canon("http://h/", "web", options)],
    ["redact", (options) => redact("http://h/", options)],
    ["explainForm", (options) => explainForm("http://h/", "web", options)],
    ["NoVarySearch", (options) => new NoVarySearch("", options)],
    ["diff", (options) => diff("http://h/", "http://h/", options)],
    ["List.make", (options) => List.make(["http://h/"], options)],
    ["List.check", (options) => List.make(["http://h/"]).check("http://h/", options)],
    ["List.expressions", (options) => List.make(["http://h/"]).expressions("http://h/", options)],
    ["ShardedList.open", (options) => ShardedList.open(new Uint8Array(), nobody, options)],
    ["search", (options) => search(nobody, {}, { indexes: [] }, nobody, options)],
  ];
  for (const [name, call] of calls) {
    for (const options of [{ wob: 1 }, "wob", null]) assert.throws(() => call(options), { name: "TypeError", message: /^(unknown option: found wob, expected |options are not an object)/ }, name);
  }
  const wrong = {
    ...Object.fromEntries(["keepQuery", "keepFragment", "nonstrict", "browsers"].map((flag) => [flag, ["false", ""]])),
    rules: ["urlid-rules 1\n", { text: "" }, true],
    key: ["x".repeat(32), [1], true],
    algorithms: ["sha1", [1], true],
    names: [[1], true, new Set(["token"])],
  };
  for (const [name, call] of calls) {
    const names = /expected (.*)$/.exec(thrown(() => call({ wob: 1 })).message)[1].split(", ");
    for (const option of names) {
      for (const value of [1, 0, {}, Symbol("x"), () => {}, ...(wrong[option] ?? [true, false, ["web"], new Uint8Array(1)])]) {
        assert.throws(() => call({ [option]: value }), { name: "TypeError", message: /^option \w+ has another type: found / }, `${name} ${option}`);
      }
    }
    assert.throws(() => call([]), { name: "TypeError", message: /^options are not an object/ }, name);
    assert.throws(() => call(Object.create({ wob: 1 })), { name: "TypeError", message: /^unknown option/ }, name);
  }
  for (const question of ["docs.rs", 1, null, [], { host: false }, { has: ["query"] }]) {
    assert.throws(() => search(nobody, question, { indexes: [] }, nobody), TypeError);
  }
  // Nothing is as good as no option, and an option may be inherited.
  assert.equal(canon("http://h/#a", "web", { base: null, rules: undefined }), "http://h/#a");
  assert.equal(registeredDomain("www.a.github.io", Object.create({ sections: "icann" })), "github.io");
  const declared = ["urlid", "forms", "search"].map((name) => readFileSync(new URL(`./${name}.d.ts`, import.meta.resolve("urlid")), "utf8"));
  const taking = declared.join("").match(/\boptions\?:/g).length;
  // `ShardedList.check` returns a promise, and needs a list.
  assert.equal(calls.length + 1, taking);
});
