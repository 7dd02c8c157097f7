"use strict";
/** Calls the program in a process of its own, and has no rule of its own. See README.md. */
const { spawn } = require("node:child_process");
const { randomUUID } = require("node:crypto");
const { once } = require("node:events");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { fileURLToPath } = require("node:url");
const { inspect } = require("node:util");
const kinds = require("./options.cjs");
const { version, optionalDependencies } = require("./package.json");

// They are the command's. The functions ignore them.
const VARIABLES = ["MIGRATE_DATABASE", "MIGRATE_BACKUPS", "DATABASE_URL"];
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

class SeedbedError extends Error {
  constructor(json, cause) {
    const { code, message, file, line, column, version } = json.error;
    const place = [file, line, column].filter((each) => each !== null).join(":");
    super(place ? `${place}: ${message}` : message, cause === undefined ? {} : { cause });
    const { applied, databaseUnchanged } = json;
    Object.assign(this, { code, file, line, column, version, applied, databaseUnchanged, json });
  }
}
SeedbedError.prototype.name = "SeedbedError";

/** An error of this package, in the form of the program's. */
function failure(message, code = "usage", cause) {
  const error = { code, message, file: null, line: null, column: null, version: null };
  return new SeedbedError({ schema: 1, error, databaseUnchanged: true, applied: [] }, cause);
}

const cancelled = ({ reason }) => failure("The call was cancelled.", "cancelled", reason);

/** A file of the package that has the program for this machine. */
function part(name) {
  const platform = `${process.platform}-${process.arch}`;
  const its = `@seedbed/${platform}`;
  const known = Object.keys(optionalDependencies);
  const remedy = known.includes(its)
    ? `Install ${its}@${version}, too, or the file seedbed-${platform}-${version}.tgz.`
    : `There is only ${known.join(", ")}. Build the program, and name it in SEEDBED_PROGRAM.`;
  try {
    const found = require.resolve(`${its}/package.json`);
    const other = require(found).version;
    if (other === version) return path.join(path.dirname(found), name);
    throw failure(`'${its}' is version ${other}, and 'seedbed' ${version}. ${remedy}`, "io");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    throw failure(`The package '${its}' is missing, which has the program. ${remedy}`, "io");
  }
}

const program = () => process.env.SEEDBED_PROGRAM || part("seedbed");
const extension = () => part("seedbed.so");

const plain = (verb) => (db, catalog, options) => call(verb, db, catalog, options);
const [up, plan, status, conflicts] = ["up", "plan", "status", "conflicts"].map(plain);
const down = (db, catalog, to, options) =>
  call("down", db, catalog, options, () => [`--to=${text("to", to)}`, "--"]);
const resolve = (db, catalog, id, side, options) =>
  call("resolve", db, catalog, options, () => {
    if (side !== "mine" && side !== "seed") {
      throw failure(`'side' must be "mine" or "seed", not ${shown(side)}.`);
    }
    return [`--${side}`, "--", ...[id].flat().map((each) => text("id", each))];
  });
const ofRow = (verb) => (db, catalog, table, key, options) =>
  call(verb, db, catalog, options, () => ["--", text("table", table), keyText(key)]);
const [pin, unpin, origin] = ["pin", "unpin", "origin"].map(ofRow);
const absent = (db, catalog, table, options) =>
  call("absent", db, catalog, options, () => (table == null ? [] : ["--", text("table", table)]));
const reseed = (db, catalog, table, key, options) =>
  call("reseed", db, catalog, options, () => {
    if ((key == null) !== Boolean(options?.missing) || (table == null && key != null)) {
      throw failure("Give a table and the key of a row, or 'missing' for all absent rows.");
    }
    const named = table == null ? [] : [text("table", table)];
    return ["--", ...named, ...(key == null ? [] : [keyText(key)])];
  });
const fill = (db, catalog, owner, options) =>
  call("fill", db, catalog, options, () => ["--", text("owner", owner)]);

async function call(verb, db, catalog, options, operands = () => []) {
  options ??= {};
  if (typeof options !== "object") throw failure(`Options are an object, not ${shown(options)}.`);
  const { signal, progress } = options;
  const env = { ...process.env };
  for (const name of VARIABLES) delete env[name];
  const words = [verb, ...flags(verb, options), `--migrations=${text("catalog", catalog)}`];
  words.push("--json", `--progress=${progress ? "json" : "none"}`);
  const database = db instanceof URL && db.protocol !== "file:" ? db.href : text("db", db);
  if (/^postgres(ql)?:\/\//.test(database)) {
    // Everybody on the machine can read arguments, and a URL may have a password.
    env.MIGRATE_DATABASE = database;
  } else if (/^file:|^:memory:$|:\/\//.test(database)) {
    const start = database.replace(/:\/\/.*/s, "://…"); // without a password
    throw failure(`'${start}' is not a file. Pass a path, or a postgresql:// URL.`);
  } else {
    words.push(`--database=${path.resolve(database)}`);
  }
  words.push(...operands());
  const isText = (each) => !each.includes("\0") && each.isWellFormed();
  if (![...words, database].every(isText)) {
    throw failure("An argument has a NUL, or half of a surrogate pair. Pass another.");
  }
  if (signal?.aborted) throw cancelled(signal);
  return run(words, env, progress, signal);
}

/** Runs the program, and gives its document; or what went wrong, once it has ended. */
async function run(words, env, progress, signal) {
  const child = spawn(program(), words, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let [answer, said, thrown] = ["", "", null];
  // SIGTERM: it rolls back what it is doing, and says what it had done.
  const stop = () => child.kill();
  signal?.addEventListener("abort", stop);
  child.stdout.setEncoding("utf8").on("data", (text) => (answer += text));
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (!progress || !line.startsWith("{")) return (said += ` ${line}`);
    try {
      if (!thrown) progress(JSON.parse(line));
    } catch (error) {
      thrown = { error };
      stop();
    }
  });
  const [code, name] = await ended.catch((error) => {
    throw failure(`The program cannot be run (${error.message}). Install it again.`, "io");
  });
  signal?.removeEventListener("abort", stop);
  if (thrown) throw thrown.error;
  if (!answer && signal?.aborted) throw cancelled(signal);
  if (!answer.startsWith("{")) {
    throw failure(`Seedbed's program ended with ${code ?? name} and no answer.${said}`, "io");
  }
  const document = read(answer);
  if (!document.error) return document;
  const isCancelled = document.error.code === "cancelled";
  throw new SeedbedError(document, isCancelled ? signal?.reason : undefined);
}

/** The value of JSON; an integer that a number cannot hold is a BigInt. */
function read(json) {
  const mark = randomUUID(); // no text of a row begins with it
  const isLarge = (token) => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
  const marked = json.replace(TOKEN, (each) => (isLarge(each) ? `"${mark}${each}"` : each));
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value);
}

function flags(verb, options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const kind = Object.hasOwn(kinds[verb], name) ? kinds[verb][name] : undefined;
    if (!kind) {
      const names = Object.keys(kinds[verb]).join(", ");
      throw failure(`'${name}' is not an option of '${verb}'. Options are ${names}.`);
    }
    if (value === null || value === undefined) return [];
    const isFitting =
      kind === "flag" ? typeof value === "boolean"
      : name === "signal" ? value instanceof AbortSignal
      : name === "progress" ? typeof value === "function"
      : !Array.isArray(value) || kind === "severalOrNone" || (kind === "several" && value[0]);
    if (!isFitting) throw failure(`'${name}' cannot be ${shown(value)}.`);
    if (kind === "watch" || value === false) return [];
    const flag = "--" + name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return kind === "flag" ? flag : [value].flat().map((each) => `${flag}=${text(name, each)}`);
  });
}

function text(name, value) {
  if (typeof value === "string") return value;
  if (value instanceof URL && value.protocol === "file:") return fileURLToPath(value);
  const isFraction = Number.isFinite(value) && !Number.isInteger(value);
  if (typeof value === "bigint" || isFraction || Number.isSafeInteger(value)) return String(value);
  const remedy = Number.isInteger(value) ? "A number cannot hold it exactly: pass a BigInt." : "";
  throw failure(`'${name}' cannot be ${shown(value)}. ${remedy}`.trim());
}

/** A row's key as in the row files, or with the names of its columns. */
function keyText(key) {
  if (typeof key === "object" && key !== null && !Array.isArray(key)) {
    const json = (each) => (typeof each === "string" ? JSON.stringify(each) : text("key", each));
    return `{${Object.entries(key).map(([name, value]) => `${json(name)}:${json(value)}`).join()}}`;
  }
  const quoted = (field) =>
    field && !/^\{|[",\r\n]/.test(field) ? field : `"${field.replaceAll('"', '""')}"`;
  return [key].flat().map((each) => quoted(text("key", each))).join();
}

const shown = (value) => inspect(value, { depth: 0 }).slice(0, 40);

module.exports = {
  SeedbedError, absent, conflicts, down, extension, fill, origin, pin, plan, program, reseed,
  resolve, status, unpin, up,
};
