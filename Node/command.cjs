#!/usr/bin/env node
"use strict";
// The command `seedbed`: the program, with the caller's words, terminal and signals.
const { spawn } = require("node:child_process");
const { program, SeedbedError } = require("./index.cjs");

try {
  const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
  // In a terminal, Ctrl-C reaches the program, too; it must not get a second one.
  const isSentToBoth = (name) => name === "SIGINT" && process.stdin.isTTY;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(name, () => isSentToBoth(name) || child.kill(name));
  }
  child.on("error", (error) => say(`The program cannot be run (${error.message}).`));
  child.on("close", (code, name) => {
    if (code !== null) process.exit(code);
    process.removeAllListeners(name);
    process.kill(process.pid, name);
  });
} catch (error) {
  if (!(error instanceof SeedbedError)) throw error;
  say(error.message);
}

function say(sentence) {
  console.error(`seedbed: ${sentence}`);
  process.exitCode = 2;
}
