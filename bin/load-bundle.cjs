// @ts-check
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

/**
 * @typedef {{root: string, argv: readonly string[], stock: boolean, carried: object, validators: object}} Program
 * @typedef {{main: (program: Program) => Promise<number>, carried: object, validators: object}} Host
 */

/**
 * Runs the bundle with V8's cached compilation of it. `bin/warm.cjs` makes that cache at build time, for the Node that built; another Node
 * makes its own at its first run, beside the bundle or, when that is read-only, in the user's cache folder. V8 refuses a cache that another
 * version of itself made; that of another bundle has another name.
 * @param {string} file
 * @returns {{host: Host, save: (() => void) | undefined}} `save` writes the cache when there was none to use.
 */
function loadBundle(file) {
  const source = fs.readFileSync(file, 'latin1');
  const places = cachePlaces(file, source);
  const cachedData = readFirst(places);
  const wrapper = `(function (exports, require, module, __filename, __dirname, __import) {${source}\n})`;
  const script = new vm.Script(wrapper, {filename: file, ...(cachedData ? {cachedData} : {})});
  const module_ = new Module(file);
  Object.assign(module_, {filename: file, loaded: true});
  // Dynamic import inside a cached script has no loader of its own; it uses this file's.
  script.runInThisContext()(module_.exports, Module.createRequire(file), module_, file, path.dirname(file), (/** @type {string} */ name) => import(name));
  const save = cachedData && !script.cachedDataRejected ? undefined : () => writeFirst(places, script.createCachedData());
  return {host: module_.exports, save};
}

/**
 * V8 compares no more than the length of the source, so the name holds the digest that the build wrote in the first line.
 * @param {string} file @param {string} source
 */
function cachePlaces(file, source) {
  const name = `host-${process.version}-${process.arch}-${source.slice(2, 18)}.cache`;
  // A relative place would be the current folder's, and a cache is code.
  const user = [process.env.XDG_CACHE_HOME, path.join(require('node:os').homedir(), '.cache')].find((place) => place && path.isAbsolute(place));
  return [path.join(path.dirname(file), name), ...(user ? [path.join(user, 'gemini', name)] : [])];
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
      fs.writeFileSync(temporary, data, {mode: 0o644});
      fs.renameSync(temporary, place);
      return;
    } catch {
      // A cache that cannot be written here is written at the next place, or not at all: it only saves time.
      if (fs.existsSync(temporary)) fs.rmSync(temporary, {force: true});
    }
  }
}

module.exports = {loadBundle};
