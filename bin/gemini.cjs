#!/usr/bin/env node
// @ts-check
'use strict';
// The whole fast start is here and in src/main.ts: this file answers --version, then runs one prebuilt bundle (kernel, oclif, ajv)
// with the bytes V8 compiled last time. GEMINI_STOCK_OCLIF=1 runs the same sources unbundled, and oclif finds everything by itself.
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
  /** @type {Promise<{main: (program: {root: string, argv: string[], stock: boolean}) => Promise<number>}>} */
  const host = stock ? import('./dist/main.js') : Promise.resolve(loadBundle(bundle));
  host
    .then(({main}) => main({root, argv, stock}))
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

/**
 * Runs the bundle with V8's cached compilation of it. The cache is made at the first run that finds none, beside the bundle or, when that
 * is read-only, in the user's cache folder; V8 refuses one that another version or another bundle made.
 * @param {string} file
 */
function loadBundle(file) {
  const Module = require('node:module');
  const vm = require('node:vm');
  const source = fs.readFileSync(file, 'latin1');
  const places = cachePlaces(file);
  const cachedData = readFirst(places);
  const wrapper = `(function (exports, require, module, __filename, __dirname, __import) {${source}\n})`;
  const script = new vm.Script(wrapper, {filename: file, ...(cachedData ? {cachedData} : {})});
  const module_ = new Module(file);
  Object.assign(module_, {filename: file, loaded: true});
  // Dynamic import inside a cached script has no loader of its own; it uses this file's.
  script.runInThisContext()(module_.exports, Module.createRequire(file), module_, file, path.dirname(file), (/** @type {string} */ name) => import(name));
  if (!cachedData || script.cachedDataRejected) process.once('exit', () => writeFirst(places, script.createCachedData()));
  return module_.exports;
}

/** @param {string} file */
function cachePlaces(file) {
  const {mtimeMs, size} = fs.statSync(file);
  const name = `host-${process.version}-${process.arch}-${Math.floor(mtimeMs).toString(36)}-${size.toString(36)}.cache`;
  const user = process.env.XDG_CACHE_HOME ?? path.join(require('node:os').homedir(), '.cache');
  return [path.join(path.dirname(file), name), path.join(user, 'gemini', name)];
}

/** @param {readonly string[]} places */
function readFirst(places) {
  for (const place of places) {
    try {
      return fs.readFileSync(place);
    } catch (error) {
      if (!['ENOENT', 'EACCES', 'ENOTDIR'].includes(Reflect.get(Object(error), 'code'))) throw error;
    }
  }
  return undefined;
}

/** @param {readonly string[]} places @param {Buffer} data */
function writeFirst(places, data) {
  for (const place of places) {
    const temporary = `${place}.${process.pid}`;
    try {
      fs.mkdirSync(path.dirname(place), {recursive: true, mode: 0o700});
      fs.writeFileSync(temporary, data, {mode: 0o600});
      fs.renameSync(temporary, place);
      return;
    } catch {
      // A cache that cannot be written here is written at the next place, or not at all: it only saves time.
      fs.rmSync(temporary, {force: true});
    }
  }
}
