// A page and its service worker. Each reports the results of the package there.

import { Sxurl } from "urlid";
import { canon } from "urlid/forms";

function answer() {
  try {
    return [String(Sxurl.encode("https://docs.rs/")), canon("HTTP://H/")];
  } catch (error) {
    return [error.name];
  }
}

const report = (place) => fetch(`/report/${place}`, { method: "POST", body: JSON.stringify(answer()) });

if (globalThis.document) {
  report(location.pathname.slice(1)).then(() => navigator.serviceWorker.register("/script.js"));
} else {
  addEventListener("install", (event) => event.waitUntil(report("worker")));
}
