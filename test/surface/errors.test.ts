import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {readErrorTables} from '../helpers/error-tables.js';
import {checkout} from '../helpers/plugin-root.js';
import {readSources} from '../helpers/sources.js';

const tables = await readErrorTables();
const declared = [...tables].flatMap(([by, table]) =>
  Object.entries(table).map(([code, {when, exit = 1}]) => ({code, when, exit, by})),
);

describe('docs/errors.md', () => {
  test('lists every code with when it occurs, its exit code and its owner, and nothing else [errors.listed]', async () => {
    const text = await readFile(join(checkout, 'docs', 'errors.md'), 'utf8');
    const rows = [...text.matchAll(/^\| ([A-Z_0-9]+) \| (.+) \| (\d+) \| (\S+) \|$/gm)].map(
      ([, code, when, exit, by]) => ({code, when, exit: Number(exit), by}),
    );
    expect(rows).toEqual([...declared].sort((a, b) => (a.code < b.code ? -1 : 1)));
  });
});

test('no two tables have the same code', () => {
  expect(declared.map(({code}) => code).filter((code, index, all) => all.indexOf(code) !== index)).toEqual([]);
});

/** Where the codes that belong to no plugin are used. */
const own: Readonly<Record<string, readonly string[]>> = {
  kernel: ['kernel/src'],
  // What an administrator asks for is found out by the package, and refused by who starts or installs.
  admission: ['kernel/admission/src', 'bin/src', 'plugins/bundles/src', 'kernel/sdk/src'],
  command: ['kernel/command/src'],
  sdk: ['kernel/sdk/src'],
  bin: ['bin/src'],
};
const folders = (by: string): readonly string[] => own[by] ?? [`plugins/${by}/src`];

test.each([...tables.keys()])('every code of %s is used in its sources', async (by) => {
  const sources = [...(await readSources(folders(by), '.ts'))]
    .filter(([path]) => !/(^|-|\/)errors\.ts$/.test(path))
    .map(([, text]) => text);
  const unused = Object.keys(tables.get(by) ?? {}).filter(
    (code) => !sources.some((text) => new RegExp(`'${code}'`).test(text)),
  );
  expect(unused).toEqual([]);
});

test('every code is seen by a test of what a person or a model meets', async () => {
  const tests = [...(await readSources(['test'], '.ts', '.toml'))]
    .filter(([path]) => !path.startsWith('test/surface/'))
    .map(([, text]) => text);
  expect(declared.map(({code}) => code).filter((code) => !tests.some((text) => text.includes(code)))).toEqual([]);
});

/** The codes of the notices that the sources of a plugin send. */
async function sentBy(by: string): Promise<readonly string[]> {
  const sources = await readSources([by === 'kernel' ? 'kernel/src' : `plugins/${by}/src`], '.ts');
  const calls =
    /\btell\(\{\s*(?:level: '\w+',\s*)?code: '(\w+)'|#(?:tell|say)\([^)]*'([A-Z]+_[A-Z_]+)'|code = '([A-Z_]+)'\): void/g;
  return [...sources.values()].flatMap((text) =>
    [...text.matchAll(calls)].map(([, told = '', said = '', usual = '']) => told || said || usual),
  );
}

test('docs/errors.md lists every notice with its plugin, and nothing else [notices.listed]', async () => {
  const text = await readFile(join(checkout, 'docs', 'errors.md'), 'utf8');
  const rows = [...text.matchAll(/^\| ([A-Z_]+) \| [^|]+ \| ([a-z-]+) \|$/gm)].map(([, code, by]) => `${code} ${by}`);
  const plugins = ['kernel', ...(await readdir(join(checkout, 'plugins')))];
  const sent = await Promise.all(plugins.map(async (by) => (await sentBy(by)).map((code) => `${code} ${by}`)));
  expect(rows).toEqual([...new Set(sent.flat())].sort());
});
