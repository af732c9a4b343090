import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {CatalogFinding} from '@gemini-kernel/plugin-bundles/contract';
import {serveRegistry} from '../../helpers/registry.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {makeFolder} from '../../helpers/make-plugin.js';

test('extensions are found by npm and in catalogs, with what the rules say [extensions.explore]', async () => {
  await using place = await makeFolder();
  await using registry = await serveRegistry();
  const pack = {keywords: ['gemini-cli-extension'], description: 'Reviews.'};
  registry.publish({name: '@acme/review', version: '1.0.0', pack, manifest: null});
  registry.publish({name: 'a-plugin', version: '1.0.0', pack: {keywords: ['gemini-plugin']}});
  const entry = {kind: 'extension', description: 'Reviews.'};
  const entries = [
    {...entry, name: 'far', source: 'https://far.example/far.git', does: ['bring /far']},
    {...entry, name: 'plain', source: 'plain'},
    {...entry, kind: 'plugin', name: 'other', source: 'other'},
  ];
  const location = join(place.path, 'catalog.json');
  await writeFile(location, JSON.stringify({catalogVersion: 1, name: 'acme', entries}));
  const home = join(place.path, 'home');
  await mkdir(join(home, '.gemini'), {recursive: true, mode: 0o700});
  const settings = {catalogs: {sources: [{location}]}, security: {allowedExtensions: ['^npm:@acme/']}};
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings), {mode: 0o600});
  const run = (...args: readonly string[]): Promise<RunResult> =>
    runGemini(['extensions', 'explore', ...args], {
      ...{cwd: place.path, home},
      variables: {npm_config_registry: registry.url},
    });
  const found = JSON.parse((await run('--json')).stdout) as CatalogFinding;
  expect(found.entries.map(({name, install, verdict}) => [name, install, verdict?.allowed])).toEqual([
    ['far', 'https://far.example/far.git', false],
    ['plain', 'plain', false],
    ['@acme/review', 'npm:@acme/review', true],
  ]);
  const {stdout} = await run('review');
  expect(stdout).toContain('  refused: The extension "far" is not used: its source is not in security.allowed');
  expect(stdout).toContain('  refused: plain is not an address that extensions are installed from.');
  expect(stdout).toContain('  gemini extensions install npm:@acme/review\n');
}, 30_000);
