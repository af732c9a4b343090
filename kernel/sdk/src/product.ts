import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import type {CatalogPlugin, Manifest} from '@gemini-kernel/kernel/host';

const PLUGIN = /^@gemini-kernel\/plugin-/;

/** The plugins that the SDK depends on: what an agent is made of. */
export async function readProduct(): Promise<readonly CatalogPlugin[]> {
  const require = createRequire(import.meta.url);
  const {dependencies} = require('../package.json') as {readonly dependencies: Readonly<Record<string, string>>};
  const names = Object.keys(dependencies).filter((name) => PLUGIN.test(name));
  return Promise.all(
    names.map(async (name) => {
      const root = dirname(require.resolve(`${name}/package.json`));
      const manifest = JSON.parse(await readText(join(root, 'gemini.plugin.json'))) as Manifest;
      return {root, origin: 'core' as const, manifest};
    }),
  );
}
