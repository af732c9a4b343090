import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import {defineSetting, type Setting} from '@gemini-kernel/kernel';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {makeFolder, makePlugin, type PluginParts} from '../../helpers/make-plugin.js';
import {hostBundles} from '../../helpers/host-services.js';
import {pluginRoot} from '../../helpers/plugin-root.js';

const limit = defineSetting('words.limit', {
  schema: {type: 'integer', minimum: 1, maximum: 9},
  default: 5,
  description: 'Words on a line.',
  category: 'Words',
});
const marks = defineSetting('words.marks', {
  schema: {type: 'array', items: {type: 'string'}},
  default: ['.'],
  merge: 'concat',
  description: 'Marks that end a word.',
});
const key = defineSetting('words.key', {schema: {type: 'string', minLength: 8}, secret: true, description: 'Its key.'});

interface Scene extends TestKernel {
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

interface Said {
  readonly user?: object;
  readonly project?: object;
  readonly bundles?: readonly ActiveBundle[];
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Plugins of the product beside that of settings. */
  readonly with?: readonly string[];
}

/** A kernel in which plugins declare settings; code of them is not there, so nothing can load it. */
async function open(
  parts: readonly Partial<PluginParts>[],
  {user, project, bundles, with: others = [], ...more}: Said = {},
): Promise<Scene> {
  const folder = await makeFolder();
  const made: CatalogPlugin[] = [];
  for (const [index, one] of parts.entries())
    made.push(await makePlugin(folder.path, {name: `plugin-${index}`, origin: 'user', ...one}));
  const kernel = await createTestKernel({
    plugins: [...['settings', ...others].map(pluginRoot), ...made],
    ...(user ? {homeFiles: {'.gemini/settings.json': JSON.stringify(user)}} : {}),
    ...(project ? {files: {'.gemini/settings.json': JSON.stringify(project)}} : {}),
    ...(bundles ? {services: [hostBundles(...bundles)]} : {}),
    ...more,
  });
  const close = async (): Promise<void> => {
    await kernel.close();
    await folder[Symbol.asyncDispose]();
  };
  return {...kernel, close, [Symbol.asyncDispose]: close};
}

const words = {settings: [limit, marks, key]};
const bundle = (settings: ActiveBundle['settings'], origin: ActiveBundle['origin'] = 'system'): ActiveBundle => ({
  ...{name: 'corp', origin, settings, policies: []},
});

describe('the value of a declared setting [settings.declared] [settings.typed]', () => {
  test('has the declared type, and is the default where it is not set', async () => {
    await using kernel = await open([words]);
    const settings = await kernel.service('settings');
    const number: number = await settings.value(limit);
    const list: string[] = await settings.value(marks);
    const text: string | undefined = await settings.value(key);
    expect({number, list, text, told: kernel.warnings}).toEqual({number: 5, list: ['.'], text: undefined, told: []});
  });

  test('is merged as it was declared, through all layers', async () => {
    const said = {user: {words: {limit: '7', marks: ['!']}}, project: {words: {marks: ['?']}}};
    await using kernel = await open([words], {...said, flags: {'words.limit': 8}});
    const settings = await kernel.service('settings');
    expect([
      await settings.value(limit),
      await settings.value(marks),
      await settings.value(marks, {apart: true}),
    ]).toEqual([8, ['.', '!', '?'], ['.', '!']]);
  });

  test.each([
    ['a whole number of at least 1 and at most 9', {limit: 12}, '12'],
    ['a whole number of at least 1 and at most 9', {limit: true}, 'true'],
    ['a list', {marks: 'x'}, '"x"'],
  ])('is left out of a layer where it is not %s', async (expected, own, found) => {
    await using kernel = await open([words], {user: {words: {limit: 6, marks: ['!']}}, project: {words: own}});
    const settings = await kernel.service('settings');
    expect([await settings.value(limit), await settings.value(marks), await settings.get('words.limit')]).toEqual([
      6,
      ['.', '!'],
      6,
    ]);
    const file = join(kernel.project, '.gemini', 'settings.json');
    const name = Object.keys(own)[0] ?? '';
    expect(kernel.warnings).toEqual([`${file}: words.${name} must be ${expected}, not ${found}; it is left out.`]);
  });

  test.each<[string, ActiveBundle, number]>([
    ['an administrator enforces', bundle({enforced: {words: {limit: 2}}}), 2],
    ['a bundle gives as a default', bundle({defaults: {words: {limit: 2}}}), 6],
    ['the product is locked with', bundle({enforced: {words: {limit: 3}}}, 'product'), 3],
  ])('is what %s, by the strength of that', async (_, one, expected) => {
    await using kernel = await open([words], {user: {words: {limit: 6}}, bundles: [one]});
    const settings = await kernel.service('settings');
    expect([await settings.value(limit), (await settings.explain('words.limit')).value]).toEqual([expected, expected]);
  });

  test('is the default of the plugin after another catalog took the place of this one', async () => {
    await using kernel = await open([words], {user: {words: {limit: 7}}});
    const settings = await kernel.service('settings');
    expect((await settings.explain('words.limit')).plugin).toBe('plugin-0');
    const {createCatalog} = await import('@gemini-kernel/kernel/host');
    const left = [...kernel.kernel.catalog.plugins.values()].filter(({manifest}) => manifest.name !== 'plugin-0');
    await kernel.kernel.replace(createCatalog(left));
    expect([(await settings.explain('words.limit')).plugin, await settings.declared()]).toEqual([undefined, []]);
  });
});

describe('beside other settings', () => {
  test('explain, list and the schema know them with their plugin [settings.declared]', async () => {
    await using kernel = await open([words], {user: {words: {limit: 7}}});
    const settings = await kernel.service('settings');
    expect(await settings.explain('words.limit')).toMatchObject({
      ...{value: 7, winner: 'user', type: 'integer', description: 'Words on a line.'},
      ...{plugin: 'plugin-0', category: 'Words'},
    });
    const all = await settings.list({all: true});
    expect(all.map((one) => one.key).filter((one) => one.startsWith('words.'))).toEqual([
      'words.limit',
      'words.marks',
      'words.key',
    ]);
    const schema = (await settings.schema()) as {properties: {words: {properties: Record<string, object>}}};
    expect(schema.properties.words.properties['limit']).toEqual({
      ...{type: 'integer', minimum: 1, maximum: 9, default: 5, description: 'Words on a line.'},
      ...{'x-category': 'Words', 'x-plugin': 'plugin-0'},
    });
  });

  const named = (name: string): Setting => ({...limit, key: name});
  test.each<[string, readonly Partial<PluginParts>[], string, string]>([
    ['the product has it', [{settings: [named('ui.theme')]}], 'ui.theme', 'the product has it already'],
    [
      'it lies within one of the product',
      [{settings: [named('model.name.short')]}],
      'model.name.short',
      'the product has model.name, which is no section',
    ],
    [
      'its section is of the product',
      [{settings: [named('security.open')]}],
      'security.open',
      'security is a section of the product',
    ],
    [
      'its section is of a plugin of the product',
      [{origin: 'core', settings: [limit]}, {settings: [named('words.other')]}],
      'words.other',
      'words is a section of the product',
    ],
    [
      'an earlier one holds it',
      [{settings: [limit]}, {settings: [named('words.limit.most')]}],
      'words.limit.most',
      'plugin-0 has words.limit',
    ],
  ])('a declaration does not count when %s', async (_, parts, name, reason) => {
    await using kernel = await open(parts);
    const settings = await kernel.service('settings');
    await settings.get('general.vimMode');
    const last = `plugin-${parts.length - 1}`;
    expect(kernel.warnings).toEqual([`The setting ${name} of ${last} does not count: ${reason}.`]);
    expect((await settings.declared()).map((one) => one.plugin)).not.toContain(last);
  });

  test('a plugin whose key another one has is left out', async () => {
    await using kernel = await open([{settings: [limit]}, {settings: [limit]}]);
    expect(kernel.kernel.catalog.refused.map(({name, reason}) => [name, reason])).toEqual([
      ['plugin-1', 'its setting words.limit is already provided by plugin-0'],
    ]);
  });
});

describe('a secret setting [settings.secret]', () => {
  const secret = 'hunter2-hunter2';

  test('is given to its reader and never shown', async () => {
    await using kernel = await open([words], {user: {words: {key: secret, limit: 7}}});
    const settings = await kernel.service('settings');
    expect([await settings.value(key), await settings.get('words.key')]).toEqual([secret, secret]);
    const shown = [
      await settings.explain('words.key'),
      await settings.explain('words'),
      await settings.list(),
      await settings.check(),
    ];
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(shown[0]).toMatchObject({value: '[redacted]', secret: true});
  });

  test('is taken out of what tools give back', async () => {
    await using kernel = await open([words], {user: {words: {key: secret}}, with: ['secrets']});
    const {text} = await (await kernel.service('secrets')).redact(`the key is ${secret}.`);
    expect(text).toBe('the key is [redacted: words.key].');
  });

  test('that does not fit is not quoted', async () => {
    await using kernel = await open([words], {user: {words: {key: 'short'}}});
    await (await kernel.service('settings')).get('words');
    expect(kernel.warnings).toEqual([
      `${join(kernel.home, '.gemini', 'settings.json')}: words.key must be a string of at least 8 characters, not ` +
        'what is set; it is left out.',
    ]);
  });
});

describe('an unknown key', () => {
  test('that is close to a known one is named once, with that one [settings.nearest]', async () => {
    const user = {wrods: {limit: 3}, words: {limti: 4}, ui: {them: 'x'}, elsewhere: {limit: 1}};
    await using kernel = await open([words], {user});
    const settings = await kernel.service('settings');
    await settings.get('words.limit');
    const file = join(kernel.home, '.gemini', 'settings.json');
    expect(kernel.warnings).toEqual([
      `${file}: words.limti is not a known setting. Did you mean words.limit? gemini settings check names 1 more.`,
    ]);
    expect((await settings.check()).map(({key: found, problem, nearest}) => [found, problem, nearest])).toEqual([
      ['wrods', 'unknown', undefined],
      ['words.limti', 'unknown', 'words.limit'],
      ['ui.them', 'unknown', 'ui.theme'],
      ['elsewhere', 'unknown', undefined],
    ]);
  });

  test('is written and kept as it is', async () => {
    await using kernel = await open([words], {user: {words: {limit: 3}, mine: {key: 1}}});
    await (await kernel.service('settings')).set('words.limit', 4, {scope: 'user'});
    const text = await readFile(join(kernel.home, '.gemini', 'settings.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({words: {limit: 4}, mine: {key: 1}});
  });
});
