// The module of canonical forms and lists.

import code from "#forms";
import { Module } from "./module.js";

export const forms = new Module(code);
