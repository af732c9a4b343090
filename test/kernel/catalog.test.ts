import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {createCatalog, type CatalogPlugin, type Manifest} from '@gemini-kernel/kernel/host';
import {makeFolder, makePlugin, type Folder, type PluginParts} from '../helpers/make-plugin.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const tool = (name: string): Manifest['tools'][number] => ({
  name,
  description: 'For a test.',
  effect: 'read',
  annotations: {},
  input: {type: 'object'},
  module: './tool.js',
});
const service = (name: string, version = '1.0.0'): Manifest['services'][number] => ({
  name,
  version,
  scope: 'place',
  module: './service.js',
});
const command = (id: string, aliases: readonly string[] = []): Manifest['commands'][number] => ({
  id,
  aliases,
  summary: 'For a test.',
  slash: false,
  module: './command.js',
});

/** What the catalog makes of some plugins: the names it lets in, and why it leaves the others out. */
async function judge(
  ...parts: readonly PluginParts[]
): Promise<{in: readonly string[]; out: Readonly<Record<string, string>>}> {
  const plugins: CatalogPlugin[] = await Promise.all(parts.map((part) => makePlugin(folder.path, part)));
  const {plugins: admitted, refused} = createCatalog(plugins);
  return {in: [...admitted.keys()], out: Object.fromEntries(refused.map(({name, reason}) => [name, reason]))};
}

test('plugins that fit together are all in', async () => {
  expect(
    await judge({name: 'a', services: [service('thing')]}, {name: 'b', requires: {services: {thing: '^1'}}}),
  ).toEqual({in: ['a', 'b'], out: {}});
});

const faults: readonly [string, readonly PluginParts[], Readonly<Record<string, string>>][] = [
  ['has the name of an earlier one', [{name: 'a'}, {name: 'a'}], {a: 'its name a is already provided by a'}],
  [
    'has a tool of an earlier one',
    [
      {name: 'a', tools: [tool('read')]},
      {name: 'b', tools: [tool('read')]},
    ],
    {b: 'its tool read is already provided by a'},
  ],
  [
    'has a service of an earlier one',
    [
      {name: 'a', services: [service('x')]},
      {name: 'b', services: [service('x')]},
    ],
    {b: 'its service x is already provided by a'},
  ],
  [
    'has a command of an earlier one',
    [
      {name: 'a', commands: [command('do:it')]},
      {name: 'b', commands: [command('other', ['do:it'])]},
    ],
    {b: 'its command do it is already provided by a'},
  ],
  [
    'has a hook of the kernel',
    [{name: 'b', hooks: [{name: 'tool:judge', kind: 'notify', description: 'Mine.'}]}],
    {b: 'its hook tool:judge is already provided by kernel'},
  ],
  [
    'listens to an unowned hook',
    [{name: 'b', listeners: [{hook: 'tool:jugde', module: './l.js'}]}],
    {b: 'it listens to tool:jugde, which no plugin owns'},
  ],
  [
    'filters by what the hook does not offer',
    [{name: 'b', listeners: [{hook: 'session:open', module: './l.js', filter: {tool: 'x'}}]}],
    {b: 'its listener to session:open has a bad filter: the hook does not offer "tool" to filters (it offers mode)'},
  ],
  [
    'has a filter with unbalanced braces',
    [{name: 'b', listeners: [{hook: 'tool:judge', module: './l.js', filter: {path: '/{a'}}]}],
    {b: 'its listener to tool:judge has a bad filter: a pattern has unbalanced braces'},
  ],
  [
    'needs a service that is not there',
    [{name: 'b', requires: {services: {gone: '^1'}}}],
    {b: 'it needs the service gone ^1, which no plugin provides'},
  ],
  [
    'needs another version of a service',
    [
      {name: 'a', services: [service('x', '2.1.0')]},
      {name: 'b', requires: {services: {x: '^1'}}},
    ],
    {b: 'it needs the service x ^1, but a provides 2.1.0'},
  ],
];

test.each(faults)('a plugin is left out with the reason when it %s', async (_, parts, out) => {
  expect((await judge(...parts, {name: 'other'})).out).toEqual(out);
  expect((await judge(...parts, {name: 'other'})).in).toContain('other');
});

test('a plugin that others require takes with it only those that need it', async () => {
  const parts = [
    {name: 'base', services: [service('base')], listeners: [{hook: 'missing:hook', module: './l.js'}]},
    {name: 'middle', services: [service('middle')], requires: {services: {base: '^1'}}},
    {name: 'top', requires: {services: {middle: '^1'}}},
    {name: 'other'},
  ];
  expect(await judge(...parts)).toEqual({
    in: ['other'],
    out: {
      base: 'it listens to missing:hook, which no plugin owns',
      middle: 'it needs the service base ^1, which no plugin provides',
      top: 'it needs the service middle ^1, which no plugin provides',
    },
  });
});

test('of listeners that want to be before each other the last to come is left out, naming the circle', async () => {
  const listener = (before: string) => [{hook: 'tool:judge', module: './l.js', before: [before]}];
  expect(
    await judge(
      {name: 'a', listeners: listener('b')},
      {name: 'b', listeners: listener('a')},
      {name: 'c', listeners: listener('a')},
    ),
  ).toEqual({
    in: ['a', 'c'],
    out: {b: 'its place among the listeners of tool:judge goes round in a circle (a, b)'},
  });
});

test('a plugin cannot push out a judge before it, nor who only follows that judge, by closing a circle around it', async () => {
  const judgeAt = (order: object) => [{hook: 'tool:judge', module: './l.js', ...order}];
  expect(
    await judge(
      {name: 'policy', listeners: judgeAt({})},
      {name: 'offender', listeners: judgeAt({before: ['policy'], after: ['policy']})},
      {name: 'bystander', listeners: judgeAt({after: ['policy']})},
    ),
  ).toEqual({
    in: ['policy', 'bystander'],
    out: {offender: 'its place among the listeners of tool:judge goes round in a circle (offender, policy)'},
  });
});

test('a clash with a plugin that is itself left out does not count', async () => {
  expect(
    await judge(
      {name: 'gone', tools: [tool('read')], requires: {services: {nowhere: '^1'}}},
      {name: 'fine', tools: [tool('read')]},
    ),
  ).toEqual({
    in: ['fine'],
    out: {gone: 'it needs the service nowhere ^1, which no plugin provides'},
  });
});

test('a plugin that has one thing twice is left out', async () => {
  expect((await judge({name: 'double', tools: [tool('read'), tool('read')]})).out).toEqual({
    double: 'it has its tool read twice',
  });
});

test('listeners stand in the order of their phases, then of their constraints, then of their names [hooks.order]', async () => {
  const plugins = await Promise.all(
    [
      {name: 'd', phase: 'post'},
      {name: 'a', phase: 'normal', after: ['b']},
      {name: 'c', phase: 'pre'},
      {name: 'b'},
      {name: 'e', before: ['b']},
    ].map(({name, ...rest}) =>
      makePlugin(folder.path, {
        name,
        listeners: [{hook: 'tool:judge', module: './l.js', ...rest} as Manifest['listeners'][number]],
      }),
    ),
  );
  expect(
    createCatalog(plugins)
      .listeners.get('tool:judge')
      ?.map(({plugin}) => plugin),
  ).toEqual(['c', 'e', 'b', 'a', 'd']);
});

test('an error code stands for the exit code that its plugin gives it, and for 1 otherwise', async () => {
  const plugin = await makePlugin(folder.path, {
    name: 'a',
    errors: {THING_LOST: {when: 'It is lost.', exit: 42}, THING_ODD: {when: 'It is odd.'}},
  });
  const {exitCodeOf} = createCatalog([plugin]);
  expect(['THING_LOST', 'THING_ODD', 'GUARDS_UNPROVEN', 'NEVER_HEARD'].map(exitCodeOf)).toEqual([42, 1, 52, 1]);
});

test('a command may not take words from another, nor the place of a command or flag of the host', async () => {
  const plugins = await Promise.all(
    [
      {name: 'tools', commands: [command('tools:call')]},
      {name: 'taker', origin: 'user' as const, commands: [command('tools:call:read_file')]},
      {name: 'host-taker', commands: [command('plugins:install')]},
      {name: 'beside', commands: [command('plugins:build'), command('tools:call:twice')]},
      {name: 'below-host', origin: 'user' as const, commands: [command('plugins:install:words')]},
      {name: 'flagger', flags: [{name: 'json', description: 'Mine.', type: 'boolean' as const, setting: 'a.b'}]},
    ].map((part) => makePlugin(folder.path, part)),
  );
  const {plugins: admitted, refused} = createCatalog(plugins, {host: {commands: ['plugins', 'plugins:install']}});
  expect([[...admitted.keys()], Object.fromEntries(refused.map(({name, reason}) => [name, reason]))]).toEqual([
    ['tools', 'beside'],
    {
      taker: 'its command tools call read_file would take words from the command tools call of tools',
      'below-host': 'its command plugins install words would take words from the command plugins of kernel',
      'host-taker': 'its command plugins install is already provided by kernel',
      flagger: 'its flag --json is already provided by kernel',
    },
  ]);
});
