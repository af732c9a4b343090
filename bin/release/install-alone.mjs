import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {closureOf} from './list-packages.mjs';
import {listExports, listModules} from './named-files.mjs';
import {run, runNpm} from './run.mjs';

/**
 * What a check of an installation needs to know.
 * @typedef {object} Setting
 * @property {readonly import('./list-packages.mjs').Package[]} packages
 * @property {ReadonlyMap<string, import('./pack.mjs').Archive>} archives Of all of them.
 * @property {string} folder An empty one, for this check alone.
 * @property {Record<string, string>} npm Variables that tell npm of the user's configuration and cache.
 * @property {AbortSignal} signal
 */

/** Imports each entry in a process of its own and prints those that fail. */
const IMPORT_ALL = `
const failed = [];
for (const entry of JSON.parse(process.argv[1]))
  await import(entry).catch((error) => failed.push({entry, why: String(error?.message ?? error).split('\\n')[0]}));
process.stdout.write(JSON.stringify(failed), () => process.exit(0));
`;

/**
 * The environment of someone who has set nothing: an empty home and, for npm, its cache.
 * @param {string} home
 * @param {Record<string, string>} [more]
 */
export function emptyEnvironment(home, more = {}) {
  const kept = ['PATH', 'SystemRoot', 'ComSpec', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];
  const variables = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {...Object.fromEntries(variables), HOME: home, USERPROFILE: home, ...more};
}

/**
 * The package.json of a project that has a package, its peers, and the workspace packages that these need. npm holds
 * their ranges against the archives.
 * @param {string} name
 * @param {Pick<Setting, 'packages' | 'archives'>} setting
 */
export function describeProject(name, {packages, archives}) {
  const closure = closureOf(name, packages);
  const dependencies = packages
    .filter(({manifest}) => closure.has(manifest.name))
    .flatMap(({manifest}) => [
      ...Object.entries(manifest.peerDependencies ?? {}).filter(([peer]) => !closure.has(peer)),
      [manifest.name, `file:${archives.get(manifest.name)?.path}`],
    ]);
  return {name: 'installs-alone', private: true, dependencies: Object.fromEntries(dependencies)};
}

/**
 * What a program can import of an installed package: its exported entries and its contribution files.
 * @param {import('./list-packages.mjs').Package} one
 * @param {string} folder Of the project.
 */
function listEntries({manifest, plugin}, folder) {
  const own = join(folder, 'node_modules', ...manifest.name.split('/'));
  const exported = listExports(manifest).filter(([entry, target]) => {
    const file = typeof target === 'string' ? target : Reflect.get(Object(target), 'default');
    return /\.[cm]?js$/.test(String(file)) && !entry.includes('*');
  });
  return [
    ...exported.map(([entry]) => `${manifest.name}${entry.slice(1)}`),
    ...listModules(plugin).map((module) => pathToFileURL(join(own, module)).href),
  ];
}

/**
 * Installs the archive of a package in an empty folder with an empty home, and imports what it exports.
 * @param {import('./list-packages.mjs').Package} one
 * @param {Setting} setting
 * @returns {Promise<import('./check-archive.mjs').Failure[]>}
 */
export async function checkInstall(one, {packages, archives, folder, npm, signal}) {
  const {name} = one.manifest;
  const home = join(folder, '.home');
  await mkdir(home, {recursive: true});
  await writeFile(join(folder, 'package.json'), JSON.stringify(describeProject(name, {packages, archives}), null, 2));
  const env = emptyEnvironment(home, npm);
  const words = ['install', `--prefix=${folder}`, '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
  const installed = await runNpm([...words, '--prefer-offline', '--loglevel=error'], {cwd: folder, env, signal});
  if (installed.code !== 0) {
    const why = installed.stderr.trim().split('\n').slice(0, 6).join('\n');
    const hint = 'Compare the ranges in its package.json with the versions of the other packages.';
    return [{sentence: `npm cannot install its archive alone:\n${why}`, hint}];
  }
  const entries = listEntries(one, folder);
  if (entries.length === 0) return [];
  const importing = ['--input-type=module', '--eval', IMPORT_ALL, JSON.stringify(entries)];
  const {code, stdout, stderr} = await run(process.execPath, importing, {cwd: folder, env, signal});
  const hint = 'Add what it imports to `dependencies` or `peerDependencies`, or to `files`.';
  if (code !== 0) return [{sentence: `A process that imports its entries ended with ${code}:\n${stderr}`, hint}];
  /** @type {{entry: string, why: string}[]} */
  const failed = JSON.parse(stdout);
  return failed.map(({entry, why}) => ({sentence: `${entry} cannot be imported: ${why}`, hint}));
}
