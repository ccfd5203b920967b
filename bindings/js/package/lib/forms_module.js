// The module of canonical forms, lists and questions to indexes.

import code from "#forms";
import { Module } from "./module.js";
import { Reader } from "./reader.js";

export const reader = new Reader();
export const forms = new Module(code, { search: reader.imports });
reader.module = forms;
