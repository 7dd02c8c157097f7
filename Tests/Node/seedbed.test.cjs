"use strict";
// Played in an empty folder in which the packages are installed: Scripts/checks/test-npm.
const assert = require("node:assert/strict");
const { execFileSync, spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const { test } = require("node:test");
const { pathToFileURL } = require("node:url");
const { gzipSync } = require("node:zlib");
const seedbed = require("seedbed");

const KEY = 9007199254740993n; // no number can hold it
const words = (count, from) =>
  Array.from({ length: count }, (_, at) => `${from + at},w${from + at},`);

/** A folder of two releases; the second has so many more rows. */
function catalog(folder, rows, bad = "") {
  const write = (file, lines) =>
    fs.writeFileSync(`${folder}/${file}`, gzipSync(lines.join("\n") + "\n"));
  fs.mkdirSync(`${folder}/0001_words`, { recursive: true });
  fs.mkdirSync(`${folder}/0002_june`, { recursive: true });
  fs.writeFileSync(`${folder}/catalog.json`, '{"engines": ["sqlite", "postgresql"]}');
  for (const [name, type] of [["", "INTEGER"], [".postgresql", "bigint"]]) {
    const sql = `CREATE TABLE words (id ${type} PRIMARY KEY, lemma TEXT NOT NULL, note TEXT);`;
    fs.writeFileSync(`${folder}/0001_words/up${name}.sql`, sql);
    fs.writeFileSync(`${folder}/0001_words/down${name}.sql`, "DROP TABLE words;");
  }
  write("0001_words/words.csv.gz", ["id,lemma,note", ...words(9, 1), `${KEY},large,`]);
  const changes = ["id,note,was:note", "1,june,", `${KEY},june,${bad}`];
  write("0002_june/words.update.csv.gz", changes);
  write("0002_june/words.csv.gz", ["id,lemma,note", ...words(rows, 100)]);
  return folder;
}

const refused = (call, code, pattern) =>
  assert.rejects(call, (error) => {
    assert.ok(error instanceof seedbed.SeedbedError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, pattern);
    return true;
  });

async function story(db, sql, options) {
  const small = catalog("-a folder/small", 1);
  const seen = [];
  const progress = (each) => seen.push(each);
  assert.equal((await seedbed.up(db, small, { ...options, to: 1, progress })).to, 1);
  assert.equal(seen.at(-1).fraction, 1);
  sql(`UPDATE words SET note = 'mine' WHERE id IN (1, ${KEY})`);
  const planned = await seedbed.plan(db, small, { noBackup: true });
  assert.equal(planned.migrations[0].conflictCount, 2);
  assert.equal(planned.outcome, "planned");
  assert.equal((await seedbed.status(db, small)).state, "pending");
  const report = await seedbed.up(db, small, options);
  assert.deepEqual(report.touchedTables, ["words"]);
  const found = (await seedbed.conflicts(db, small)).conflicts;
  assert.deepEqual(found.map((each) => each.key.id), [1, KEY]);
  const ids = found.map((each) => each.id);
  assert.deepEqual((await seedbed.resolve(db, small, ids, "seed")).settled, ids);
  const { pinned } = await seedbed.pin(db, small, "words", KEY);
  assert.deepEqual(pinned, [{ table: "words", key: { id: KEY } }]);
  assert.equal((await seedbed.origin(db, small, "words", { id: KEY })).isPinned, true);
  assert.deepEqual((await seedbed.unpin(db, small, "words", [KEY])).pinned, []);
  sql("DELETE FROM words WHERE id = 2");
  const { absent } = await seedbed.absent(db, small, "words");
  assert.deepEqual(absent.map(({ key, reason }) => [key, reason]), [[{ id: 2 }, "deletedByUser"]]);
  const back = await seedbed.reseed(db, small, "words", absent[0].key, { noBackup: true });
  assert.deepEqual(back.touchedTables, ["words"]);
  const none = await seedbed.reseed(db, small, null, null, { missing: true, noBackup: true });
  assert.equal(none.outcome, "upToDate");
  assert.deepEqual((await seedbed.absent(db, small)).absent, []);
  await refused(seedbed.reseed(db, small, "words", null), "usage", /'missing' for all/);
  assert.equal((await seedbed.down(db, small, 1, { noBackup: true })).outcome, "reverted");
}

test("one story on SQLite, in a folder with a dash and spaces", async () => {
  fs.mkdirSync("-a folder");
  const db = "-a folder/-my app.sqlite";
  await story(db, (text) => execFileSync("sqlite3", [`./${db}`, text]));
  const urls = [pathToFileURL(db), pathToFileURL("-a folder/small")];
  assert.equal((await seedbed.status(...urls)).current, 1);
});

const skip = !process.env.PGDATABASE && "no server is here";
test("the same on PostgreSQL", { skip }, async () => {
  const sql = (text) => execFileSync("psql", ["-qXc", text]);
  await story("postgresql://", sql, { noBackup: true });
});

/** Two tables of the app; each organization has the labels of the folder. */
function owners(folder) {
  const per = { table: "organizations", key: "id", column: "organization_id" };
  fs.mkdirSync(`${folder}/0001_labels`, { recursive: true });
  fs.writeFileSync(`${folder}/catalog.json`, JSON.stringify({ tables: { labels: { per } } }));
  const tables = `CREATE TABLE organizations (id INTEGER PRIMARY KEY);
    CREATE TABLE labels (organization_id INTEGER NOT NULL REFERENCES organizations,
      name TEXT NOT NULL, PRIMARY KEY (organization_id, name));`;
  fs.writeFileSync(`${folder}/0001_labels/schema.sql`, tables);
  fs.writeFileSync(`${folder}/0001_labels/labels.csv`, "name\nbug\nidea\n");
  return tables;
}

test("a new owner gets its rows, once it is committed", async () => {
  const tables = owners("owners");
  const sql = (text) => execFileSync("sqlite3", ["owners.sqlite", text], { encoding: "utf8" });
  sql(tables);
  await seedbed.up("owners.sqlite", "owners");
  await refused(seedbed.fill("owners.sqlite", "owners", 7), "usage", /has no row with/);
  sql(`INSERT INTO organizations VALUES (7), (${KEY})`);
  for (const owner of [7, KEY]) {
    const report = await seedbed.fill("owners.sqlite", "owners", owner, { lockTimeout: 1 });
    assert.deepEqual([report.outcome, report.touchedTables], ["applied", ["labels"]]);
  }
  assert.equal((await seedbed.fill("owners.sqlite", "owners", "7")).outcome, "upToDate");
  assert.equal(sql("SELECT count(*) FROM labels"), "4\n");
  await refused(seedbed.fill("owners.sqlite", "owners", Number(KEY)), "usage", /BigInt/);
  await refused(seedbed.fill("owners.sqlite", "owners", 7, { to: 1 }), "usage", /'to' is not/);
});

test("a call is stopped, and says what was done", async () => {
  const large = catalog("large", 400000);
  // Seconds, however fast the machine is.
  const numbers = "n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000000)";
  const slow = `WITH RECURSIVE ${numbers} SELECT count(*) FROM n;`;
  fs.writeFileSync(`${large}/0002_june/after.sql`, slow);
  assert.equal((await seedbed.up("stopped.sqlite", large, { to: 1 })).to, 1);
  const stopper = new AbortController();
  const progress = () => stopper.abort("enough");
  const call = seedbed.up("stopped.sqlite", large, { signal: stopper.signal, progress });
  await refused(call, "cancelled", /./);
  await call.catch((error) => assert.deepEqual([error.applied, error.cause], [[], "enough"]));
  assert.equal((await seedbed.status("stopped.sqlite", large)).current, 1);
  const late = seedbed.up("no.sqlite", large, { signal: stopper.signal });
  await refused(late, "cancelled", /cancelled/);
  assert.equal(fs.existsSync("no.sqlite"), false);
  const thrown = new RangeError("mine");
  const throwing = () => { throw thrown; };
  const thrower = seedbed.up("stopped.sqlite", large, { progress: throwing });
  await assert.rejects(thrower, (error) => error === thrown);
  assert.equal((await seedbed.status("stopped.sqlite", large)).current, 1);
  const options = ["--database=stopped.sqlite", `--migrations=${large}`, "--progress=json"];
  const child = spawn("node_modules/.bin/seedbed", ["up", ...options]);
  child.stderr.once("data", () => child.kill("SIGTERM"));
  assert.equal(await new Promise((done) => child.on("close", done)), 130);
});

test("errors have a code and a place", async () => {
  const bad = catalog("bad", 1, ",more");
  await seedbed.up("bad.sqlite", bad).then(assert.fail, (error) => {
    const { code, file, line, applied, name } = error;
    assert.deepEqual([name, code, line, applied], ["SeedbedError", "csv", 3, [1]]);
    assert.match(file, /words\.update\.csv\.gz$/);
    assert.ok(error.message.startsWith(`${file}:3`));
  });
  await refused(seedbed.status("bad.sqlite", "nowhere"), "catalog", /nowhere/);
});

const slips = [
  [{ tow: 2 }, /'tow' is not an option of 'up'/], [{ tow: undefined }, /tow/],
  [{ tow: false }, /tow/], [{ each: "*" }, /each/], [{ help: true }, /help/],
  [{ noBackup: "no" }, /noBackup/], [{ noBackup: 0 }, /noBackup/], [{ to: "2x" }, /--to/],
  [{ to: true }, /to/], [{ to: [] }, /to/], [{ to: NaN }, /to/], [{ signedBy: [] }, /signedBy/],
  [{ downloaded: ["x"] }, /signed-by/], [{ progress: true }, /progress/],
  [{ signal: {} }, /signal/], [{ backups: {} }, /backups/], [5, /object/],
];
test("no slip in a call is passed over", async () => {
  for (const [options, pattern] of slips) {
    await refused(seedbed.up("slip.sqlite", "-a folder/small", options), "usage", pattern);
  }
  await refused(seedbed.pin("x", "y", "words", Number(KEY)), "usage", /BigInt/);
  await refused(seedbed.resolve("x", "y", 1, "help"), "usage", /side/);
  for (const db of [":memory:", "file:app.sqlite", "mysql://x/y", undefined, "a\0"]) {
    await refused(seedbed.up(db, "-a folder/small"), "usage", /./);
  }
  assert.equal(fs.existsSync("slip.sqlite"), false);
});

test("without the package of the program, an error says what to install", () => {
  const cwd = fs.mkdtempSync("/tmp/seedbed-"); // no folder above it has the package
  const its = `${cwd}/node_modules/@seedbed/linux-${process.arch}`;
  fs.cpSync("node_modules/seedbed", `${cwd}/node_modules/seedbed`, { recursive: true });
  const code = "console.log(require('seedbed').program())";
  const said = (SEEDBED_PROGRAM = "") => {
    const options = { cwd, encoding: "utf8", env: { SEEDBED_PROGRAM } };
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", code], options);
    return stdout || stderr;
  };
  assert.match(said(), /The package '@seedbed\/linux-\w+' is missing.* Install @seedbed\S+, too/);
  assert.equal(said("/opt/migrate"), "/opt/migrate\n");
  fs.mkdirSync(its, { recursive: true });
  fs.writeFileSync(`${its}/package.json`, '{"version": "0.0.1"}');
  assert.match(said(), /is version 0\.0\.1, .* Install @seedbed/);
  fs.rmSync(cwd, { recursive: true });
});

test("the extension is loaded where it can be", async (t) => {
  const { DatabaseSync } = await import("node:sqlite").catch(() => ({}));
  assert.ok(fs.existsSync(seedbed.extension()));
  if (!DatabaseSync) return t.skip("this Node has no node:sqlite");
  const db = new DatabaseSync("extension.sqlite", { allowExtension: true });
  db.loadExtension(seedbed.extension());
  const { to } = db.prepare("SELECT seedbed_up('-a folder/small') ->> 'to' AS 'to'").get();
  assert.equal(to, 2);
  const tables = owners("joined");
  db.exec(tables);
  db.prepare("SELECT seedbed_up('joined', '{\"ledger\": \"joined\"}')").get();
  const count = () => db.prepare("SELECT count(*) AS n FROM labels").get().n;
  db.exec("BEGIN; INSERT INTO organizations VALUES (7)");
  db.prepare("SELECT seedbed_fill('joined', 7, '{\"ledger\": \"joined\"}')").get();
  assert.equal(count(), 2);
  db.exec("ROLLBACK");
  assert.equal(count(), 0);
  db.close();
});
