import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, readFile, realpath, symlink, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {makeFolder, type Folder} from './make-plugin.js';
import {checkout} from './plugin-root.js';

const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** The archives of packages of the checkout, by name; disposing removes them. */
export interface Packed extends Folder {
  readonly tarballs: ReadonlyMap<string, string>;
}

/** Packs workspaces of the checkout as npm publishes them; all of them unless some are named. */
export async function packPackages(names: readonly string[] = []): Promise<Packed> {
  const folder = await makeFolder();
  const which = names.length === 0 ? ['--workspaces'] : names.map((name) => `--workspace=${name}`);
  const {stdout} = await run(
    npm,
    ['pack', ...which, '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder.path],
    {cwd: checkout, shell: process.platform === 'win32', maxBuffer: 64 * 2 ** 20},
  );
  const packed = JSON.parse(stdout) as {name: string; filename: string}[];
  return {...folder, tarballs: new Map(packed.map(({name, filename}) => [name, join(folder.path, filename)]))};
}

/**
 * Puts packed packages into an empty project, and beside them what they say that they depend on, as the checkout has
 * it, and nothing else.
 */
export async function installPacked(
  project: string,
  names: readonly string[],
  {tarballs}: Pick<Packed, 'tarballs'>,
): Promise<void> {
  await writeFile(join(project, 'package.json'), JSON.stringify({private: true, type: 'module'}));
  await linkPackage(project, '@oclif/core', checkout);
  for (const name of names) {
    const folder = join(project, 'node_modules', name);
    await mkdir(folder, {recursive: true});
    await run('tar', ['-xzf', tarballs.get(name) ?? `${name} was not packed`, '-C', folder, '--strip-components=1']);
    const {dependencies = {}} = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      readonly dependencies?: object;
    };
    const home = join(checkout, 'node_modules', name);
    for (const needed of Object.keys(dependencies).filter((one) => !tarballs.has(one)))
      await linkPackage(project, needed, await realpath(home));
  }
}

/** Makes the copy of a package that is found from a folder the one of a project. */
export async function linkPackage(project: string, name: string, from: string): Promise<void> {
  const found = createRequire(join(from, 'package.json'))
    .resolve.paths(name)
    ?.map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')));
  if (!found) throw new Error(`${name} is not installed for ${from}.`);
  const place = join(project, 'node_modules', name);
  if (existsSync(place)) return;
  await mkdir(dirname(place), {recursive: true});
  await symlink(found, place, 'junction');
}
