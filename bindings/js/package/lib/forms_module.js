// The module of canonical forms and lists.

import code from "./forms.wasm.js";
import { Module } from "./module.js";

export const forms = new Module(code);
