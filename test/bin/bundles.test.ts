import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createCatalog, findViolations} from '@gemini-kernel/kernel/host';
import {readPlugin} from '@gemini-kernel/kernel/testing';
import {checkout, pluginRoot} from '../helpers/plugin-root.js';

interface Bundle {
  readonly plugins: readonly string[];
  readonly start?: string;
}

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(join(checkout, 'manifests', path), 'utf8')) as T;
const bundles = await readdir(join(checkout, 'manifests/bundles'));

describe.each(bundles)('the bundle %s', (file) => {
  test('follows the published schema', async () => {
    expect(await findViolations(await readJson('schemas/bundle.schema.json'), await readJson(`bundles/${file}`), file)).toEqual([]);
  });

  test('lists plugins that fit together, and starts with a command that one of them has', async () => {
    const {plugins, start} = await readJson<Bundle>(`bundles/${file}`);
    const {refused, commands} = createCatalog(await Promise.all(plugins.map((name) => readPlugin(pluginRoot(name.replace('@gemini-kernel/plugin-', ''))))));
    expect(refused).toEqual([]);
    if (start !== undefined) expect([...commands.keys()]).toContain(start.replaceAll(' ', ':'));
  });
});

test('the default bundle is every first-party plugin', async () => {
  const {plugins} = await readJson<Bundle>('bundles/default.json');
  expect([...plugins].sort()).toEqual((await readdir(join(checkout, 'plugins'))).map((name) => `@gemini-kernel/plugin-${name}`).sort());
});
