import {expect, test} from '@jest/globals';
import {ConfiguredHooks} from '#plugins/hooks/dist/config/configured-hooks.js';

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const MANAGED = ['system', 'enforced'];
const one = (command: string, more: object = {}): unknown => [{hooks: [{command, name: command, ...more}]}];

/** The hooks of settings that have these values, by key and then by layer, weakest first. */
async function read(values: Values): Promise<unknown> {
  const layersOf = (key: string): {layer: string; value: unknown}[] =>
    Object.entries(values[key] ?? {}).map(([layer, value]) => ({layer, value}));
  const last = (key: string, fits: (layer: string) => boolean): Promise<unknown> =>
    Promise.resolve(layersOf(key).findLast(({layer}) => fits(layer))?.value);
  const services: Readonly<Record<string, unknown>> = {
    settings: {
      explain: (key: string) => Promise.resolve({layers: layersOf(key)}),
      get: (key: string) => last(key, () => true),
      getApart: (key: string) => last(key, (layer) => layer !== 'workspace'),
      getManaged: (key: string) => last(key, (layer) => MANAGED.includes(layer)),
    },
    trust: {may: () => Promise.resolve(true)},
    'config-files': {readJSON: () => Promise.resolve(undefined)},
  };
  const context = {
    environment: {cwd: '/', home: '/'},
    names: () => [],
    service: (name: string) => Promise.resolve(services[name]),
  } as unknown as ConstructorParameters<typeof ConfiguredHooks>[0];
  const hooks = await new ConfiguredHooks(context).list();
  return hooks.map(
    ({name, layer, failure, leftOut}) => `${name} ${layer} ${failure}${leftOut ? ` ${leftOut.reason}` : ''}`,
  );
}

test('hooks of an administrator and of a bundle fail closed at every event that can be stopped [hooking.layers]', async () => {
  const hooks = (name: string): unknown => ({AfterTool: one(name), SessionStart: one(`${name} start`)});
  expect(
    await read({
      hooks: {
        bundle: hooks('b'),
        'system-defaults': hooks('d'),
        user: hooks('u'),
        system: hooks('s'),
        enforced: hooks('e'),
      },
    }),
  ).toEqual([
    ...['u user open', 'u start user open', 's system closed', 's start system open'],
    ...['d system-defaults closed', 'd start system-defaults open', 'b bundle closed', 'b start bundle open'],
    ...['e enforced closed', 'e start enforced open'],
  ]);
});

test('a person and a project cannot disable them, and the administrator can [hooking.layers]', async () => {
  const hooks = {user: {BeforeTool: one('mine')}, system: {BeforeTool: one('theirs')}};
  expect(await read({hooks, 'hooksConfig.disabled': {user: ['mine', 'theirs']}})).toEqual([
    'mine user closed disabled',
    'theirs system closed',
  ]);
  expect(await read({hooks, 'hooksConfig.enabled': {user: false}})).toEqual([
    'mine user closed off',
    'theirs system closed',
  ]);
  expect(await read({hooks, 'hooksConfig.enabled': {user: true, system: false}})).toEqual([
    'mine user closed off',
    'theirs system closed off',
  ]);
});

test('a hook that a person has too, to fail open, stays that of the administrator [hooking.layers]', async () => {
  const hooks = {user: {BeforeTool: one('guard', {failure: 'open'})}, system: {BeforeTool: one('guard')}};
  expect(await read({hooks})).toEqual(['guard system closed']);
});

test.each([
  ['system', ['mine user closed off', 'theirs system closed']],
  ['user', ['mine user closed off', 'theirs system closed']],
  ['workspace', ['mine user closed', 'theirs system closed']],
])(
  "with hooksConfig.managedOnly of %s only the administrator's run, or not [hooking.layers]",
  async (layer, expected) => {
    const hooks = {user: {BeforeTool: one('mine')}, system: {BeforeTool: one('theirs')}};
    expect(await read({hooks, 'hooksConfig.managedOnly': {[layer]: true}})).toEqual(expected);
    expect(await read({hooks, 'hooksConfig.managedOnly': {system: true, user: false}})).toEqual([
      'mine user closed off',
      'theirs system closed',
    ]);
  },
);
