// The module of questions to indexes, which calls JavaScript for rows.

import code from "#search";
import { Module } from "./module.js";
import { Reader } from "./reader.js";

export const reader = new Reader();
export const search = new Module(code, { search: reader.imports });
reader.module = search;
