import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/**
 * @typedef {object} Package
 * @property {string} folder From the root; empty for the root package.
 * @property {Record<string, any>} manifest Its package.json.
 * @property {Record<string, any> | undefined} plugin Its gemini.plugin.json, if it is a built plugin.
 */

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * The folders of the workspace packages, from the root.
 * @param {string} root
 * @returns {string[]}
 */
export function listWorkspaces(root) {
  const named = /** @type {string[]} */ (readJson(join(root, 'package.json')).workspaces);
  const folders = named.flatMap((one) => {
    if (!one.endsWith('/*')) return [one];
    const parent = one.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return folders.filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/**
 * The workspace packages in the order of the root's package.json, then the root itself.
 * @param {string} root
 * @returns {Package[]}
 */
export function listPackages(root) {
  return [...listWorkspaces(root), ''].map((folder) => {
    const built = join(root, folder, 'gemini.plugin.json');
    const manifest = readJson(join(root, folder, 'package.json'));
    return {folder, manifest, plugin: existsSync(built) ? readJson(built) : undefined};
  });
}

/**
 * A package and every workspace package that it needs: its dependencies and peers, theirs, and so on.
 * @param {string} name
 * @param {readonly Package[]} packages
 * @returns {Set<string>}
 */
export function closureOf(name, packages) {
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const found = new Set([name]);
  for (const next of found) {
    const {dependencies, peerDependencies} = byName.get(next)?.manifest ?? {};
    for (const needed of Object.keys({...dependencies, ...peerDependencies})) if (byName.has(needed)) found.add(needed);
  }
  return found;
}
