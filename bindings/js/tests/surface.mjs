// The operations of test vectors, each written with the public functions of the package: `surface(urlid, forms)` returns them.

const CONTEXTS = ["generic", "web", "file", "rfc3986"];
const CRATE_FORMATS = { "0.1.0": "0", "0.2.0": "0", "1.0.0": "1.0", "1.1.0": "1.1" };

export function surface(urlid, forms) {
  const pick = (value, names) => Object.fromEntries(names.split(" ").map((name) => [name, value[name]]));
  const { SLICES } = urlid;
  const fields = ["header", ...SLICES, "port"];

  /** Returns a reference that reads as the tokens, in the first context that has one. */
  const reference = (tokens) => {
    for (const context of CONTEXTS.slice(0, -1)) {
      try {
        return urlid.Reference.fromTokens(tokens, context);
      } catch (error) {
        if (!(error instanceof urlid.UrlidError)) throw error;
      }
    }
    return urlid.Reference.fromTokens(tokens, CONTEXTS.at(-1));
  };
  const withRules = (text) => (text === undefined ? {} : { rules: new forms.Rules(text) });
  const target = (url) => ({ url: url.tokens, text: String(url), valid: url.isValid });

  return {
    "theory.valid": ({ url }) => (urlid.checkTokens(url), { valid: true }),
    "theory.upto": ({ url, order }) => {
      const read = reference(url);
      return { ord: read.ord, upto: read.upto(order).tokens };
    },
    "theory.goto": ({ url1, url2 }) => target(reference(url1).goto(reference(url2))),
    "theory.goto_nonstrict": ({ url1, url2 }) => target(reference(url1).gotoNonstrict(reference(url2))),
    "theory.parse": ({ text, context, base }) => {
      let url = new urlid.Reference(text, context);
      if (base !== undefined) url = new urlid.Reference(base, context).goto(url);
      return { url: url.tokens, valid: url.isValid, ord: url.ord };
    },
    "web.parse": ({ url, base }) =>
      pick(new urlid.Url(url, base), "href username password host port path query fragment"),
    resolve: ({ base, reference, mode }) => ({ target: urlid.resolve(base, reference, mode) }),
    "generic.normalise": ({ uri }) => ({ normal: urlid.normalise(uri) }),
    "generic.remove_dot_segments": ({ path }) => ({ path: urlid.removeDotSegments(path) }),
    canon: ({ text, form, rules }) => ({ canonical: forms.canon(text, form, withRules(rules)) }),
    no_vary_search: ({ field = "", syntax, a, b }) => {
      const read = new forms.NoVarySearch(field, { browsers: syntax === "browsers" });
      return { equivalent: read.equivalent(a, b), field: read.field, form: read.form };
    },
    rules: ({ text }) => {
      const { name, sha256, text: canonical } = new forms.Rules(text);
      return { name, sha256, canonical };
    },
    split: ({ text, sections }) => {
      const { registeredDomain, ...parts } = pick(urlid.split(text, { sections }), "sub domain tld registeredDomain");
      if (registeredDomain !== urlid.registeredDomain(text, { sections })) throw new Error(`another domain by split: ${registeredDomain}`);
      return { ...parts, registered_domain: registeredDomain };
    },
    detect: ({ text }) => ({ formats: urlid.detect(text) }),
    urlhash: ({ url }) => {
      const parsed = new urlid.Url(url);
      const hash = urlid.UrlHash.of(parsed);
      const [short, veryShort] = [hash.short(), hash.veryShort()];
      return {
        canonical: parsed.href,
        hex: hash.hex(),
        words: hash.words,
        display: String(hash),
        short_display: String(short),
        short_hex: short.hex(),
        very_short_display: String(veryShort),
        very_short_hex: veryShort.hex(),
      };
    },
    "urlhash.crate": ({ url }) => {
      const { hex, text } = forms.crateUrlHash(url);
      return { canonical: new urlid.Url(url).href, hex, display: text };
    },
    "hashed.make": ({ uri, base, alg, keep_query, keep_frag, variant }) => {
      const options = { base, keepQuery: keep_query, keepFragment: keep_frag };
      const name = variant?.toLowerCase();
      return {
        canonical: forms.canon(uri, `hashed-${name ?? "n"}`, options),
        hashed: String(urlid.HashedUri.encode(uri, { ...options, algorithm: alg, variant: name })),
      };
    },
    "hashed.parse": ({ text }) => {
      const hashed = urlid.HashedUri.parse(text);
      return {
        alg: hashed.algorithm,
        digest: Array.from(hashed.digest, (byte) => byte.toString(16).padStart(2, "0")).join(""),
        frag: hashed.keepFragment,
        query: hashed.keepQuery,
        known: hashed.isKnown,
        canonical: String(hashed),
      };
    },
    "hashed.match": ({ hashed, uri, variant }) => ({
      match: urlid.HashedUri.parse(hashed).matches(uri, { variant: variant?.toLowerCase() }),
    }),
    "sxurl.encode": ({ url }) => {
      const parts = new urlid.Components(url);
      const named = pick(parts, "scheme tld domain sub port path query fragment");
      return { ...named, id: String(urlid.Sxurl.encode(url)), text: parts.normalText };
    },
    "sxurl.decode": ({ id }) => {
      const read = urlid.Sxurl.parse(id);
      return {
        ...pick(read, "version scheme port"),
        sub_present: read.hasSub,
        params_present: read.hasParams,
        frag_present: read.hasFrag,
        port_present: read.hasPort,
        ...Object.fromEntries(SLICES.map((name) => [`${name}_h`, read.sliceHex(name)])),
      };
    },
    "sxurl.slice": ({ label, value, bits }) => {
      const hex = urlid.sliceHash(label, value);
      if (bits !== 4 * hex.length) throw new Error(`slice ${label} has ${4 * hex.length} bits, not ${bits}`);
      return { hex };
    },
    "sxurl.field": ({ url, field }) => {
      const id = urlid.Sxurl.encode(url);
      return { hex: id.sliceHex(field), number: id.slice(field) };
    },
    "sxurl.layout": ({ field }) => {
      const [start, end] = urlid.fieldDigits(field);
      const bits = (name) => 4 * (urlid.fieldDigits(name)[1] - urlid.fieldDigits(name)[0]);
      return {
        hex_range: [start, end],
        bits: bits(field),
        values: 1n << BigInt(bits(field)),
        total_bits: fields.reduce((sum, name) => sum + bits(name), 0),
      };
    },
    "sxurl.match": ({ url, label, value }) => ({
      match: urlid.Sxurl.encode(url).sliceHex(label) === urlid.sliceHash(label, value),
    }),
    "sxurl.crate": ({ url, version }) => {
      const { hex, hostId } = forms.crateSxurl(url, `sxurl-crate-${CRATE_FORMATS[version]}`);
      return { id: hex, host_id: hostId };
    },
    "snapshot.parse": ({ text }) => {
      const { line, entries } = urlid.snapshot(text);
      return { line, unicode: entries.unicode };
    },
    explain: ({ text }) => asProgram(urlid.explain(text)),
    diff: ({ a, b, form, rules }) => forms.diff(a, b, { as: form, ...withRules(rules) }),
    function: ({ name, arguments: values }) => {
      const result = forms.callFunction(name, ...values.map(fromVector));
      return { result: result instanceof Uint8Array ? { hex: toHex(result) } : result };
    },
  };
}

/** Names an explanation like the program: facts have `-`, and digits of parts `_`. */
function asProgram(explanation) {
  const renamed = (object, delimiter) => Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => delimiter + letter.toLowerCase()), value]),
  );
  return { ...renamed(explanation, "-"), parts: explanation.parts.map((part) => renamed(part, "_")) };
}

/** Bytes of a vector are an object with their digits. */
function fromVector(value) {
  if (typeof value?.hex !== "string") return value;
  return Uint8Array.from(value.hex.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Writes JSON in which a bigint is a number of any size. */
export function toJson(value) {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(",")}}`;
}

/** Returns the functions of the module `js-vectors`: running a file of vectors, given as its text, and comparing CPU paths. */
export function runner(Module, text, urlid, forms) {
  const operations = surface(urlid, forms);
  const answer = (question) => {
    try {
      // An input that is null is one that is not there.
      const given = Object.entries(question.input).filter(([, value]) => value !== null);
      return { values: operations[question.op](Object.fromEntries(given)) };
    } catch (error) {
      return error instanceof urlid.UrlidError ? { code: error.code } : { failed: String(error) };
    }
  };
  const module = new Module(text, {
    urlid: {
      surface(start, length) {
        const { memory, answer_room } = module.exports;
        const question = new TextDecoder().decode(new Uint8Array(memory.buffer, start, length));
        const bytes = new TextEncoder().encode(toJson(answer(JSON.parse(question))));
        new Uint8Array(memory.buffer, answer_room(bytes.length), bytes.length).set(bytes);
      },
    },
  });
  return {
    run: (file) => module.call("run_vectors", file),
    comparePaths: (bytes) => module.call("compare_cpu_paths", bytes),
  };
}
