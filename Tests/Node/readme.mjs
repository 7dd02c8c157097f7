// readme.mjs README: plays its shell commands and programs in their order, in this folder. What a
// program prints must be what stands beside each console.log().
import { strictEqual } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const blocks = readFileSync(process.argv[2], "utf8").matchAll(/^```(sh|js)\n(.*?)^```$/gms);
let count = 0;
for (const [, language, code] of blocks) {
  if (language === "sh") {
    execFileSync("sh", ["-ec", code], { stdio: ["ignore", "ignore", "pipe"] });
    continue;
  }
  const file = `program-${++count}.mjs`;
  writeFileSync(file, code);
  const printed = execFileSync(process.execPath, [file], { encoding: "utf8" });
  const shown = [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, text]) => `${text}\n`);
  strictEqual(printed, shown.join(""), file);
}
console.log(`README: ${count} programs`);
