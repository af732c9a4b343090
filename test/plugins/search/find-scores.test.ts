import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {PathList} from '#plugins/search/dist/find/path-list.js';
import {PathQuery} from '#plugins/search/dist/find/score-path.js';
import {Ranking} from '#plugins/search/dist/find/ranking.js';

const ROOT = '/root';

async function rank(
  text: string,
  paths: readonly string[],
  {
    isFuzzy = true,
    kind = 'file',
    most = 50,
  }: {readonly isFuzzy?: boolean; readonly kind?: 'file' | 'any' | 'directory'; readonly most?: number} = {},
): Promise<readonly string[]> {
  const list = new PathList([{path: ROOT, root: ROOT, bases: [ROOT], isFile: false}], 10_000);
  list.add(paths.map((path) => `${ROOT}/${path}`));
  const ranking = new Ranking(list, new PathQuery(text, isFuzzy), {most, kind});
  await ranking.advance(new AbortController().signal);
  return ranking.best().map(({path, isDirectory}) => path.slice(ROOT.length + 1) + (isDirectory ? '/' : ''));
}

describe('what people mean comes first [files.find]', () => {
  test.each([
    [
      'readme',
      ['docs/README.md', 'docs/readme-style.md', 'src/read-me-not.ts', 'README.md'],
      ['README.md', 'docs/README.md', 'docs/readme-style.md', 'src/read-me-not.ts'],
    ],
    ['README', ['readme.txt', 'README.md', 'docs/README.md'], ['README.md', 'docs/README.md']],
    [
      'uts',
      ['src/outputs.ts', 'src/hooks/useTreeState.ts', 'src/utils.ts'],
      ['src/hooks/useTreeState.ts', 'src/utils.ts', 'src/outputs.ts'],
    ],
    ['srcidx', ['src/index.ts', 'src/source/idle-box.ts', 'lib/index.ts'], ['src/index.ts', 'src/source/idle-box.ts']],
    [
      'test/app',
      ['test/app.ts', 'app/test.ts', 'test/unit/app.ts', 'src/test-app.ts', 'tests/apply.ts'],
      ['test/app.ts', 'test/unit/app.ts', 'tests/apply.ts'],
    ],
    ['test\\app', ['test/app.ts', 'src/app.ts'], ['test/app.ts']],
    [
      'app',
      ['app/main.ts', 'src/app.ts', 'src/wrapper.ts', 'src/application.ts'],
      ['src/app.ts', 'src/application.ts', 'app/main.ts', 'src/wrapper.ts'],
    ],
    [
      'index',
      ['src/reindex.ts', 'src/index.ts', 'src/index.test.ts', 'index/a.ts', 'src/very/deep/down/index.ts'],
      ['src/index.ts', 'src/very/deep/down/index.ts', 'src/index.test.ts', 'index/a.ts', 'src/reindex.ts'],
    ],
    [
      'index.ts',
      ['src/index.tsx', 'src/index.ts', 'src/index.test.ts'],
      ['src/index.ts', 'src/index.tsx', 'src/index.test.ts'],
    ],
    [
      'pkg',
      ['src/parking.ts', 'package.json', 'pkg.ts', 'my-pkg.ts'],
      ['pkg.ts', 'my-pkg.ts', 'package.json', 'src/parking.ts'],
    ],
    [
      'package',
      ['package-lock.json', 'package.json', 'plugins/a/package.json'],
      ['package.json', 'plugins/a/package.json', 'package-lock.json'],
    ],
    ['env', ['src/environment.ts', '.env'], ['src/environment.ts', '.env']],
    ['.env', ['.env', '.env.local', 'src/my.env'], ['.env', '.env.local', 'src/my.env']],
    ['sp', ['src/score-path.ts', 'src/spell.ts', 'lisp.ts'], ['src/spell.ts', 'src/score-path.ts', 'lisp.ts']],
    [
      'scorepath',
      ['src/score-path.ts', 'src/scores/path.ts', 'src/scorePath.ts'],
      ['src/scorePath.ts', 'src/score-path.ts', 'src/scores/path.ts'],
    ],
    ['h2', ['src/http2.ts', 'src/h2.ts', 'src/hello-12.ts'], ['src/h2.ts', 'src/http2.ts', 'src/hello-12.ts']],
    ['b.ts', ['a/b.ts', 'b.ts', 'sub.ts'], ['b.ts', 'a/b.ts', 'sub.ts']],
    ['my file', ['my file.txt', 'my-file.txt'], ['my file.txt']],
    ['xyz', ['src/index.ts'], []],
  ])('%j', async (text, paths, ranked) => {
    expect(await rank(text, paths)).toEqual(ranked);
    expect(await rank(text, [...paths].reverse())).toEqual(ranked);
  });
});

test('equal ones stand in the order of their paths, and an empty text fits everything, short paths first', async () => {
  expect(await rank('x', ['c/x', 'a/x', 'b/x'])).toEqual(['a/x', 'b/x', 'c/x']);
  expect(await rank('', ['some/thing/deeper/down/x', 'b', 'a'])).toEqual(['a', 'b', 'some/thing/deeper/down/x']);
});

test('directories are those that files lie in, each once', async () => {
  const paths = ['src/find/a.ts', 'src/b.ts', 'src/find/c.ts', 'srcs.ts'];
  expect(await rank('src', paths, {kind: 'any'})).toEqual([
    'src/',
    'srcs.ts',
    'src/b.ts',
    'src/find/',
    'src/find/a.ts',
    'src/find/c.ts',
  ]);
  expect(await rank('', paths, {kind: 'directory'})).toEqual(['src/', 'src/find/']);
  expect(await rank('src/', paths, {kind: 'any', most: 1})).toEqual(['src/']);
});

test('without fuzzy search the letters stand together', async () => {
  const paths = ['src/use-tree.ts', 'src/usetree.ts', 'usetree/x.ts'];
  expect(await rank('usetree', paths, {isFuzzy: false})).toEqual(['src/usetree.ts', 'usetree/x.ts']);
  expect(await rank('src/use', paths, {isFuzzy: false})).toEqual(['src/usetree.ts', 'src/use-tree.ts']);
});

test('letters of all scripts count, composed or not, and names come back as they are', async () => {
  const apart = 'cafe\u0301.txt';
  expect(await rank('caf\u00e9', [apart, 'cafe.txt'])).toEqual([apart]);
  expect(await rank('привет', ['Привет.md', 'x.md'])).toEqual(['Привет.md']);
  expect(await rank('a', ['\udcff-a.txt'])).toEqual(['\udcff-a.txt']);
});

test('of many that fit exactly the best are kept, whatever the order they come in', async () => {
  const paths = Array.from({length: 900}, (_, index) => `d${String((index * 577) % 900).padStart(3, '0')}/file.ts`);
  expect(await rank('file', paths, {most: 3})).toEqual(['d000/file.ts', 'd001/file.ts', 'd002/file.ts']);
});

test('a longer text fits nothing that its beginning does not fit', () => {
  const query = (text: string, isFuzzy = true): InstanceType<typeof PathQuery> => new PathQuery(text, isFuzzy);
  expect([
    query('abc').isNarrowerThan(query('ab')),
    query('aBc').isNarrowerThan(query('a')),
    query('ab').isNarrowerThan(query('b')),
  ]).toEqual([true, true, false]);
  expect([query('ab', false).isNarrowerThan(query('a')), query('ab').isNarrowerThan(query('a', false))]).toEqual([
    true,
    false,
  ]);
});

describe('whatever the paths are', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'B', '.', '-', '1', '\u00e9', 'e\u0301', '\u212a', 'k', '\u0130'),
    minLength: 1,
    maxLength: 6,
  });
  const path = fc
    .array(
      word.filter((name) => !/^\.+$/.test(name)),
      {minLength: 1, maxLength: 3},
    )
    .map((names) => names.join('/'));
  const text = fc
    .string({unit: fc.constantFrom('a', 'b', 'B', '/', '.', '1', '\u00e9', 'k'), maxLength: 4})
    .filter((one) => !one.startsWith('./'));

  /** What fits, said in the plainest way. */
  function fits(wanted: string, given: string, isFuzzy: boolean): boolean {
    const fold = (one: string): string =>
      wanted === wanted.toLowerCase()
        ? [...one].map((letter) => (letter.toLowerCase().length === 1 ? letter.toLowerCase() : letter)).join('')
        : one;
    const letters = fold(given.normalize('NFC'));
    if (!isFuzzy) return letters.includes(fold(wanted));
    let at = 0;
    return [...fold(wanted)].every((letter) => (at = letters.indexOf(letter, at) + 1) > 0);
  }

  test('those fit that have the letters, in their order or together', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.uniqueArray(path, {maxLength: 6}), fc.boolean(), async (wanted, paths, isFuzzy) => {
        const found = await rank(wanted, paths, {isFuzzy});
        expect([...found].sort()).toEqual(paths.filter((one) => fits(wanted.normalize('NFC'), one, isFuzzy)).sort());
      }),
      {numRuns: 500},
    );
  });
});
