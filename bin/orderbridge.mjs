#!/usr/bin/env node
// Plain JavaScript for any Node: the program itself needs Node 24.16, which `npm ci` puts beside it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST = '24.16';
// As `npm start` has it: a month of 100,000 orders is made with 100 MB less.
const FLAGS = ['--max-semi-space-size=16'];
const root = fileURLToPath(new URL('..', import.meta.url));
const ownNode = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

if (isNewEnough(process.versions.node)) await import(await program());
else if (existsSync(ownNode)) runWith(ownNode);
else refuse();

function isNewEnough(version) {
  const [[major, minor], [oldestMajor, oldestMinor]] = [version, OLDEST].map((one) => one.split('.').map(Number));
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** The build; in a checkout where it was not made of the sources as they are, the sources. */
async function program() {
  if (!existsSync(new URL('../src/main.ts', import.meta.url))) return '../dist/main.js';
  const { isFresh } = await import('./fresh-build.mjs');
  return isFresh(root) ? '../dist/main.js' : '../src/main.ts';
}

/** Runs the program with that Node as if it were this process: same streams, signals and exit code. */
function runWith(node) {
  const child = spawn(node, [...FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => pass(child, signal));
  child.on('error', (error) => {
    process.stderr.write(`orderbridge: ${node} does not start (${error.message}). Run \`npm ci\` again.\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const each of signals) process.removeAllListeners(each);
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
}

// A terminal sends Ctrl-C to parent and child alike; the child must not count it twice.
function pass(child, signal) {
  if (signal === 'SIGINT' && process.stdin.isTTY) return;
  child.kill(signal);
}

function refuse() {
  process.stderr.write(
    `orderbridge: this is Node ${process.versions.node}, and it needs ${OLDEST} or newer. Run \`npm ci\` in ${root} with its scripts and optional packages, which brings one along, or use such a Node.\n`,
  );
  process.exitCode = 1;
}
