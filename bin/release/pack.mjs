import {join} from 'node:path';
import {runNpm} from './run.mjs';

/**
 * @typedef {object} Archive
 * @property {string} name
 * @property {string} version
 * @property {string} path Of the archive.
 * @property {number} packedSize
 * @property {number} unpackedSize
 * @property {import('./check-archive.mjs').PackedFile[]} files
 */

/**
 * Packs packages of the checkout into a folder; gives their archives by name.
 * @param {string} root
 * @param {readonly import('./list-packages.mjs').Package[]} packages
 * @param {{folder: string, signal?: AbortSignal}} options
 * @returns {Promise<Map<string, Archive>>}
 */
export async function packAll(root, packages, {folder, signal}) {
  const workspaces = packages.filter((one) => one.folder !== '').map((one) => `--workspace=${one.folder}`);
  const calls = [
    ...(workspaces.length > 0 ? [workspaces] : []),
    ...(workspaces.length < packages.length ? [['--workspaces=false']] : []),
  ];
  const archives = new Map();
  for (const words of calls) {
    const args = ['pack', '--json', '--ignore-scripts', `--pack-destination=${folder}`, ...words];
    const {code, stdout, stderr} = await runNpm(args, {cwd: root, signal});
    if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${stderr}`);
    for (const {name, version, filename, size, unpackedSize, files} of JSON.parse(stdout))
      archives.set(name, {name, version, path: join(folder, filename), packedSize: size, unpackedSize, files});
  }
  return archives;
}
