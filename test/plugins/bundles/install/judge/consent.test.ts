import {expect, test} from '@jest/globals';
import type {AgentPlace} from '../../../../helpers/run-agent.js';
import {GeminiSitting} from '../../../../helpers/sit-at-gemini.js';
import {makeInstallScene} from '../scene.js';
import {where} from '../../../../helpers/where.js';

const findLookalike = async (name: string, known: readonly string[]): Promise<string | undefined> =>
  (await import('#plugins/bundles/dist/install/judge/find-lookalike.js')).findLookalike(name, known);

/** It makes a terminal here. */
const withScript = where(process.platform === 'linux', 'script(1) of Linux');

withScript.each<[string, number, boolean]>([
  ['y', 0, true],
  ['n', 1, false],
  ['', 1, false],
])('at a terminal the answer %j decides, and who gave it is locked', async (answer, code, isInstalled) => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'hello', version: '1.0.0', manifest: {capabilities: ['process']}});
  const place = {home: scene.home, project: scene.project, server: {url: scene.registry.url}} as unknown as AgentPlace;
  const sitting = await GeminiSitting.begin(place, {
    words: ['plugins', 'install', 'hello'],
    variables: scene.variables,
  });
  await sitting.see('  wants to    run programs');
  await sitting.go(['Install hello 1.0.0? [y/N] ', `${answer}\n`]);
  expect((await sitting.end()).code).toBe(code);
  const locked = (await scene.lock())?.plugins['hello'];
  expect([locked !== undefined, locked?.approved?.by === '--yes']).toEqual([isInstalled, false]);
});

test.each<[string, string, boolean]>([
  ['@acme/hello', '@acme/helo', true],
  ['@acme/hello', '@acme/hallo', true],
  ['@acme/hello', '@acme/ehllo', true],
  ['@acme/hello', '@acme/he1lo', true],
  ['@acme/hello', '@acme/heiio', true],
  ['my-plugin', 'my_plugin', true],
  ['my-plugin', 'myplugin', true],
  ['corner', 'comer', true],
  ['@acme/hello', '@acme/goodbye', false],
  ['@acme/hello', '@acme/hello', false],
  ['abc', 'abd', false],
  ['hello', 'hello-two', false],
])('%s and %s: alike %s', async (known, name, isAlike) => {
  expect(await findLookalike(name, [known])).toBe(isAlike ? known : undefined);
});
