import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {createCatalog, includesCapability, type CatalogPlugin} from '@gemini-kernel/kernel/host';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

declare module '@gemini-kernel/kernel' {
  interface Services {
    opening: {tried(): Promise<readonly unknown[]>};
  }
}

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

let made = 0;

/** An installed plugin with one tool that touches what its input says. */
async function makeToucher(
  capabilities: readonly string[] | undefined,
  optional?: readonly string[],
): Promise<CatalogPlugin> {
  const name = `toucher-${(made += 1)}`;
  const code = `import {defineTool} from '@gemini-kernel/kernel';
export default defineTool({name: 'touch', description: 'Touches.', effect: 'other', input: {type: 'object'}, touches: async ({touches}) => touches, run: async ({asks}, {permits}) => ({model: JSON.stringify(asks ? await permits(asks) : 'ran')})});\n`;
  const tool = {
    name: 'touch',
    description: 'Touches.',
    effect: 'other' as const,
    annotations: {},
    input: {type: 'object'},
    module: './tool.js',
  };
  const {root, manifest} = await makePlugin(folder.path, {
    name,
    files: {'tool.js': code},
    tools: [tool],
    ...(capabilities ? {capabilities} : {}),
    ...(optional ? {optional} : {}),
  });
  return {root, origin: 'user', manifest};
}

const touch = {
  read: {kind: 'path', value: '/a', access: 'read'},
  write: {kind: 'path', value: '/a', access: 'write'},
  run: {kind: 'command', value: 'ls', access: 'run'},
  runWords: {kind: 'command', value: 'ls -l --color=never a/b', access: 'run'},
  runTwo: {kind: 'command', value: 'ls; rm a', access: 'run'},
  runInner: {kind: 'command', value: 'ls $(rm a)', access: 'run'},
  runAssigned: {kind: 'command', value: 'A=1 rm a', access: 'run'},
  port: {kind: 'url', value: 'https://api.corp.example:8443/x', access: 'read'},
  web: {kind: 'url', value: 'https://api.corp.example/x', access: 'read'},
} as const;

test.each([
  ['fs:read:/a', 'done'],
  ['fs:read:/a/**', 'done'],
  ['fs:read:/', 'failed'],
  ['fs:read:/ab', 'failed'],
  ['fs:write:/a', 'failed'],
  ['fs:read:/x/../a', 'failed'],
  ['fs:read:/*', 'failed'],
])(
  'the path of a capability is the path, or a folder above it: %s [capabilities.paths]',
  async (capability, status) => {
    await using kernel = await createTestKernel({plugins: [await makeToucher([capability])], confirm: 'yes'});
    const touches = [{kind: 'path', value: '/a', access: 'read'}];
    expect(await kernel.call('touch', {touches})).toMatchObject({status});
    const left = [{kind: 'path', value: '/a/../b', access: 'read'}];
    expect(await kernel.call('touch', {touches: left})).toMatchObject({status: 'failed'});
  },
);

test('a capability in the home is one of the home, and who forbids the kind forbids each path [capabilities.paths]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeToucher(['fs:write:~/notes'])], confirm: 'yes'});
  const touches = [{kind: 'path', value: join(kernel.home, 'notes', 'a'), access: 'write'}];
  expect(await kernel.call('touch', {touches})).toMatchObject({status: 'done'});
  expect(includesCapability('fs:write', 'fs:write:~/notes')).toBe(true);
  expect(includesCapability('fs:*', 'fs:write:~/notes')).toBe(true);
  expect(includesCapability('fs:read', 'fs:write:~/notes')).toBe(false);
  expect(includesCapability('fs:write:~/notes', 'fs:write')).toBe(false);
});

describe('a tool of an installed plugin touches only what its plugin declares [capabilities.touches]', () => {
  test.each<[readonly string[] | undefined, keyof typeof touch, string | undefined]>([
    [undefined, 'read', 'fs:read'],
    [['fs:read'], 'read', undefined],
    [['fs:read'], 'write', 'fs:write'],
    [['fs:read', 'fs:write'], 'run', 'process'],
    [['process'], 'run', undefined],
    [['net:other.example'], 'web', 'net:api.corp.example'],
    [['net:api.corp.example'], 'web', undefined],
    [['net:*.corp.example'], 'web', undefined],
    [['net:*'], 'web', undefined],
    [['net:api.corp.example:443'], 'web', undefined],
    [['net:api.corp.example:8443'], 'web', 'net:api.corp.example'],
    [['net:*.corp.example:8443'], 'port', undefined],
    [['net:api.corp.example:443'], 'port', 'net:api.corp.example'],
    [['net:api.corp.example'], 'port', undefined],
    [['run:ls'], 'run', undefined],
    [['run:cat'], 'run', 'process'],
    [['run:ls'], 'runWords', undefined],
    [['run:ls'], 'runTwo', 'process'],
    [['run:ls'], 'runInner', 'process'],
    [['run:A=1'], 'runAssigned', 'process'],
  ])('%j, and %s', async (capabilities, which, missing) => {
    await using kernel = await createTestKernel({plugins: [await makeToucher(capabilities)], confirm: 'yes'});
    const message: unknown = expect.stringContaining(`reaches for ${missing ?? ''}, which its plugin does not declare`);
    expect(await kernel.call('touch', {touches: [touch[which]]})).toMatchObject(
      missing === undefined ? {status: 'done'} : {status: 'failed', error: {code: 'CAPABILITY_UNDECLARED', message}},
    );
  });

  test('and what it finds only while it runs is held against the same', async () => {
    await using kernel = await createTestKernel({plugins: [await makeToucher(['fs:read'])], confirm: 'yes'});
    expect(await kernel.call('touch', {touches: [touch.read], asks: [touch.write]})).toMatchObject({
      status: 'failed',
      error: {code: 'CAPABILITY_UNDECLARED'},
    });
  });

  test('while a plugin of the product need not declare anything', async () => {
    const plugin = await makeToucher(undefined);
    await using kernel = await createTestKernel({plugins: [{...plugin, origin: 'core'}], confirm: 'yes'});
    expect((await kernel.call('touch', {touches: [touch.write]})).status).toBe('done');
  });
});

test('an optional capability is asked for once, right before the call runs [capabilities.optional]', async () => {
  const answers = [{granted: true}, {granted: false}, undefined];
  const listener = `import {listen} from '@gemini-kernel/kernel';
const answers = ${JSON.stringify(answers.map((one) => one ?? null))};
export default listen('capability:ask', {run: async (wish) => {
  globalThis.wishes = [...(globalThis.wishes ?? []), wish];
  return answers.shift() ?? undefined;
}});\n`;
  const asker = await makePlugin(folder.path, {
    name: 'asker',
    listeners: [{hook: 'capability:ask', module: './ask.js'}],
    files: {'ask.js': listener},
  });
  const toucher = await makeToucher(['fs:read'], ['fs:write', 'net:*.corp.example']);
  await using kernel = await createTestKernel({plugins: [asker, toucher], confirm: 'yes'});
  const call = () => kernel.call('touch', {touches: [touch.read, touch.write, touch.write]});
  expect(await call()).toMatchObject({status: 'done', result: {model: '"ran"'}});
  for (const _ of [1, 2]) expect(await call()).toMatchObject({status: 'failed', error: {code: 'CAPABILITY_REFUSED'}});
  const {name: plugin} = toucher.manifest;
  const {wishes} = globalThis as unknown as {wishes: object[]};
  expect(wishes).toEqual(
    answers.map(() => ({
      ...{plugin, capability: 'fs:write', tool: 'touch', touch: touch.write},
      call: expect.any(String),
    })),
  );
  // What it finds while it runs is asked for too, and what it does not declare at all is not.
  const later = {touches: [touch.read], asks: [touch.web]};
  expect(await kernel.call('touch', later)).toMatchObject({error: {code: 'CAPABILITY_REFUSED'}});
  expect(wishes).toHaveLength(3);
  expect(await kernel.call('touch', {touches: [touch.run]})).toMatchObject({error: {code: 'CAPABILITY_UNDECLARED'}});
});

test('where no one answers, an optional capability is not there [capabilities.optional]', async () => {
  const toucher = await makeToucher([], ['fs:read']);
  await using kernel = await createTestKernel({plugins: [toucher], confirm: 'yes'});
  expect(await kernel.call('touch', {touches: [touch.read]})).toMatchObject({error: {code: 'CAPABILITY_REFUSED'}});
});

test('a host without a port includes each port, and one with a port only that [capabilities.paths]', () => {
  expect(includesCapability('net:a.example', 'net:a.example:8443')).toBe(true);
  expect(includesCapability('net:A.example.:8443', 'net:a.example:8443')).toBe(true);
  expect(includesCapability('net:a.example:8443', 'net:a.example')).toBe(false);
  expect(includesCapability('net:a.example:8443', 'net:a.example:443')).toBe(false);
  expect(includesCapability('net:*.example:8443', 'net:a.example:8443')).toBe(true);
  expect(includesCapability('net:[::1]', 'net:[::1]:80')).toBe(true);
  expect(includesCapability('process', 'run:git')).toBe(true);
  expect(includesCapability('run:git', 'process')).toBe(false);
});

test('a service that stands for a capability is given only to a plugin that declares it [capabilities.services]', async () => {
  const service = {name: 'wire', version: '1.0.0', scope: 'place' as const, capability: 'net', module: './wire.js'};
  const provider = await makePlugin(folder.path, {name: 'provider', services: [service]});
  const users = await Promise.all(
    [
      ['shy', undefined],
      ['open', ['net:a.example']],
    ].map(([name, capabilities]) =>
      makePlugin(folder.path, {
        name: name as string,
        requires: {services: {wire: '^1'}},
        ...(capabilities ? {capabilities: capabilities as string[]} : {}),
      }),
    ),
  );
  const {refused, plugins} = createCatalog([
    {...provider, origin: 'core'},
    ...users.map((user) => ({...user, origin: 'user' as const})),
  ]);
  expect({refused: refused.map(({name, reason}) => [name, reason]), loaded: [...plugins.keys()]}).toEqual({
    refused: [['shy', 'it needs the service wire, for which it must declare the capability net']],
    loaded: ['provider', 'open'],
  });
});

test('a reserved service is given only to plugins of the product [services.reserved]', async () => {
  const service = {name: 'seat', version: '1.0.0', scope: 'place' as const, reserved: true, module: './seat.js'};
  const provider = await makePlugin(folder.path, {name: 'host', services: [service]});
  const [ours, theirs] = await Promise.all(
    [{services: {seat: '^1'}}, {services: {}, optional: {seat: '^1'}}].map((requires, index) =>
      makePlugin(folder.path, {name: `guest-${index}`, requires}),
    ),
  );
  const core = [provider, ours].flatMap((one) => (one ? [{...one, origin: 'core' as const}] : []));
  const {refused, plugins} = createCatalog([...core, ...(theirs ? [{...theirs, origin: 'user' as const}] : [])]);
  expect([refused.map(({name, reason}) => [name, reason]), [...plugins.keys()]]).toEqual([
    [['guest-1', 'it needs the service seat, which only plugins of the product may use']],
    ['host', 'guest-0'],
  ]);
});

test('in a session that it opens, an installed plugin neither answers for a person nor looks further [services.reserved]', async () => {
  const service = (name: string) => ({name, version: '1.0.0', scope: 'session' as const, module: `./${name}.js`});
  const input = {type: 'object' as const};
  const tool = {name: 'act', effect: 'edit' as const, description: 'x', annotations: {}, input, module: './act.js'};
  const guest = await makePlugin(folder.path, {
    name: 'opener',
    services: [service('opening')],
    tools: [tool],
    files: {
      'opening.js':
        "import {provide} from '@gemini-kernel/kernel';\nexport default provide('opening', {version: '1.0.0', scope: " +
        "'session', create: ({open}) => ({async tried() { const session = open(); const outcome = await " +
        "session.call({tool: 'act', input: {}}, {asker: 'person', confirm: async () => ({decision: 'yes'})}); " +
        "const found = await session.service('hidden', 'host').catch(({code}) => code); " +
        'return [outcome.status, found, Object.hasOwn(session, "callFor")]; }})});\n',
      'act.js':
        "import {defineTool} from '@gemini-kernel/kernel';\nexport default defineTool({name: 'act', effect: 'edit', " +
        "description: 'x', input: {type: 'object'}, touches: async () => [], run: async () => ({model: 'done'})});\n",
    },
  });
  const host = await makePlugin(folder.path, {
    name: 'host',
    services: [service('hidden')],
    files: {
      'hidden.js':
        "import {provide} from '@gemini-kernel/kernel';\nexport default provide('hidden', {version: '1.0.0', scope: " +
        "'session', create: () => ({})});\n",
    },
  });
  await using kernel = await createTestKernel({
    plugins: [
      {...host, origin: 'core'},
      {...guest, origin: 'user'},
    ],
    confirm: 'no',
  });
  expect(await (await kernel.service('opening')).tried()).toEqual(['refused', 'SERVICE_UNDECLARED', false]);
});

test('of the environment an installed plugin is shown the variables that it declares [capabilities.env]', async () => {
  const code = (name: string): string =>
    `import {provide} from '@gemini-kernel/kernel';\nexport default provide('${name}', {version: '1.0.0', scope: ` +
    `'place', create: ({environment}) => ({see: async () => Object.keys(environment.variables).sort()})});\n`;
  const service = (name: string) => ({name, version: '1.0.0', scope: 'place' as const, module: './see.js'});
  const [declared, own] = [
    await makePlugin(folder.path, {
      name: 'declared',
      files: {'see.js': code('seen')},
      services: [service('seen')],
      capabilities: ['env:PATH', 'env:NOT_SET'],
    }),
    await makePlugin(folder.path, {name: 'own', files: {'see.js': code('all')}, services: [service('all')]}),
  ];
  await using kernel = await createTestKernel({
    plugins: [
      {...declared, origin: 'user'},
      {...own, origin: 'core'},
    ],
    variables: {PATH: '/bin', TOKEN: 'secret'},
  });
  const see = async (name: string): Promise<unknown> =>
    ((await kernel.service(name as never)) as unknown as {see(): Promise<unknown>}).see();
  expect([await see('seen'), await see('all')]).toEqual([['PATH'], ['PATH', 'TOKEN']]);
});

test('a service of the program that a person installed has no variables either [places.program]', async () => {
  const code =
    `import {provide} from '@gemini-kernel/kernel';\nexport default provide('engine', {version: '1.0.0', scope: ` +
    `'program', create: ({environment}) => ({see: async () => Object.keys(environment).includes('variables')})});\n`;
  const engine = await makePlugin(folder.path, {
    name: 'engine',
    files: {'see.js': code},
    services: [{name: 'engine', version: '1.0.0', scope: 'program', module: './see.js'}],
    capabilities: ['env:PATH'],
  });
  await using kernel = await createTestKernel({plugins: [{...engine, origin: 'user'}], variables: {PATH: '/bin'}});
  const service = (await kernel.service('engine' as never)) as unknown as {see(): Promise<boolean>};
  expect(await service.see()).toBe(false);
});

describe('a tool of the product is replaced [tools.replaced]', () => {
  const tool = (effect: 'read' | 'execute') => ({
    name: 'read_it',
    description: 'Reads.',
    effect,
    annotations: {},
    input: {type: 'object'},
    module: './tool.js',
  });
  const make = async (
    name: string,
    origin: CatalogPlugin['origin'],
    {effect = 'read', replaces}: {effect?: 'read' | 'execute'; replaces?: readonly string[]} = {},
  ): Promise<CatalogPlugin> => {
    const {root, manifest} = await makePlugin(folder.path, {name: `${name}-${(made += 1)}`, tools: [tool(effect)]});
    return {root, manifest, origin, ...(replaces ? {replaces} : {})};
  };

  test.each<[string, Parameters<typeof make>[2], boolean]>([
    ['by a plugin that the person let do so', {replaces: ['read_it']}, true],
    ['never by one that no one was asked about', {}, false],
    ['never by one that does more than the tool it stands in for', {replaces: ['read_it'], effect: 'execute'}, false],
  ])('%s', async (_, parts, isReplaced) => {
    const [own, other] = [await make('own', 'core'), await make('other', 'user', parts)];
    const {tools, refused} = createCatalog([own, other]);
    expect({
      plugin: tools.get('read_it')?.plugin,
      replaces: tools.get('read_it')?.replaces,
      refused: refused.length,
    }).toEqual(
      isReplaced
        ? {plugin: other.manifest.name, replaces: own.manifest.name, refused: 0}
        : {plugin: own.manifest.name, replaces: undefined, refused: 1},
    );
  });

  test('by one plugin at most, and never one installed plugin by another', async () => {
    const [own, first, second] = [
      await make('own', 'core'),
      await make('first', 'user', {replaces: ['read_it']}),
      await make('second', 'user', {replaces: ['read_it']}),
    ];
    const {tools, refused} = createCatalog([own, first, second]);
    expect([tools.get('read_it')?.plugin, refused.map(({name}) => name)]).toEqual([
      first.manifest.name,
      [second.manifest.name],
    ]);
  });
});

describe('a kernel continues with another catalog [plugins.reload]', () => {
  async function makeCounter(name: string, says: string): Promise<CatalogPlugin> {
    const code =
      `import {provide} from '@gemini-kernel/kernel';\nexport default provide('counter', {version: '1.0.0', scope: ` +
      `'session', create: () => ({says: async () => '${says}'}), dispose: () => { globalThis.disposedCounters = ` +
      `[...(globalThis.disposedCounters ?? []), '${says}']; }});\n`;
    const {root, manifest} = await makePlugin(folder.path, {
      name,
      files: {'counter.js': code},
      services: [{name: 'counter', version: '1.0.0', scope: 'session', module: './counter.js'}],
    });
    return {root, manifest, origin: 'link'};
  }
  async function makeUser(): Promise<CatalogPlugin> {
    const code =
      `import {provide} from '@gemini-kernel/kernel';\nexport default provide('user', {version: '1.0.0', scope: ` +
      `'session', async create({service}) { const counter = await service('counter'); return {says: () => ` +
      `counter.says()}; }});\n`;
    const {root, manifest} = await makePlugin(folder.path, {
      name: 'user',
      files: {'user.js': code},
      services: [{name: 'user', version: '1.0.0', scope: 'session', module: './user.js'}],
      requires: {services: {counter: '^1'}},
    });
    return {root, manifest, origin: 'core'};
  }
  const disposed = (): unknown => (globalThis as {disposedCounters?: unknown}).disposedCounters;

  test('with new services for those of plugins that changed, and for what was created with them', async () => {
    const user = await makeUser();
    const [old, fresh] = [await makeCounter('counter', 'old'), await makeCounter(join('counter-fresh'), 'fresh')];
    await using kernel = await createTestKernel({plugins: [old, user]});
    const says = async (): Promise<string> =>
      ((await kernel.service('user' as never)) as unknown as {says(): Promise<string>}).says();
    const before = await says();
    await kernel.kernel.replace(createCatalog([{...fresh, manifest: {...fresh.manifest, name: 'counter'}}, user]));
    expect([before, await says(), disposed()]).toEqual(['old', 'fresh', ['old']]);
  });

  test('only when no call is running', async () => {
    let finish = (): void => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    Object.assign(globalThis, {heldCall: gate});
    const code =
      `import {defineTool} from '@gemini-kernel/kernel';\nexport default defineTool({name: 'hold', description: ` +
      `'Holds.', effect: 'other', input: {type: 'object'}, run: async (_, {progress}) => { progress({text: ` +
      `'held'}); await globalThis.heldCall; return {model: 'held'}; }});\n`;
    const {root, manifest} = await makePlugin(folder.path, {
      name: 'holder',
      files: {'tool.js': code},
      tools: [
        {
          name: 'hold',
          description: 'Holds.',
          effect: 'other',
          annotations: {},
          input: {type: 'object'},
          module: './tool.js',
        },
      ],
    });
    await using test = await createTestKernel({plugins: [{root, manifest, origin: 'core'}]});
    const order: string[] = [];
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const call = test.session
      .call({tool: 'hold', input: {}}, {confirm: async () => ({decision: 'yes'}), onProgress: () => started()})
      .then(({status}) => order.push(status));
    await running;
    const replaced = test.kernel.replace(createCatalog([])).then(() => order.push('replaced'));
    order.push(String(test.kernel.catalog.tools.size));
    finish();
    await Promise.all([call, replaced]);
    expect([order, test.kernel.catalog.tools.size]).toEqual([['1', 'done', 'replaced'], 0]);
  });

  test('only when no act is running that needs one catalog [plugins.reload]', async () => {
    await using test = await createTestKernel({plugins: [await makeCounter('counter-held', 'held')]});
    const order: string[] = [];
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const {kernel} = test;
    const act = kernel.during(async () => {
      order.push(String(kernel.catalog.plugins.size));
      await held;
      order.push(String(kernel.catalog.plugins.size));
    });
    const replaced = kernel.replace(createCatalog([])).then(() => order.push('replaced'));
    finish();
    await Promise.all([act, replaced]);
    expect(order).toEqual(['1', '1', 'replaced']);
    await kernel.during(async () => order.push(String(kernel.catalog.plugins.size)));
    expect(order.at(-1)).toBe('0');
  });
});
