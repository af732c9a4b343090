import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

declare module '@gemini-kernel/kernel' {
  interface Services {
    naming: {call(subagent: string): Promise<unknown>; tell(): Promise<void>};
  }
}

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const seen = (): unknown[] => ((globalThis as {subagentsSeen?: unknown[]}).subagentsSeen ??= []);

/** A tool that is always asked about, who judges it, and a person who says yes. */
async function openHouse(origin: 'core' | 'user' = 'core'): Promise<TestKernel> {
  seen().splice(0);
  const plugin: CatalogPlugin = await makePlugin(folder.path, {
    name: 'asked',
    tools: [
      {
        name: 'poke',
        description: 'Pokes.',
        effect: 'other',
        annotations: {},
        input: {type: 'object'},
        module: './poke.js',
      },
    ],
    services: [{name: 'naming', version: '1.0.0', scope: 'session', module: './naming.js'}],
    files: {
      'poke.js': `import {defineTool} from '@gemini-kernel/kernel';
export default defineTool({name: 'poke', description: 'Pokes.', effect: 'other', input: {type: 'object'},
  run: async () => ({model: 'ok'})});`,
      'naming.js': `import {provide} from '@gemini-kernel/kernel';
export default provide('naming', {version: '1.0.0', scope: 'session', create: ({tools, tell}) => ({
  call: (subagent) => tools.call({tool: 'poke', input: {}, subagent}),
  tell: async () => tell({code: 'ODD', sentence: 'Something is odd.'}),
})});`,
    },
  });
  const person = await makePlugin(folder.path, {
    name: 'person',
    listeners: [
      {hook: 'tool:judge', module: './judge.js'},
      {hook: 'tool:confirm', module: './confirm.js'},
      {hook: 'session:notice', module: './notice.js'},
    ],
    files: {
      'judge.js': listenerCode('tool:judge', "return {decision: 'ask', reason: 'It is a test.'};"),
      'confirm.js': listenerCode(
        'tool:confirm',
        `const {session, subagent} = payload.call;
(globalThis.subagentsSeen ??= []).push([context.session.id, session.id, subagent]); return {decision: 'yes'};`,
      ),
      'notice.js': listenerCode(
        'session:notice',
        "(globalThis.subagentsSeen ??= []).push([context.session.id, payload.sentence]); return ['shown'];",
      ),
    },
  });
  return createTestKernel({plugins: [{...plugin, origin}, person], confirm: 'yes'});
}

test('the person above is asked about a call of an agent, and learns whose it is [agents.person]', async () => {
  await using test = await openHouse();
  const child = test.kernel.open({parent: test.session, subagent: 'helper'});
  expect(await child.call({tool: 'poke', input: {}})).toMatchObject({status: 'done'});
  expect(seen()).toEqual([[test.session.info.id, child.info.id, 'helper']]);
  seen().splice(0);
  await (await child.service('naming')).tell();
  await child.close();
  expect(seen()).toEqual([[test.session.info.id, 'Something is odd.']]);
});

test('a session below another without an agent has questions of its own [agents.person]', async () => {
  await using test = await openHouse();
  const child = test.kernel.open({parent: test.session});
  await child.call({tool: 'poke', input: {}});
  expect(seen()).toEqual([[child.info.id, child.info.id, undefined]]);
});

test('a request in the session of an agent cannot name another one [agents.named]', async () => {
  await using test = await openHouse();
  const child = test.kernel.open({parent: test.session, subagent: 'helper'});
  await (await child.service('naming')).call('other');
  expect(seen()).toEqual([[test.session.info.id, child.info.id, 'helper']]);
});

test.each([
  ['core', 'other'],
  ['user', undefined],
] as const)('a plugin of origin %s that names an agent is heard as %s [agents.named]', async (origin, subagent) => {
  await using test = await openHouse(origin);
  await (await test.session.service('naming')).call('other');
  expect(seen()).toEqual([[test.session.info.id, test.session.info.id, subagent]]);
});

test('a session below another one keeps its caller, whatever it asks for [peer.caller]', async () => {
  await using test = await openHouse();
  const above = test.kernel.open({caller: 'ci'});
  expect(above.info.caller).toBe('ci');
  expect(test.kernel.open({parent: above, subagent: 'helper', caller: 'other'}).info.caller).toBe('ci');
  expect(test.kernel.open({parent: test.session, caller: 'other'}).info).not.toHaveProperty('caller');
});
