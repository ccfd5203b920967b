// A worker of workerd that answers with the npm package. A request has `vectors`, or `calls` and `urls`, and the answer has lines
// of JSON.

import { callFunction } from "urlid/forms";

import { answers, line } from "./calls.mjs";

const { vector, row, evaluate } = answers(callFunction);

export default {
  async fetch(request) {
    const { vectors, calls, urls, isCounted } = await request.json();
    if (vectors) return new Response(vectors.map((each) => `${line(vector(each))}\n`).join(""));
    if (!isCounted) return new Response(urls.map((url) => `${line(row(calls, url))}\n`).join(""));
    for (const url of urls) for (const call of calls) evaluate(call, url);
    return new Response("");
  },
};
