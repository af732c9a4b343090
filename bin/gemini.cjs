#!/usr/bin/env node
// @ts-check
'use strict';
// Answers --version, and starts everything else: one prebuilt bundle with what V8 compiled of it before (load-bundle.cjs).
// GEMINI_STOCK_OCLIF=1 runs the same sources unbundled instead, and oclif finds everything by itself. docs/decisions/0003 says why.
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
  process.stdout.write(`${JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version}\n`);
} else {
  start();
}

function start() {
  const stock = process.env.GEMINI_STOCK_OCLIF === '1';
  process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1';
  Object.assign(globalThis, {oclif: {...Reflect.get(globalThis, 'oclif'), enableAutoTranspile: false}});
  const bundle = path.join(__dirname, 'dist', 'host.cjs');
  if (!fs.existsSync(bundle)) {
    process.stderr.write('Error: This checkout is not built yet.\nRun npm run setup.\n');
    process.exitCode = 1;
    return;
  }
  process.stdout.on('error', (error) => {
    if (Reflect.get(error, 'code') === 'EPIPE') process.exit(0);
    throw error;
  });
  let finished = false;
  process.once('exit', (code) => {
    if (finished || code !== 0) return;
    process.stderr.write('Error: The command ended without finishing: something it waited for never came. This is a bug.\n');
    process.exitCode = 1;
  });
  const host = stock ? import('./dist/main.js') : Promise.resolve(load(bundle));
  host
    .then(({main, carried = {}, validators}) => main({root, argv, stock, carried, validators}))
    .then((code) => {
      finished = true;
      process.exitCode = code;
    })
    .catch((error) => {
      finished = true;
      process.stderr.write(`Error: This is a bug: ${error instanceof Error ? error.stack : error}\n`);
      process.exitCode = 1;
    });
}

/** @param {string} bundle */
function load(bundle) {
  const {host, save} = require('./load-bundle.cjs').loadBundle(bundle);
  if (save) process.once('exit', save);
  return host;
}
