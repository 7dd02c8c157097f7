"use strict";
// package.cjs PACKAGE: plays calls by the package for Node, a line of JSON each.
const seedbed = require(process.argv[2]);
const lines = require("node:readline").createInterface({ input: process.stdin });

(async () => {
  for await (const line of lines) {
    const [verb, database, catalog, operands] = JSON.parse(line);
    const options = verb === "up" || verb === "down" ? { noBackup: true } : {};
    const answer = seedbed[verb](database, catalog, ...operands, options);
    console.log(JSON.stringify(await answer.catch((error) => error.json)));
  }
})();
