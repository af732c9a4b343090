import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {CatalogPlugin, ListenerEntry} from '@gemini-kernel/kernel/host';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

declare module '@gemini-kernel/kernel' {
  interface Services {
    far: {both(a: string, b: string): Promise<unknown>};
    asking: {call(tool: string): Promise<unknown>};
  }
}

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const allow: ListenerEntry = {hook: 'tool:judge', module: './judge.js'};

/** Tools that change things, each by the body given; every one notes when it begins and ends. */
function makeTools(bodies: Readonly<Record<string, string>>, rest: Partial<CatalogPlugin['manifest']> = {}) {
  const tools = Object.keys(bodies);
  return makePlugin(folder.path, {
    name: 'writer',
    tools: tools.map((name) => ({
      name,
      description: 'Changes something.',
      effect: 'edit',
      annotations: {},
      input: {type: 'object'},
      module: `./${name}.js`,
    })),
    services: [
      {name: 'near', version: '1.0.0', scope: 'session', module: './near.js'},
      {name: 'far', version: '1.0.0', scope: 'session', module: './far.js'},
    ],
    listeners: [allow, ...(rest.listeners ?? [])],
    files: {
      'judge.js': listenerCode('tool:judge', "return {decision: 'allow', reason: 'It is a test.'};"),
      'near.js': `import {provide} from '@gemini-kernel/kernel';
export default provide('near', {version: '1.0.0', scope: 'session', create: ({tools, service}) => ({
  call: (tool) => tools.call({tool, input: {}}),
  callFar: async (tool) => (await service('far')).call(tool),
})});`,
      'far.js': `import {provide} from '@gemini-kernel/kernel';
export default provide('far', {version: '1.0.0', scope: 'session', create: ({tools}) => ({
  call: (tool) => tools.call({tool, input: {}}),
  both: (a, b) => Promise.all([tools.call({tool: a, input: {}}), tools.call({tool: b, input: {}})]),
})});`,
      'wrap.js': listenerCode(
        'tool:run',
        "await (await context.service('near')).call('inner'); return context.next();",
      ),
      ...Object.fromEntries(
        Object.entries(bodies).map(([name, body]) => [
          `${name}.js`,
          `import {defineTool} from '@gemini-kernel/kernel';
const log = (globalThis.nestedLog ??= []);
export default defineTool({name: '${name}', description: '', effect: 'edit', input: {type: 'object'},
  async run(input, {service, tools}) {
    log.push('${name} begins');
    ${body}
    log.push('${name} ends');
    return {model: '${name}'};
  }});`,
        ]),
      ),
    },
  });
}

const log = (): string[] => ((globalThis as {nestedLog?: string[]}).nestedLog ??= []);

test.each([
  ['its service', "await (await service('near')).call('inner');"],
  ['a service of its service', "await (await service('near')).callFar('inner');"],
  ['its own context', "await tools.call({tool: 'inner', input: {}});"],
])('a tool that changes things calls another by %s, and neither waits for itself [calls.nested]', async (_, body) => {
  log().splice(0);
  await using kernel = await createTestKernel({plugins: [await makeTools({outer: body, inner: ''})]});
  expect(await kernel.call('outer', {})).toMatchObject({status: 'done'});
  expect(log()).toEqual(['outer begins', 'inner begins', 'inner ends', 'outer ends']);
});

test('what stands around a call may make calls that change things, in the turn of that call [calls.nested]', async () => {
  log().splice(0);
  const around: ListenerEntry = {hook: 'tool:run', module: './wrap.js', filter: {tool: 'outer'}};
  await using kernel = await createTestKernel({
    plugins: [await makeTools({outer: '', inner: ''}, {listeners: [around]})],
  });
  expect(await kernel.call('outer', {})).toMatchObject({status: 'done'});
  expect(log()).toEqual(['inner begins', 'inner ends', 'outer begins', 'outer ends']);
});

test('calls that one call makes at once run one after the other, within its turn [calls.nested]', async () => {
  log().splice(0);
  const pause = "await new Promise((resolve) => setImmediate(() => resolve('a turn of the loop')));";
  await using kernel = await createTestKernel({
    plugins: [
      await makeTools({outer: "await (await service('far')).both('inner', 'other');", inner: pause, other: pause}),
    ],
  });
  const [first] = await Promise.all([kernel.call('outer', {}), kernel.call('inner', {})]);
  expect(first).toMatchObject({status: 'done'});
  const pairs = ['inner', 'other', 'inner'].flatMap((name) => [`${name} begins`, `${name} ends`]);
  expect(log()).toEqual(['outer begins', ...pairs.slice(0, 4), 'outer ends', ...pairs.slice(4)]);
});

test('calls of a service that no running call was given wait for their turn [calls.nested]', async () => {
  log().splice(0);
  const pause = "await new Promise((resolve) => setImmediate(() => resolve('a turn of the loop')));";
  await using kernel = await createTestKernel({plugins: [await makeTools({outer: pause, inner: pause})]});
  const far = await kernel.session.service('far');
  await far.both('outer', 'inner');
  expect(log()).toEqual(['outer begins', 'outer ends', 'inner begins', 'inner ends']);
});

const asking = (plugin: string, origin: 'core' | 'user'): ReturnType<typeof makePlugin> =>
  makePlugin(folder.path, {
    name: plugin,
    origin,
    services: [{name: 'asking', version: '1.0.0', scope: 'session', module: './asking.js'}],
    files: {
      'asking.js': `import {provide} from '@gemini-kernel/kernel';
export default provide('asking', {version: '1.0.0', scope: 'session', create: ({tools}) => ({
  call: (tool) => tools.call({tool, input: {}}, {asker: 'person', confirm: async () => ({decision: 'yes'})}),
})});`,
    },
  });

test.each([
  ['core', 'ask', 'done'],
  ['core', 'deny', 'refused'],
  ['user', 'ask', 'refused'],
] as const)(
  'a call that a plugin of origin %s says a person asked for, where rules say %s, is %s [calls.asker]',
  async (origin, decision, status) => {
    const judge = await makePlugin(folder.path, {
      name: 'judge',
      listeners: [{hook: 'tool:judge', module: './judge.js'}],
      tools: [
        {name: 'act', description: '', effect: 'edit', annotations: {}, input: {type: 'object'}, module: './act.js'},
      ],
      files: {
        'judge.js': listenerCode('tool:judge', `return {decision: '${decision}', reason: 'It is a test.'};`),
        'act.js': `import {defineTool} from '@gemini-kernel/kernel';
export default defineTool({name: 'act', description: '', effect: 'edit', input: {}, run: async () => ({model: ''})});`,
      },
    });
    await using kernel = await createTestKernel({plugins: [judge, await asking('asker', origin)]});
    expect(await (await kernel.session.service('asking')).call('act')).toMatchObject({status});
  },
);

test('an input that is not JSON fails its call, also where others hear of the end [calls.json]', async () => {
  const hearer = await makePlugin(folder.path, {
    name: 'hearer',
    listeners: [{hook: 'tool:end', module: './heard.js'}],
    files: {'heard.js': listenerCode('tool:end', 'globalThis.heardEnd = payload.given;')},
  });
  await using kernel = await createTestKernel({plugins: [await makeTools({outer: ''}), hearer]});
  expect(await kernel.call('outer', {when: new Date(0)})).toMatchObject({error: {code: 'TOOL_INPUT_INVALID'}});
  expect((globalThis as {heardEnd?: unknown}).heardEnd).toBe(
    'input.when is an object of the kind Date, which is not JSON.',
  );
});
