import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {listInstalled} from '../commit/list-installed.js';
import {writeWhole} from '../commit/write-whole.js';
import type {Installer} from '../source/installer.js';

/**
 * Lists the user's installed plugins in the package.json of oclif's data folder, for programs that read it there. It
 * decides nothing; the lock does.
 */
export async function mirrorForOclif(installer: Installer, dataDir: string): Promise<void> {
  const installed = (await listInstalled(installer.environment, installer.schemas.lock)).filter(
    ({scope}) => scope === 'user',
  );
  const plugins = installed.map(({name, root}) => ({name, type: 'link', root}));
  const path = join(dataDir, 'package.json');
  const text = `${JSON.stringify({name: 'gemini', private: true, oclif: {schema: 1, plugins}}, null, 2)}\n`;
  if ((await readText(path).catch(() => '')) !== text) await writeWhole(path, text);
}
