// `split` and `registeredDomain` compared with tldts and psl of npm, on hosts of every rule of the list. Each difference has a
// reason, which is derived from the host and not from the answers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { domainToASCII } from "node:url";

import psl from "psl";
import * as tldts from "tldts";
import { registeredDomain, split, UrlidError } from "urlid";
import * as small from "urlid/suffix";

import pslRules from "./node_modules/psl/data/rules.js";

const text = readFileSync(`${process.env.URLID_VECTORS}/../crates/urlid-psl/data/public_suffix_list.dat`, "utf8");
const [icann, all] = [text.split("===BEGIN PRIVATE DOMAINS===")[0], text].map((part) => part.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("//")));

const ODD = [
  ...["", ".", "..", ".com", "..com", "a..com", "a.com..", "com", "a.com.", "localhost", "a.local", "test", "a.test", "c.b.a.test", "a_b.com"],
  ...["-a.com", "a-.com", "b.-a.com", "1.2.3.4", "1.2.3.4.", "256.1.1.1", "0x7f.1", "[::1]", "::1", "[::ffff:1.2.3.4]", "a b.com", "*.com", "bücher.de"],
];

/** The text of a rule as a host: `star` stands for its wildcard. */
const hostOf = (rule) => rule.replace("!", "").replace("*", "star");

/** Each rule as a host, its parent if it has a wildcard or is an exception, with zero to two labels before, in several spellings. */
function* hosts(rules) {
  for (const rule of rules) {
    const suffix = hostOf(rule);
    for (const base of suffix === rule ? [suffix] : [suffix, suffix.slice(suffix.indexOf(".") + 1)]) {
      for (const host of [base, `a.${base}`, `c.bü.${base}`]) {
        for (const written of new Set([host, domainToASCII(host)])) yield* [written, written.toUpperCase(), `${written}.`, `.${written}`];
      }
    }
  }
  yield* ODD;
}

const ascii = (host) => (/^[\x00-\x7f]*$/.test(host) ? host.toLowerCase() : domainToASCII(host));

/** Subdomain, domain without its suffix, suffix, and domain with it, in Punycode. */
const answer = (...parts) => parts.map((part) => (part ? ascii(part) : null));

function own(host, sections) {
  const [mine, ofSmall] = [split, small.split].map((split) => {
    try {
      const { sub, domain, tld, registeredDomain, hostKind } = split(host, { sections });
      return [...answer(sub, domain, tld, registeredDomain), hostKind];
    } catch (error) {
      if (error instanceof UrlidError) return error.code;
      throw error;
    }
  });
  assert.deepEqual(ofSmall, mine, `${host} by urlid/suffix`);
  return typeof mine === "string" ? mine : mine.slice(0, 4);
}

const bare = (host) => ascii(host.replace(/\.$/, ""));
const parent = (host) => host.slice(host.indexOf(".") + 1);
const parents = (rules) => new Set(rules.filter((rule) => /^[*!]/.test(rule)).map((rule) => ascii(parent(rule))));

/** Whether a host ends with one of these suffixes. */
function endsWith(host, suffixes) {
  const labels = bare(host).split(".");
  return labels.some((_, index) => suffixes.has(labels.slice(index).join(".")));
}

/** Why both packages differ, or null. */
function reason(host, isOld, isParent) {
  if (host.startsWith(".") || host.includes("..") || host === "") return "an empty label is an error";
  if (isOld.size > 0 && endsWith(host, isOld)) return "a rule in one list only";
  if (isParent.has(bare(host))) return "what stands after a wildcard is a suffix too";
  if (/^-|-\.|\.-|[ *]/.test(host)) return "not a name for a host";
  return null;
}

/** Compares all hosts. Returns the number of differences for each reason, and fails for a difference without a known reason. */
function compare(rules, sections, other, why) {
  let compared = 0;
  const reasons = {};
  for (const host of hosts(rules)) {
    compared += 1;
    const [mine, theirs] = [own(host, sections), other(host)];
    if (JSON.stringify(mine) === JSON.stringify(theirs)) continue;
    const found = why(host);
    assert.notEqual(found, null, `${host}: ${JSON.stringify(mine)}, and elsewhere ${JSON.stringify(theirs)}`);
    reasons[found] = (reasons[found] ?? 0) + 1;
  }
  assert.ok(compared > 100_000);
  return reasons;
}

for (const [sections, rules, allowPrivateDomains] of [["icann", icann, false], ["all", all, true]]) {
  test(`hosts are split as tldts splits them: ${sections}`, () => {
    // The list of tldts cannot be read. A rule is missing in it if tldts does not answer the rule's own text with the rule.
    const suffixOf = (host) => tldts.getPublicSuffix(host, { allowPrivateDomains });
    const missing = new Set(rules.map(hostOf).filter((host) => suffixOf(host) !== host && !rules.includes(`!${host}`)).map(ascii));
    assert.ok(missing.size < rules.length / 100, `${missing.size} rules are missing in tldts`);
    const isParent = parents(rules);
    const other = (host) => {
      const { subdomain, domainWithoutSuffix, publicSuffix, domain } = tldts.parse(host, { allowPrivateDomains });
      return answer(subdomain, domainWithoutSuffix, publicSuffix, domain);
    };
    const reasons = compare(rules, sections, other, (host) => {
      if (host === "256.1.1.1") return "not an IPv4 address";
      return reason(host, missing, isParent) ?? (/[^\x00-\x7f]/.test(host) && host !== host.toLowerCase() ? "upper case stays" : null);
    });
    const known = ["an empty label is an error", "what stands after a wildcard is a suffix too", "not a name for a host", "not an IPv4 address", "upper case stays"];
    assert.deepEqual(Object.keys(reasons).filter((name) => name !== "a rule in one list only").sort(), known.sort());
    for (const host of ["www.a.co.uk", "a.github.io", "A.GitHub.io.", "1.2.3.4", "kobe.test"]) {
      assert.equal(registeredDomain(`https://u@${host}:80/b?c`, { sections }), tldts.getDomain(`https://u@${host}:80/b?c`, { allowPrivateDomains }));
    }
  });
}

test("hosts are split as psl splits them", () => {
  const spelled = (rules) => new Set(rules.map((rule) => rule.slice(0, /^[*!]/.test(rule) ? 1 : 0) + ascii(rule.replace(/^(\*\.|!)/, ""))));
  const [mine, theirs] = [spelled(all), spelled(pslRules)];
  const inOne = [...mine].filter((rule) => !theirs.has(rule)).concat([...theirs].filter((rule) => !mine.has(rule)));
  assert.ok(inOne.length > 0 && inOne.length < all.length / 5, `${inOne.length} rules are in one list only`);
  const [isOld, isParent] = [new Set(inOne.map((rule) => rule.replace(/^[*!]/, ""))), parents(all)];
  const other = (host) => {
    const { error, subdomain, sld, tld, domain } = psl.parse(host);
    return error ? error.code : answer(subdomain, sld, tld, domain);
  };
  const reasons = compare(all, "all", other, (host) => {
    if (/^[\d.x]+f?[\d.]*$|:/.test(host)) return "an address";
    if (/(^|\.)(local|localhost|test)$/.test(host)) return "a last label that is not in the list";
    return reason(host, isOld, isParent);
  });
  const known = ["a last label that is not in the list", "a rule in one list only", "an address", "an empty label is an error"];
  assert.deepEqual(Object.keys(reasons).sort(), [...known, "not a name for a host", "what stands after a wildcard is a suffix too"]);
});

test("the reasons for which the packages differ are as the documentation shows them", () => {
  const code = (host) => own(host, "all");
  assert.equal(code(".a.com"), "ERR_HOST_LEN");
  assert.equal(tldts.getDomain(".a.com"), "a.com");
  assert.equal(psl.parse(".a.com").error.code, "LABEL_TOO_SHORT");
  assert.deepEqual([registeredDomain("http://kobe.jp/"), tldts.getDomain("kobe.jp"), psl.get("kobe.jp")], ["kobe.jp", null, null]);
  assert.deepEqual([registeredDomain("http://-a.com/"), tldts.getDomain("-a.com"), psl.get("-a.com")], ["-a.com", null, null]);
  assert.deepEqual([split("ОД.СРБ").tld, tldts.getPublicSuffix("ОД.СРБ")], ["xn--d1at.xn--90a3ac", "СРБ"]);
  assert.deepEqual([split("1.2.3.4").tld, psl.get("1.2.3.4")], [null, "3.4"]);
  assert.deepEqual([code("256.1.1.1"), tldts.getHostname("256.1.1.1"), psl.get("256.1.1.1")], ["ERR_URL_PARSE", null, "1.1"]);
  assert.deepEqual([split("d.c.a.test").sub, psl.parse("d.c.a.test").subdomain], ["d.c", "c"]);
  assert.deepEqual([registeredDomain("http://a.local/"), psl.get("a.local")], ["a.local", null]);
});

test("an option that is misspelt or not in an object is an error", () => {
  assert.equal(registeredDomain("https://www.a.github.io/", { sections: "icann" }), "github.io");
  assert.equal(registeredDomain("https://www.a.github.io/", undefined), "a.github.io");
  for (const call of [registeredDomain, split, small.registeredDomain, small.split]) {
    assert.throws(() => call("https://a.github.io/", { sections: "wob" }), { name: "RangeError", message: 'unknown sections: found "wob", expected one of all, icann' });
    for (const text of [undefined, null, 1]) assert.throws(() => call(text), TypeError);
    assert.throws(() => call("https://a.github.io/", "icann"), { name: "TypeError", message: "options are not an object: found icann, expected { sections }" });
    assert.throws(() => call("https://a.github.io/", { section: "icann" }), { name: "TypeError", message: "unknown option: found section, expected sections" });
    assert.throws(() => call("https://a.github.io/", null), { name: "TypeError", message: "options are not an object: found null, expected { sections }" });
  }
});

test("urlid/suffix reads texts of any length and script, one after the other", () => {
  const long = `https://www.example.co.uk/${"é".repeat(1 << 20)}`;
  for (const text of [long, "a.example", "ä.example", new URL("https://a.example/"), "", "\ud800.example", long, `${"a".repeat(100_000)}.com`]) {
    for (const call of ["registeredDomain", "split"]) {
      const [mine, ofSmall] = [{ registeredDomain, split }, small].map((module) => {
        try {
          return module[call](text);
        } catch ({ code, message }) {
          return [code, message];
        }
      });
      assert.deepEqual(ofSmall, mine);
    }
  }
});
