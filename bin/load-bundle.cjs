// @ts-check
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const {cachePlaces} = require('./compile-cache.cjs');

/**
 * @typedef {{root: string, argv: readonly string[], stock: boolean, carried: object, validators: object}} Program
 * @typedef {{
 *   main: (program: Program) => Promise<number>,
 *   carried: Record<string, () => unknown>,
 *   apart: readonly string[],
 *   shared: Record<string, unknown>,
 *   packages: Record<string, string>,
 *   validators: object,
 * }} Host
 */

/**
 * Loads the program. The modules of `apart.cjs` are among what it carries; that file is read when one of them is first
 * asked for.
 * @param {string} folder
 * @returns {{host: Host, packages: Record<string, unknown>, save: (() => void) | undefined}}
 */
function loadHost(folder) {
  /** @type {Record<string, ReturnType<typeof loadBundle>>} */
  const packages = {};
  /** @type {Record<string, unknown>} */
  const lent = {};
  const {host, save: saveHost} = loadBundle(path.join(folder, 'host.cjs'), lent);
  for (const [name, script] of Object.entries(host.packages)) {
    const get = () => (packages[name] ??= loadBundle(path.join(folder, `${script}.cjs`))).host;
    Object.defineProperty(lent, name, {enumerable: true, get});
  }
  /** @type {ReturnType<typeof loadBundle> | undefined} */
  let apart;
  const open = () => (apart ??= loadBundle(path.join(folder, 'apart.cjs'), withShared(lent, host.shared))).host.carried;
  const later = Object.fromEntries(host.apart.map((file) => [file, () => open()[file]?.()]));
  const save = () => {
    saveHost?.();
    for (const one of Object.values(packages)) one.save?.();
    apart?.save?.();
  };
  return {host: {...host, carried: {...host.carried, ...later}}, packages: lent, save};
}

/**
 * What a second script takes from the first, packages included, which are loaded when they are asked for.
 * @param {object} lent @param {Record<string, unknown>} shared
 */
function withShared(lent, shared) {
  const [own, packages] = [shared, lent].map((one) => Object.getOwnPropertyDescriptors(one));
  return Object.defineProperties({}, {...own, ...packages});
}

/**
 * Runs the bundle with V8's cached compilation of it. `bin/warm.cjs` makes that cache at build time, for the Node that
 * built; another Node makes its own at its first run, beside the bundle or, when that is read-only, in the user's cache
 * folder. V8 refuses a cache that another version of itself made; that of another bundle has another name. Whether a
 * cache may be used, compile-cache.cjs says.
 * @param {string} file @param {Record<string, unknown>} [shared] Modules that its loader gives it.
 * @returns {{host: Host, save: (() => void) | undefined}} `save` writes the cache when there was none to use.
 */
function loadBundle(file, shared = {}) {
  const source = fs.readFileSync(file, 'latin1');
  // V8 compares no more than the length of the source, so the name of a cache holds the digest that the build wrote in
  // the first line.
  const places = cachePlaces(file, source.slice(2, 18));
  const cachedData = readFirst(places);
  const wrapper = `(function (exports, require, module, __filename, __dirname, __import) {${source}\n})`;
  const script = new vm.Script(wrapper, {filename: file, ...(cachedData ? {cachedData} : {})});
  const module_ = new Module(file);
  Object.assign(module_, {filename: file, loaded: true});
  // Dynamic import inside a cached script has no loader of its own; it uses this file's.
  const own = Module.createRequire(file);
  const require_ = Object.assign((/** @type {string} */ name) => (name in shared ? shared[name] : own(name)), own);
  script.runInThisContext()(
    module_.exports,
    require_,
    module_,
    file,
    path.dirname(file),
    (/** @type {string} */ name) => import(name),
  );
  const save =
    cachedData && !script.cachedDataRejected
      ? undefined
      : () => void places.some((place) => place.write(() => script.createCachedData()));
  return {host: module_.exports, save};
}

/** @param {ReturnType<typeof cachePlaces>} places */
function readFirst(places) {
  for (const place of places) {
    const data = place.read();
    if (data) return data;
  }
  return undefined;
}

module.exports = {loadHost};
