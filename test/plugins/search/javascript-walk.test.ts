import {chmod, rm, writeFile} from 'node:fs/promises';
import {describe, expect, test} from '@jest/globals';
import type {Engine, Place, WalkRequest} from '#plugins/search/dist/engine/engine.js';
import {buildTree, digBeyondLongestPath, type Tree} from './tree.js';
import {createJavascriptEngine} from '#plugins/search/dist/javascript/javascript-engine.js';
import {comparePaths} from '#plugins/search/dist/engine/path-order.js';

type Entry = {readonly name: string; readonly isDirectory: boolean};
type Ignores = (directory: string, entries: readonly Entry[]) => Promise<readonly boolean[]>;

const info = {name: 'javascript', reason: 'A test.'} as const;

function engineThatIgnores(entries: Ignores): Engine {
  return createJavascriptEngine({info, workspace: {ignoreWalk: async () => ({entries})}, cores: 2});
}

const engine = createJavascriptEngine({
  info,
  cores: 2,
  workspace: {
    ignoreWalk: () => {
      throw new Error('The walk must not ask what is ignored.');
    },
  },
});

const all = {ignore: false, withoutFolders: [], withoutEndings: []} as const;

function placeOf(tree: Tree, relative?: string): Place {
  const path = relative === undefined ? tree.path : tree.at(relative);
  return {path, bases: [path], root: tree.path, isFile: false};
}

async function listed(
  tree: Tree,
  request: Partial<WalkRequest> = {},
  by: Engine = engine,
): Promise<{readonly paths: readonly string[]; readonly unreadable: readonly string[]}> {
  const paths: string[] = [];
  const {unreadable} = await by.list({
    places: [placeOf(tree)],
    ...all,
    ...request,
    signal: new AbortController().signal,
    onPaths: (some) => paths.push(...some),
  });
  return {paths: tree.inside(paths), unreadable: tree.inside(unreadable)};
}

describe('the order of files', () => {
  test('is name by name and byte by byte, folders and files mixed [search.order]', async () => {
    const names = [
      'a/z',
      'a.b',
      'a-b/c',
      'a0',
      'B',
      'b/\u{1f600}',
      'b/\uff5e',
      'b/\udcff',
      'b/\u00e9',
      'b/e\u0301',
      '.hidden/x',
      ' ',
      '\n',
      'a\nb',
      'zz',
    ];
    await using tree = await buildTree(Object.fromEntries(names.map((name) => [name, ''])));
    const {paths} = await listed(tree);
    expect(paths).toEqual([...names].sort(comparePaths));
    expect(paths).toEqual([
      '\n',
      ' ',
      '.hidden/x',
      'B',
      'a/z',
      'a\nb',
      'a-b/c',
      'a.b',
      'a0',
      'b/e\u0301',
      'b/\u00e9',
      'b/\uff5e',
      'b/\u{1f600}',
      'b/\udcff',
      'zz',
    ]);
  });

  test('holds over several places, of which some are files [search.order]', async () => {
    await using tree = await buildTree({'a/2': '', 'a/1': '', 'b.log': '', 'c/1': ''});
    const places = [placeOf(tree, 'a'), {...placeOf(tree, 'b.log'), isFile: true}, placeOf(tree, 'c')];
    expect((await listed(tree, {places, withoutEndings: ['.log']})).paths).toEqual(['a/1', 'a/2', 'b.log', 'c/1']);
  });

  test('holds when a folder has 20,000 files and as many folders beside it [search.order]', async () => {
    await using tree = await buildTree({'many/00000': ''});
    const files = Array.from({length: 20_000}, (_, index) => `many/${String(index).padStart(5, '0')}`);
    const folders = Array.from({length: 300}, (_, index) => `x${String(index).padStart(3, '0')}/f`);
    for (let start = 0; start < files.length; start += 500)
      await Promise.all(files.slice(start, start + 500).map((name) => writeFile(tree.at(name), '')));
    await tree.add(Object.fromEntries(folders.map((name) => [name, ''])));
    expect((await listed(tree)).paths).toEqual([...files, ...folders]);
  }, 120_000);

  test('holds 2,000 levels down', async () => {
    await using tree = await buildTree();
    const deep = Array.from({length: 1990}, () => 'd').join('/');
    await tree.add({[`${deep}/f`]: ''});
    expect(await listed(tree)).toEqual({paths: [`${deep}/f`], unreadable: []});
  });
});

describe('what is listed', () => {
  test('is files, not links, pipes and sockets, and no link is followed [search.odd-files]', async () => {
    await using tree = await buildTree({
      'a/file': '',
      'a/loop': {link: '..'},
      'a/self': {link: 'self'},
      'to-file': {link: 'a/file'},
      'to-nowhere': {link: 'nowhere'},
      pipe: {special: 'pipe'},
      socket: {special: 'socket'},
      'empty': null,
    });
    expect(await listed(tree)).toEqual({paths: ['a/file'], unreadable: []});
  });

  test('has names of any bytes, also below folders with such names [search.odd-files]', async () => {
    const names = ['\udcff\udcfe/\udc80', 'line\nend/a', 'replaced\ufffd', '\udcc3.txt'];
    await using tree = await buildTree(Object.fromEntries(names.map((name) => [name, ''])));
    expect((await listed(tree)).paths).toEqual([...names].sort(comparePaths));
  });

  test('leaves out folders by name and files by ending, but no place', async () => {
    await using tree = await buildTree({
      'dist/a': '',
      'src/dist/b': '',
      'src/distant/c': '',
      'src/dist.log': '',
      'src/x.logs': '',
    });
    expect((await listed(tree, {withoutFolders: ['dist'], withoutEndings: ['.log']})).paths).toEqual([
      'src/distant/c',
      'src/x.logs',
    ]);
    expect((await listed(tree, {places: [placeOf(tree, 'dist')], withoutFolders: ['dist']})).paths).toEqual(['dist/a']);
  });

  test('is what the test of paths says, from the base of the place on, and always a file that is a place', async () => {
    await using tree = await buildTree({'src/a.ts': '', 'src/in/b.ts': '', 'src/in/b.js': ''});
    const asked: string[] = [];
    const wants = {matches: (path: string) => asked.push(path) > 0 && path.endsWith('.ts')};
    expect((await listed(tree, {places: [placeOf(tree, 'src')], wants})).paths).toEqual(['src/a.ts', 'src/in/b.ts']);
    expect(asked.splice(0).sort()).toEqual(['a.ts', 'in/b.js', 'in/b.ts']);
    expect((await listed(tree, {places: [{...placeOf(tree, 'src/in'), bases: [tree.path]}], wants})).paths).toEqual([
      'src/in/b.ts',
    ]);
    expect(asked.sort()).toEqual(['src/in/b.js', 'src/in/b.ts']);
    expect((await listed(tree, {places: [{...placeOf(tree, 'src/in/b.js'), isFile: true}], wants})).paths).toEqual([
      'src/in/b.js',
    ]);
  });

  test('is what the test of paths says from any base of the place', async () => {
    await using tree = await buildTree({'src/in/a': '', 'src/in/in/a': '', 'src/in/in/b': ''});
    const wants = {matches: (path: string) => ['in/a', 'src/in/a'].includes(path)};
    const place: Place = {...placeOf(tree, 'src/in'), bases: [tree.at('src/in'), tree.path]};
    expect((await listed(tree, {places: [place], wants})).paths).toEqual(['src/in/a', 'src/in/in/a']);
  });

  test('does not come twice when a place lies in another, and is what each of them makes of it [search.roots]', async () => {
    await using tree = await buildTree({
      'a': '',
      'in/a': '',
      'in/dist/a': '',
      'in/dist/in/b': '',
      'in/f': '',
      'z/in/c': '',
    });
    const places = [
      placeOf(tree),
      placeOf(tree, 'in'),
      placeOf(tree, 'in/dist'),
      {...placeOf(tree, 'in/f'), isFile: true},
    ];
    expect((await listed(tree, {places, withoutFolders: ['dist']})).paths).toEqual([
      'a',
      'z/in/c',
      'in/a',
      'in/dist/a',
      'in/dist/in/b',
      'in/f',
    ]);
    const wants = {matches: (path: string) => path === 'a'};
    expect((await listed(tree, {places, wants})).paths).toEqual(['a', 'in/a', 'in/dist/a', 'in/f']);
  });

  test('leaves out what is ignored, and asks with the whole listing of each folder that is not [search.ignore]', async () => {
    await using tree = await buildTree({
      'a/x': '',
      'a/y': '',
      'no/z': '',
      'a/link': {link: 'x'},
      'a/.gitignore': '',
      'a/dist/f': '',
    });
    const asked: (readonly [string, readonly string[]])[] = [];
    const ignoring = engineThatIgnores(async (directory, entries) => {
      asked.push([directory, entries.map(({name, isDirectory}) => (isDirectory ? `${name}/` : name)).sort()]);
      return entries.map(({name}) => ['no', 'y'].includes(name));
    });
    const {paths} = await listed(tree, {ignore: {}, withoutFolders: ['dist']}, ignoring);
    expect(paths).toEqual(['a/.gitignore', 'a/x']);
    expect(asked).toEqual([
      [tree.path, ['a/', 'no/']],
      [tree.at('a'), ['.gitignore', 'dist/', 'link', 'x', 'y']],
    ]);
  });

  test('lacks what vanished, be it a place or in the middle, without a word', async () => {
    await using tree = await buildTree({'a/x': '', 'b/y': '', 'c/z': ''});
    expect(await listed(tree, {places: [placeOf(tree, 'gone'), {...placeOf(tree, 'gone.txt'), isFile: true}]})).toEqual(
      {paths: [], unreadable: []},
    );
    const removing = engineThatIgnores(async (directory, entries) => {
      if (directory === tree.path) await rm(tree.at('b'), {recursive: true});
      return entries.map(() => false);
    });
    expect(await listed(tree, {ignore: {}}, removing)).toEqual({paths: ['a/x', 'c/z'], unreadable: []});
  });

  test('passes by a file that is a place and became something else', async () => {
    await using tree = await buildTree({pipe: {special: 'pipe'}, dir: null, link: {link: 'dir'}});
    const places = ['dir', 'link', 'pipe'].map((name) => ({...placeOf(tree, name), isFile: true}));
    expect(await listed(tree, {places})).toEqual({paths: [], unreadable: []});
  });

  test('tells of folders whose path is too long', async () => {
    await using tree = await buildTree({'b/f': ''});
    const name = await digBeyondLongestPath(tree.path);
    const {paths, unreadable} = await listed(tree);
    expect(paths).toEqual(['b/f']);
    expect(unreadable.length).toBe(1);
    expect(unreadable[0]?.split('/').every((part) => part === name)).toBe(true);
    expect(Buffer.byteLength(tree.at(unreadable[0] ?? ''))).toBeGreaterThan(4095);
  });

  test('continues beside a folder that cannot be read, unless everything can be read here', async () => {
    await using tree = await buildTree({'a/f': '', 'b/f': '', 'c/f': ''});
    await chmod(tree.at('b'), 0);
    const isAllowed = process.getuid?.() === 0;
    expect(await listed(tree)).toEqual(
      isAllowed ? {paths: ['a/f', 'b/f', 'c/f'], unreadable: []} : {paths: ['a/f', 'c/f'], unreadable: ['b']},
    );
    await chmod(tree.at('b'), 0o755);
  });
});

describe('a walk that is given up', () => {
  test('ends at once with the reason, wherever it is waiting [search.cancel]', async () => {
    await using tree = await buildTree({'a/x': '', 'b/y': ''});
    const reason = new Error('Enough.');
    const giveUp = new AbortController();
    const stuck = engineThatIgnores(() => new Promise<never>(() => setImmediate(() => giveUp.abort(reason))));
    const request = {places: [placeOf(tree)], ...all, ignore: {}, signal: giveUp.signal, onPaths: () => undefined};
    await expect(stuck.list(request)).rejects.toBe(reason);
    await expect(stuck.list(request)).rejects.toBe(reason);
  });

  test('tells of no more paths and reads no more folders', async () => {
    await using tree = await buildTree(
      Object.fromEntries(Array.from({length: 200}, (_, index) => [`d${index}/f`, ''])),
    );
    const reason = new Error('Enough.');
    const giveUp = new AbortController();
    let read = 0;
    const counting = engineThatIgnores(async (_, entries) => {
      read += 1;
      return entries.map(() => false);
    });
    const told: string[] = [];
    const request = {places: [placeOf(tree)], ...all, ignore: {}, signal: giveUp.signal};
    await expect(
      counting.list({...request, onPaths: (paths) => (told.push(...paths), giveUp.abort(reason))}),
    ).rejects.toBe(reason);
    expect(told).toEqual([tree.at('d0/f')]);
    expect(read).toBeLessThan(60);
  });

  test('fails with what the ignore rules fail with', async () => {
    await using tree = await buildTree({'a/x': ''});
    const failing = engineThatIgnores(async (directory, entries) => {
      if (directory !== tree.path) throw new Error('No rules.');
      return entries.map(() => false);
    });
    await expect(listed(tree, {ignore: {}}, failing)).rejects.toThrow('No rules.');
  });
});
