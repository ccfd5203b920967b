// The types of the package in CommonJS: that this compiles is the test.

import urlid = require("urlid");
import forms = require("urlid/forms");
import { indexLayout } from "urlid/search";

const id: urlid.Sxurl = urlid.Sxurl.encode("https://docs.rs/");
const form: string = forms.canon("http://h/", "surt-0.3.1");
// @ts-expect-error There is no such slice.
id.sliceHex("wob");
void [id, form, indexLayout];
