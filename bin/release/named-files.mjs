/**
 * @typedef {object} NamedFile
 * @property {string} path From the folder of the package; one `*` may stand for part of it.
 * @property {string} by What names it, such as `exports["./contract"].types`.
 * @property {boolean} [folder] Whether it may be a folder.
 */

/**
 * The targets of an entry of `exports` or `imports`, whatever its conditions.
 * @param {unknown} target
 * @param {string} by
 * @returns {NamedFile[]}
 */
function listTargets(target, by) {
  if (typeof target === 'string') return target.startsWith('./') ? [{path: target.slice(2), by}] : [];
  if (typeof target !== 'object' || target === null) return [];
  return Object.entries(target).flatMap(([condition, value]) => listTargets(value, `${by}.${condition}`));
}

/** @param {unknown} value */
const listStrings = (value) =>
  (typeof value === 'string' ? [value] : Object.values(value ?? {}).flat()).filter((one) => typeof one === 'string');

/**
 * The entries of `exports`, in one form.
 * @param {Record<string, any>} manifest
 * @returns {[string, unknown][]}
 */
export function listExports({exports}) {
  if (exports === undefined) return [];
  const isMap = typeof exports === 'object' && Object.keys(exports).some((key) => key.startsWith('.'));
  return isMap ? Object.entries(exports) : [['.', exports]];
}

/**
 * The contribution files of a plugin, as its gemini.plugin.json names them.
 * @param {Record<string, any> | undefined} plugin
 * @returns {string[]}
 */
export function listModules(plugin) {
  const contributions = Object.values(plugin ?? {}).flatMap((value) => (Array.isArray(value) ? value : []));
  const modules = contributions.map((one) => one?.module).filter((module) => typeof module === 'string');
  return [...new Set(modules)].map((module) => module.replace(/^\.\//, ''));
}

/**
 * Every file that a package promises: by `exports`, `imports`, `main`, `types`, `bin`, `oclif`, `gemini` and its
 * gemini.plugin.json. The types of `imports` serve only its own build.
 * @param {Record<string, any>} manifest
 * @param {Record<string, any> | undefined} plugin
 * @returns {NamedFile[]}
 */
export function listNamedFiles(manifest, plugin) {
  const {imports = {}, main, types, bin, oclif = {}, gemini = {}} = manifest;
  const plain = [
    ...listStrings(main).map((path) => ({path, by: 'main'})),
    ...listStrings(types).map((path) => ({path, by: 'types'})),
    ...listStrings(bin).map((path) => ({path, by: 'bin'})),
    ...listStrings(oclif.commands).map((path) => ({path, by: 'oclif.commands', folder: true})),
    ...listStrings(oclif.hooks).map((path) => ({path, by: 'oclif.hooks'})),
    ...listStrings(gemini.manifest).map((path) => ({path, by: 'gemini.manifest'})),
  ].map((one) => ({...one, path: one.path.replace(/^\.\//, '')}));
  return [
    ...listExports(manifest).flatMap(([entry, target]) => listTargets(target, `exports["${entry}"]`)),
    ...Object.entries(imports)
      .filter(([name]) => !name.includes('*'))
      .flatMap(([name, target]) => listTargets(target, `imports["${name}"]`))
      .filter(({by}) => !by.endsWith('.types')),
    ...plain,
    ...listModules(plugin).map((path) => ({path, by: 'gemini.plugin.json'})),
  ];
}
