import {cp, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {checkout} from './plugin-root.js';

/** Folder in which oclif keeps the installed plugins of a person. */
export function installedFolder(home: string): string {
  return join(home, '.local', 'share', 'gemini', 'ext');
}

export interface Installed {
  /** Folders in test/fixtures/plugins. */
  readonly present?: readonly string[];
  /** Names that are listed as installed, with no folder behind them. */
  readonly gone?: readonly string[];
}

/** Puts plugins into a home as oclif's installer leaves them. */
export async function installPlugins(home: string, {present = [], gone = []}: Installed): Promise<void> {
  const installed = installedFolder(home);
  await mkdir(installed, {recursive: true});
  const names = await Promise.all(present.map((folder) => copyPlugin(folder, installed)));
  const plugins = [...names, ...gone].map((name) => ({name, type: 'user', tag: 'latest'}));
  await writeFile(join(installed, 'package.json'), JSON.stringify({name: 'gemini', private: true, oclif: {schema: 1, plugins}, dependencies: Object.fromEntries(plugins.map(({name}) => [name, '1.0.0']))}));
}

async function copyPlugin(folder: string, installed: string): Promise<string> {
  const name = folder === 'impostor' ? '@gemini-kernel/plugin-tools' : folder;
  await cp(join(checkout, 'test', 'fixtures', 'plugins', folder), join(installed, 'node_modules', name), {recursive: true});
  return name;
}
