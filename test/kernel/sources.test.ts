import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {ToolSource} from '@gemini-kernel/kernel';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

declare module '@gemini-kernel/kernel' {
  interface Services {
    'reads-things': {read(): Promise<unknown>};
    'things:shed': {asked(): number; become(...names: readonly string[]): void};
  }
}

interface Remote extends ToolSource {
  /** How often the list was asked for. */
  asked(): number;
  /** Lists these names from now on. */
  become(...names: readonly string[]): void;
}

/** A plugin whose source lists tools that add `from <owner>` to what they are given. */
function makeSource(owner: string, {names = ['far_away'], body = ''} = {}) {
  return makePlugin(folder.path, {
    name: `plugin-${owner}`,
    services: [
      {name: `tools:${owner}`, version: '1.0.0', scope: 'session', local: ['asked', 'become'], module: './source.js'},
    ],
    files: {
      'source.js': `import {provide, ToolError} from '@gemini-kernel/kernel';
export default provide('tools:${owner}', {version: '1.0.0', scope: 'session', create({changed}) {
  let names = ${JSON.stringify(names)};
  let asked = 0;
  const input = {type: 'object', required: ['q'], properties: {q: {type: 'string'}}};
  return {
    asked: () => asked,
    become(...next) { names = next; changed(); },
    async list() {
      asked += 1;
      ${body}
      return names.map((name) => ({name, description: 'Runs elsewhere.', effect: 'edit', input, server: '${owner}',
        output: {type: 'object', required: ['length']}}));
    },
    touches: async (name, {q}) => [{kind: 'path', value: '/' + q, access: 'write'}],
    preview: async (name, {q}) => ({kind: 'diff', path: '/' + q, before: '', after: q, diff: '+' + q}),
    revise: async (name, input, {text}) => ({q: text}),
    async run(name, {q}, {progress}) {
      progress({text: name});
      if (q === 'odd') return {model: 'odd', data: {}};
      return {model: q + ' from ${owner}', data: {length: q.length}};
    },
  };
}});`,
    },
  });
}

test('a tool of a source has all that a tool file has, and names its plugin [sources.tools]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeSource('docs')]});
  expect(await kernel.session.tools()).toMatchObject([{name: 'far_away', plugin: 'plugin-docs', server: 'docs'}]);
  const seen: unknown[] = [];
  const outcome = await kernel.session.call(
    {tool: 'far_away', input: {q: 'x'}},
    {
      onProgress: ({text}) => void seen.push(text),
      confirm: async ({preview, call}) => {
        seen.push(preview?.kind, call.touches);
        return {decision: 'yes', text: 'edited'};
      },
    },
  );
  expect(outcome).toMatchObject({status: 'done', confirmed: 'edited', result: {model: 'edited from docs'}});
  expect(seen).toEqual(['diff', [{kind: 'path', value: '/x', access: 'write'}], 'far_away']);
});

test('input and output of such a tool are held against what it declares [calls.runtime-tools]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeSource('docs')], confirm: 'yes'});
  expect(await kernel.call('far_away', {})).toMatchObject({status: 'failed', error: {code: 'TOOL_INPUT_INVALID'}});
  expect(await kernel.call('far_away', {q: 'odd'})).toMatchObject({
    status: 'failed',
    error: {message: 'far_away crashed: the data of the result lacks "length".'},
  });
});

test('a list is asked for once, and again when the source says that it changed [sources.changed]', async () => {
  const heard = await makePlugin(folder.path, {
    name: 'hearer',
    listeners: [{hook: 'sources:changed', module: './heard.js'}],
    files: {'heard.js': listenerCode('sources:changed', 'globalThis.hearSource(payload.source);')},
  });
  const announced = new Promise<unknown>((resolve) => Object.assign(globalThis, {hearSource: resolve}));
  await using kernel = await createTestKernel({plugins: [await makeSource('docs'), heard], confirm: 'yes'});
  const names = async (): Promise<readonly string[]> => (await kernel.session.tools()).map(({name}) => name);
  const source = (await kernel.session.service('tools:docs')) as Remote;
  expect([await names(), await names(), await kernel.call('far_away', {q: 'x'})]).toMatchObject([
    ['far_away'],
    ['far_away'],
    {status: 'done'},
  ]);
  expect(source.asked()).toBe(1);
  source.become('nearer', 'nearest');
  expect([await names(), await names(), source.asked()]).toEqual([['nearer', 'nearest'], ['nearer', 'nearest'], 2]);
  expect(await kernel.call('far_away', {q: 'x'})).toMatchObject({error: {code: 'TOOL_UNKNOWN'}});
  expect(await announced).toBe('tools:docs');
});

test('of two sources with a tool of one name the first keeps it, and that is said once [sources.clash]', async () => {
  await using kernel = await createTestKernel({
    plugins: [await makeSource('one'), await makeSource('two', {names: ['far_away', 'own']})],
    confirm: 'yes',
  });
  for (let round = 0; round < 3; round += 1)
    expect((await kernel.session.tools()).map(({name, plugin}) => `${name} ${plugin}`)).toEqual([
      'far_away plugin-one',
      'own plugin-two',
    ]);
  expect(await kernel.call('far_away', {q: 'x'})).toMatchObject({result: {model: 'x from one'}});
  expect(kernel.warnings).toEqual(['The tool far_away of plugin-two is left out: plugin-one has it.']);
});

test.each([
  ['throws', "throw new Error('no connection');", 'no connection'],
  ['lists what is not a tool', "return [{name: 'x'}];", 'the list.0 lacks "description".'],
  [
    'lists what is not JSON',
    "return [{name: 'x', description: '', effect: 'read', input: {}, run() {}}];",
    'list.0.run is a function, which is not JSON.',
  ],
])('a source that %s lists nothing, and the others do [sources.fault]', async (_, body, reason) => {
  await using kernel = await createTestKernel({
    plugins: [await makeSource('bad', {body}), await makeSource('good')],
  });
  expect((await kernel.session.tools()).map(({plugin}) => plugin)).toEqual(['plugin-good']);
  expect(await kernel.session.tools()).toHaveLength(1);
  expect(kernel.warnings).toEqual([expect.stringMatching(/^The tools of tools:bad \(plugin-bad\) are left out: /)]);
  expect(kernel.warnings[0]).toContain(reason);
});

test('a plugin reads the lists of a family, each kept until its source changes it [sources.lists]', async () => {
  const service = (name: string, module: string, more: object) => ({
    ...{name, version: '1.0.0', scope: 'session' as const, module},
    ...more,
  });
  const shed = await makePlugin(folder.path, {
    name: 'shed',
    services: [service('things:shed', './things.js', {local: ['asked', 'become']})],
    files: {
      'things.js': `import {provide} from '@gemini-kernel/kernel';
export default provide('things:shed', {version: '1.0.0', scope: 'session', create({changed}) {
  let [names, asked] = [['rake'], 0];
  return {asked: () => asked, become(...next) { names = next; changed(); },
    list: async () => (asked += 1, names.map((name) => ({name})))};
}});`,
    },
  });
  const reader = await makePlugin(folder.path, {
    name: 'reader',
    requires: {services: {'things:*': '^1'}},
    services: [service('reads-things', './reads.js', {})],
    files: {
      'reads.js': `import {provide} from '@gemini-kernel/kernel';
const item = {type: 'object', required: ['name'], properties: {name: {type: 'string'}}};
export default provide('reads-things', {version: '1.0.0', scope: 'session', create: ({sources}) => ({
  read: () => sources('things', item),
})});`,
    },
  });
  await using kernel = await createTestKernel({plugins: [shed, reader]});
  const [things, reads] = await Promise.all([
    kernel.session.service('things:shed'),
    kernel.session.service('reads-things'),
  ]);
  const listed = (...names: readonly string[]) => [
    {name: 'things:shed', plugin: 'shed', isOurs: true, items: names.map((name) => ({name}))},
  ];
  expect([await reads.read(), await reads.read(), things.asked()]).toEqual([listed('rake'), listed('rake'), 1]);
  things.become('hoe', 'spade');
  expect([await reads.read(), things.asked()]).toEqual([listed('hoe', 'spade'), 2]);
  things.become(5 as unknown as string);
  expect(await reads.read()).toEqual(listed());
  expect(kernel.notices).toMatchObject([{code: 'SOURCE_FAILED', sentence: expect.stringContaining('things:shed')}]);
});
