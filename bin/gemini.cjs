#!/usr/bin/env node
// @ts-check
'use strict';
// Answers --version, and starts everything else: one prebuilt bundle with what V8 compiled of it before
// (load-bundle.cjs). GEMINI_STOCK_OCLIF=1 runs the same sources unbundled instead, and oclif finds everything by
// itself. docs/decisions/0003 says why.
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const argv = process.argv.slice(2);

let finished = false;

process.stdout.on('error', (error) => {
  // The reader of our output has left: the command ends without an error.
  if (Reflect.get(error, 'code') === 'EPIPE') return;
  fail(`Cannot write the output: ${error.message}`, 'OUTPUT_LOST');
  process.exit();
});

// What follows is for others: a prompt, or the arguments of a prompt file.
const end = argv.findIndex((word) => word === '--' || /^(?:-f|--prompt-file)(?:=|$)/.test(word));
if (argv[0] === '-v' || argv.slice(0, end < 0 ? undefined : end).includes('--version')) {
  process.stdout.write(`${JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version}\n`);
} else {
  start();
}

function start() {
  require('./many-variables.cjs').settleManyVariables();
  // Modules ask for it while they are loaded.
  if (!hasHome()) {
    const sentence = 'There is no home directory: HOME is not set, and the system does not know this user.';
    return fail(
      `${sentence}\nSet HOME to a directory that you can write, for example HOME=/tmp/home.`,
      'HOME_MISSING',
      42,
    );
  }
  const stock = process.env.GEMINI_STOCK_OCLIF === '1';
  process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1';
  Object.assign(globalThis, {oclif: {...Reflect.get(globalThis, 'oclif'), enableAutoTranspile: false}});
  const bundle = path.join(__dirname, 'dist', 'host.cjs');
  if (!fs.existsSync(bundle)) return fail('This checkout is not built yet.\nRun npm run setup.', 'BUILD_MISSING');
  process.once('exit', (code) => {
    if (!finished && code === 0 && !process.exitCode)
      fail('The command ended without finishing: something it waited for never came. This is a bug.', 'BUG');
  });
  process.once('uncaughtException', (error) => {
    fail(`This is a bug: ${error instanceof Error ? error.stack : error}`, 'BUG');
    process.exit();
  });
  const host = stock ? import('./dist/main.js') : Promise.resolve(load(bundle));
  host
    .then(({main, carried = {}, validators}) => main({root, argv, stock, carried, validators}))
    .then((code) => {
      finished = true;
      process.exitCode = code;
    });
}

function hasHome() {
  if (process.env.HOME !== undefined) return true;
  try {
    return require('node:os').homedir() !== '';
  } catch {
    // The system has no entry for this user, as in a container that was given a number.
    return false;
  }
}

/**
 * Ends and says why, where the program itself cannot.
 * @param {string} message @param {string} code
 */
function fail(message, code, exit = 1) {
  finished = true;
  process.exitCode = exit;
  const line = argv.join('\n');
  const isStream = /(?:^|\n)(?:-o[=\n]?|--output-format[=\n])stream-json(?:\n|$)/.test(line);
  const isJSON = argv.includes('--json') || /(?:^|\n)(?:-o[=\n]?|--output-format[=\n])json(?:\n|$)/.test(line);
  const error = {type: 'Error', code, message, exit};
  if (isStream)
    process.stdout.write(`${JSON.stringify({type: 'result', status: 'error', outcome: 'failed', error})}\n`);
  else if (isJSON) process.stdout.write(`${JSON.stringify({error}, null, 2)}\n`);
  process.stderr.write(`Error: ${message}\n`);
}

/** @param {string} bundle */
function load(bundle) {
  const {host, save} = require('./load-bundle.cjs').loadHost(path.dirname(bundle));
  if (save) process.once('exit', save);
  return host;
}
