// The module of all operations except canonical forms and lists.

import code from "#core";
import { Module } from "./module.js";

export const core = new Module(code);
