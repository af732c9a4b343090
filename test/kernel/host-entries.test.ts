import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {provide} from '@gemini-kernel/kernel';
import {boot, createCatalog, type CatalogPlugin, type HostEntries} from '@gemini-kernel/kernel/host';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

declare module '@gemini-kernel/kernel' {
  interface Services {
    weather: {ask(): Promise<string>};
    report: {read(): Promise<string>};
  }
}

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const host: Partial<HostEntries> = {
  services: [
    {name: 'weather', version: '1.2.0', scope: 'program', module: 'weather'},
    {name: 'vault', version: '1.0.0', scope: 'program', module: 'vault', reserved: true},
  ],
  errors: {WEATHER_BAD: {when: 'It rains.', exit: 42}},
};

const requiring = (
  name: string,
  origin: CatalogPlugin['origin'],
  requires: CatalogPlugin['manifest']['requires'],
): Promise<CatalogPlugin> => makePlugin(folder.path, {name, origin, requires});

test('a plugin is given a service that its host provides, once it requires it [host.services]', async () => {
  const code = (name: string): string =>
    `import {provide} from '@gemini-kernel/kernel';\nexport default provide('${name}', {version: '1.0.0', ` +
    "scope: 'session', create: ({service}) => ({read: async () => (await service('weather')).ask()})});\n";
  const reporter = (name: string, services: Readonly<Record<string, string>>): Promise<CatalogPlugin> =>
    makePlugin(folder.path, {
      name: `the-${name}`,
      requires: {services},
      services: [{name, version: '1.0.0', scope: 'session', module: './service.js'}],
      files: {'service.js': code(name)},
    });
  const weather = provide('weather', {version: '1.2.0', scope: 'program', create: () => ({ask: async () => 'sun'})});
  await using kernel = await createTestKernel({
    plugins: [await reporter('report', {weather: '^1'}), await reporter('other-report', {})],
    services: [weather],
  });
  expect(await (await kernel.service('report')).read()).toBe('sun');
  const other = (await kernel.service('other-report' as 'report')).read();
  await expect(other).rejects.toMatchObject({code: 'SERVICE_UNDECLARED'});
});

test('what a host keeps for the product no installed plugin may require, in whatever way [host.services]', async () => {
  const plugins = await Promise.all([
    requiring('ours', 'core', {services: {vault: '^1', weather: '^1'}}),
    requiring('guest', 'user', {services: {weather: '^1.1'}}),
    requiring('thief', 'user', {services: {vault: '^1'}}),
    requiring('sly', 'link', {services: {}, optional: {vault: '^1'}}),
    requiring('late', 'core', {services: {weather: '^2'}}),
  ]);
  const {plugins: admitted, refused} = createCatalog(plugins, {host});
  expect([[...admitted.keys()], Object.fromEntries(refused.map(({name, reason}) => [name, reason]))]).toEqual([
    ['ours', 'guest'],
    {
      thief: 'it needs the service vault, which only plugins of the product may use',
      sly: 'it needs the service vault, which only plugins of the product may use',
      late: 'it needs the service weather ^2, but kernel provides 1.2.0',
    },
  ]);
});

test('no plugin takes the place of a service of the host, and its codes end a command as it says', async () => {
  const service = {name: 'weather', version: '1.2.0', scope: 'program' as const, module: './service.js'};
  const taker = await makePlugin(folder.path, {name: 'taker', services: [service]});
  const {refused, exitCodeOf} = createCatalog([taker], {host});
  expect(refused).toEqual([
    {name: 'taker', root: taker.root, reason: 'its service weather is already provided by kernel'},
  ]);
  expect(exitCodeOf('WEATHER_BAD')).toBe(42);
});

test('where plugins are kept, and which bundles are in force, only plugins of the product learn', async () => {
  const {hostServices} = await import('#bin/dist/host-services.js');
  const names = hostServices.map(({name}) => name);
  const all = Object.fromEntries(names.map((name) => [name, '^1']));
  const [ours, guest] = [
    await requiring('ours', 'core', {services: all}),
    await requiring('guest', 'user', {services: {}, optional: all}),
  ];
  const {plugins, refused} = createCatalog([ours, guest], {host: {services: hostServices}});
  expect({names, admitted: [...plugins.keys()], refused: refused.map(({name}) => name)}).toEqual({
    names: ['installs', 'bundles'],
    admitted: ['ours'],
    refused: ['guest'],
  });
});

test('what a host advises by code follows what the kernel advises [host.hints]', async () => {
  const tool = {description: 'For a test.', effect: 'read' as const, annotations: {}, input: {type: 'object'}};
  const allow = listenerCode('tool:judge', "return {decision: 'allow', reason: 'A test.'};");
  const plugins = await Promise.all([
    makePlugin(folder.path, {
      name: 'wrapper',
      tools: [{...tool, name: 'wrapped', module: './tool.js'}],
      listeners: [
        {hook: 'tool:judge', module: './judge.js'},
        {hook: 'tool:run', filter: {tool: 'wrapped'}, module: './run.js'},
      ],
      files: {
        'judge.js': allow,
        'run.js': listenerCode('tool:run', "throw new Error('boom');"),
        'tool.js':
          "import {defineTool} from '@gemini-kernel/kernel';\nexport default defineTool({name: 'wrapped', " +
          "description: 'For a test.', effect: 'read', input: {type: 'object'}, run: async () => ({model: ''})});\n",
      },
    }),
    makePlugin(folder.path, {name: 'broken', tools: [{...tool, name: 'gone', module: './gone.js'}]}),
  ]);
  await using other = await createTestKernel({plugins: []});
  const hints = {HOOK_FAILED: 'Ask Ada.', PLUGIN_BROKEN: 'Ask Bob.'};
  const kernel = boot(createCatalog(plugins), other.kernel.environment, {hints});
  const session = kernel.open();
  const [wrapped, gone] = [
    await session.call({tool: 'wrapped', input: {}}),
    await session.call({tool: 'gone', input: {}}),
  ];
  await kernel.close();
  expect([wrapped, gone]).toMatchObject([
    {error: {code: 'HOOK_FAILED', hint: 'Try again. Ask Ada.'}},
    {error: {code: 'PLUGIN_BROKEN', hint: 'Update, rebuild or uninstall broken. Ask Bob.'}},
  ]);
});
