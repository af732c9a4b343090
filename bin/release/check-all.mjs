import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {checkArchive} from './check-archive.mjs';
import {checkInstall} from './install-alone.mjs';
import {closureOf} from './list-packages.mjs';
import {packAll} from './pack.mjs';
import {mapSideBySide, runNpm} from './run.mjs';
import {tryProgram} from './try-program.mjs';

/** How many packages are installed at the same time. */
const SIDE_BY_SIDE = 2;

/**
 * @typedef {import('./list-packages.mjs').Package} Package
 * @typedef {import('./check-archive.mjs').Failure & {name: string}} NamedFailure
 * @typedef {object} Checks
 * @property {string} root
 * @property {readonly Package[]} packages All of the checkout.
 * @property {readonly Package[]} chosen Those to check.
 * @property {string} folder An empty one, for everything that is written.
 * @property {(line: string) => void} say
 * @property {AbortSignal} signal
 */

/**
 * Where npm's configuration and cache are. An empty home hides both.
 * @param {string} cwd
 * @param {AbortSignal} signal
 */
async function findNpm(cwd, signal) {
  const names = ['cache', 'userconfig', 'registry'];
  const answers = names.map((name) => runNpm(['config', 'get', name], {cwd, signal}));
  const values = (await Promise.all(answers)).map(({stdout}) => stdout.trim());
  return Object.fromEntries(names.map((name, index) => [`npm_config_${name}`, values[index]]));
}

/**
 * Checks one package and describes its archive.
 * @param {Package} one
 * @param {Omit<import('./install-alone.mjs').Setting, 'folder'> & Checks} setting
 */
async function checkPackage(one, setting) {
  const {name, version} = one.manifest;
  const started = Date.now();
  const archive = setting.archives.get(name);
  if (!archive) throw new Error(`npm packed no archive of ${name}.`);
  const own = {...setting, folder: join(setting.folder, `install-${name.replaceAll('/', '-')}`)};
  await mkdir(own.folder);
  const incomplete = checkArchive({...one, files: archive.files});
  const alone = await checkInstall(one, own);
  const program = alone.length === 0 && one.folder === '' ? await tryProgram(one, own) : [];
  const failures = [...incomplete, ...alone, ...program].map((failure) => ({name, ...failure}));
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  setting.say(`${failures.length > 0 ? '✗' : '✓'} ${name} (${seconds} s)`);
  const {packedSize, unpackedSize, files} = archive;
  const row = {name, version, private: one.manifest.private === true, files: files.length, packedSize, unpackedSize};
  return {row: {...row, installsAlone: alone.length + program.length === 0}, failures};
}

/**
 * Packs the chosen packages with those that they need, and checks each: its files, its installation, its entries.
 * @param {Checks} checks
 */
export async function checkAll(checks) {
  const {root, packages, chosen, folder, say, signal} = checks;
  const needed = new Set(chosen.flatMap(({manifest}) => [...closureOf(manifest.name, packages)]));
  const packed = packages.filter(({manifest}) => needed.has(manifest.name));
  say(`… Packing ${packed.length} packages`);
  const archives = await packAll(root, packed, {folder, signal});
  const npm = await findNpm(folder, signal);
  // The root takes longest, so it begins first.
  const order = [...chosen].sort((a, b) => Number(b.folder === '') - Number(a.folder === ''));
  const done = await mapSideBySide(order, SIDE_BY_SIDE, (one) => checkPackage(one, {...checks, archives, npm}));
  const found = new Map(order.map((one, index) => [one, done[index]]));
  const results = chosen.flatMap((one) => found.get(one) ?? []);
  return {
    packages: results.map(({row}) => row),
    failures: results.flatMap(({failures}) => failures),
  };
}
