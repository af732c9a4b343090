import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {listPlugins, readBuiltManifest} from '../helpers/error-tables.js';
import {checkout} from '../helpers/plugin-root.js';
import {readSources} from '../helpers/sources.js';

/** Words that name something of the product and mean something else in the kernel. */
const generic: Readonly<Record<string, string>> = {
  settings: 'the folder of a plugin and the part of a manifest that declare what a person can set',
  context: 'what a tool, a listener or a service gets from the kernel',
  ask: 'what a context does to put a form to a person',
  env: 'a kind of capability: env:NAME',
  files: 'what a test kernel writes',
  isolation: 'the part of a manifest that says where a plugin wishes to run',
  hooks: 'the part of a manifest that declares moments',
  code: 'the name of an error',
  glob: 'a pattern of a filter',
  policy: 'the plain word, where a call is asked about because no plugin judged it',
  project: 'the folder of a test kernel',
  replace: 'a method of strings and of catalogs',
  search: 'an effect of tools',
  'session.id': 'a property, as of SessionInfo',
  sessions: 'of a kernel',
  tools: 'what the kernel runs',
  variables: 'of the environment',
};

/** What may be called gemini: the format of plugins, this package, and what tests leave on a disk. */
const ownNames =
  /gemini\.plugin\.json|gemini\.(capabilities|requires\.services)\b|gemini-kernel\b|gemini-test-|GEMINI_TEST_(WALL|PREPARE)/g;

/** Files that the product reads. */
const productFiles = ['settings.json', 'trustedFolders.json', 'plugins.lock.json', 'catalog.json', 'memory.json'];

/** The keys of settings below the first level, with dots. */
function keysOf({properties = {}}: JSONSchema, above = ''): readonly string[] {
  return Object.entries(properties as Readonly<Record<string, JSONSchema>>).flatMap(([key, child]) => [
    ...(above === '' ? [] : [above + key]),
    ...keysOf(child, `${above}${key}.`),
  ]);
}

async function listNames(): Promise<readonly string[]> {
  const folders = await listPlugins();
  const manifests = await Promise.all(folders.map(readBuiltManifest));
  const schema = JSON.parse(
    await readFile(join(checkout, 'manifests', 'schemas', 'settings.schema.json'), 'utf8'),
  ) as JSONSchema;
  const named = manifests.flatMap(({name, tools, services, hooks, flags}) => [
    name,
    ...[...tools, ...services, ...hooks].map((one) => one.name),
    ...flags.flatMap((flag) => [`--${flag.name}`, ...(flag.setting.includes('.') ? [flag.setting] : [])]),
  ]);
  return [...new Set([...folders, ...named, ...keysOf(schema), ...productFiles])];
}

/** The code and the strings of a file, without its imports and what is said about them. */
function codeOf(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/ .*$/gm, '')
    .replaceAll(/^(import|export) [^;]* from '[^']*';$/gm, '');
}

function isWordIn(word: string, text: string): boolean {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w-])${escaped}(?![\w-])`).test(text);
}

const sources = [...(await readSources(['kernel/src'], '.ts'))].map(([path, text]) => [path, codeOf(text)] as const);

test('the kernel names no plugin, and nothing that one adds or the product reads [kernel.names-no-plugin]', async () => {
  const names = (await listNames()).filter((name) => !(name in generic));
  expect(
    sources.flatMap(([path, text]) => names.flatMap((name) => (isWordIn(name, text) ? [`${path}: ${name}`] : []))),
  ).toEqual([]);
});

test('the kernel names no command, and no folder or variable of the product [kernel.names-no-plugin]', () => {
  expect(sources.flatMap(([path, text]) => (/gemini/i.test(text.replaceAll(ownNames, '')) ? [path] : []))).toEqual([]);
});

test('each word that counts as generic is a name of the product, and stands in the kernel', async () => {
  const names = await listNames();
  expect(
    Object.keys(generic).filter((word) => !names.includes(word) || !sources.some(([, text]) => isWordIn(word, text))),
  ).toEqual([]);
});
