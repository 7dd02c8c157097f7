// call.cjs VERB ARGUMENTS: calls the package, and prints the document.
const [verb, given] = process.argv.slice(2);
require("seedbed")[verb](...JSON.parse(given)).then(
  (document) => console.log(JSON.stringify(document)),
  (error) => console.log(JSON.stringify(error.json)));
