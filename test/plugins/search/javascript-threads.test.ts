import {spawn} from 'node:child_process';
import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import {nodeUnderModes} from '../../helpers/node-under-modes.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {buildTree, type Tree} from './tree.js';

const engineUrl = pathToFileURL(join(pluginRoot('search'), 'dist', 'javascript', 'javascript-engine.js')).href;

/** What a program of its own is made of: `engine`, `request(pattern)`, the threads it started, and `report(value)`. */
const PRELUDE = `
  const [url, root] = process.argv.slice(1);
  const threads = [];
  process.on('worker', (worker) => threads.push(worker));
  const {createJavascriptEngine} = await import(url);
  let entries = async (_, all) => all.map(() => false);
  const engine = createJavascriptEngine({info: {name: 'javascript', reason: 'A test.'}, cores: 2, workspace: {ignoreWalk: async () => ({entries: (...of) => entries(...of)})}});
  const giveUp = new AbortController();
  const request = (source, more) => ({
    places: [{path: root, bases: [root], root, isFile: false}], ignore: {}, withoutFolders: [], withoutEndings: [],
    pattern: {given: source, isCaseSensitive: true, isLiteral: false, script: {source, flags: 'u'}},
    mostPerFile: 100, most: 100, signal: giveUp.signal, accept: async (files) => files, ...more,
  });
  /** Threads that have not ended have a number. */
  const left = () => threads.filter(({threadId}) => threadId !== -1).length;
  const report = (value) => console.log(JSON.stringify(value));
  const outcome = (work) => work.then(() => 'done', (error) => (error === giveUp.signal.reason ? 'given up' : error.message));
`;

interface Ended {
  readonly report: unknown;
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs a program that ends on its own when nothing is left to do. */
async function runApart(
  tree: Tree,
  script: string,
  [node, ...words]: readonly [string, ...string[]] = [process.execPath],
): Promise<Ended> {
  const child = spawn(node, [...words, '--input-type=module', '-e', PRELUDE + script, engineUrl, tree.path], {
    cwd: '/',
    env: {},
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  return {report: stdout === '' ? undefined : JSON.parse(stdout), code, stderr};
}

const asIt = (report: unknown): Ended => ({report, code: 0, stderr: ''});

describe('threads', () => {
  test('are there for a search only, and no more than there is work for [search.cancel]', async () => {
    await using tree = await buildTree({f: 'needle\n'});
    const script = `
      const {files} = await engine.match(request('needle'));
      report([files.length, threads.length, left()]);
    `;
    expect(await runApart(tree, script)).toEqual(asIt([1, 1, 0]));
  });

  test('end when the limit is reached [search.cancel]', async () => {
    await using tree = await buildTree(
      Object.fromEntries(Array.from({length: 500}, (_, index) => [`f${index}`, 'needle\n'.repeat(500)])),
    );
    const script = `
      const limited = [];
      for (let time = 0; time < 8; time += 1) limited.push((await engine.match(request('needle', {most: 3}))).isLimited);
      report([limited.every((is) => is), threads.length <= 16, left()]);
    `;
    expect(await runApart(tree, script)).toEqual(asIt([true, true, 0]));
  });

  test('that fail make the search fail, whatever waits for them', async () => {
    await using tree = await buildTree(
      Object.fromEntries(Array.from({length: 500}, (_, index) => [`f${index}`, 'needle\n'])),
    );
    const script = `report([(await outcome(engine.match(request('(')))).slice(0, 26), left()]);`;
    expect(await runApart(tree, script)).toEqual(asIt(['Invalid regular expression', 0]));
  });

  test('keep a program alive while a search waits for them', async () => {
    await using tree = await buildTree({f: 'x'.repeat(5_000_000)});
    expect(await runApart(tree, `void engine.match(request('y$')).then(({files}) => report(files.length));`)).toEqual(
      asIt(0),
    );
  });
});

describe('a search that is given up ends at once and leaves no thread [search.cancel]', () => {
  const files = Object.fromEntries(
    Array.from({length: 40}, (_, index) => [`a${String(index).padStart(2, '0')}`, 'needle\n']),
  );
  const phases: readonly (readonly [string, string])[] = [
    [
      'before it began',
      `giveUp.abort(new Error('No.')); report([await outcome(engine.match(request('needle'))), threads.length, ` +
        'left()]);',
    ],
    [
      'while a directory is waited for',
      `entries = () => new Promise(() => setImmediate(() => giveUp.abort(new Error('No.'))));
       report([await outcome(engine.match(request('needle'))), threads.length, left()]);`,
    ],
    [
      'while threads are starting',
      `process.on('worker', () => giveUp.abort(new Error('No.')));
       report([await outcome(engine.match(request('needle'))), threads.length, left()]);`,
    ],
    [
      'while it waits whether files may be shown',
      `const accept = () => new Promise(() => giveUp.abort(new Error('No.')));
       report([await outcome(engine.match(request('needle', {accept}))), threads.length, left()]);`,
    ],
  ];

  test.each(phases)('%s', async (phase, script) => {
    await using tree = await buildTree(files);
    const started: Readonly<Record<string, unknown>> = {'before it began': 0, 'while a directory is waited for': 0};
    expect(await runApart(tree, script)).toEqual(asIt(['given up', started[phase] ?? expect.any(Number), 0]));
  });

  test('while a regular expression runs away', async () => {
    await using tree = await buildTree({...files, 'b0': `${'a'.repeat(60)}!`, 'b1': `${'a'.repeat(60)}!`});
    // Files with a needle come first, so that `accept` gets them when the threads are at, or next to, the endless ones.
    const script = `
      let began = 0;
      let told = 0;
      const accept = async (files) => {
        if ((told += files.length) === 40) setImmediate(() => ((began = performance.now()), giveUp.abort(new Error('No.'))));
        return files;
      };
      const how = await outcome(engine.match(request('needle|^(a+)+$', {accept})));
      report([how, threads.length, left(), performance.now() - began < 1000]);
    `;
    expect(await runApart(tree, script)).toEqual(asIt(['given up', 2, 0, true]));
  });

  test('when the answer about files fails, that is what it fails with', async () => {
    await using tree = await buildTree(files);
    const script =
      `report([await outcome(engine.match(request('needle', {accept: async () => { throw new Error('Not asked.'); ` +
      '}}))), left()]);';
    expect(await runApart(tree, script)).toEqual(asIt(['Not asked.', 0]));
  });
});

describe('what cannot be read', () => {
  test('is reported in order, files and folders, and the rest is searched [search.odd-files]', async () => {
    await using tree = await buildTree({
      'a/f': 'needle',
      'b/f': 'needle',
      'c/d/f': 'needle',
      'c/no': 'needle',
      'd': 'needle',
      '\udcff/no': 'needle',
    });
    await chmod(tree.path, 0o755);
    for (const name of ['b', 'c/d', 'c/no']) await chmod(tree.at(name), 0);
    const script = `
      const {files, unreadable} = await engine.match(request('needle'));
      const listed = [];
      const walked = await engine.list({...request(''), onPaths: (paths) => listed.push(...paths)});
      report({files: files.map(({path}) => path), unreadable, listed, unlisted: walked.unreadable});
    `;
    const {report, code, stderr} = await runApart(tree, script, nodeUnderModes());
    expect({report, code, stderr}).toEqual(
      asIt({
        files: ['a/f', 'd', '\udcff/no'].map(tree.at),
        unreadable: ['b', 'c/d', 'c/no'].map(tree.at),
        listed: ['a/f', 'c/no', 'd', '\udcff/no'].map(tree.at),
        unlisted: ['b', 'c/d'].map(tree.at),
      }),
    );
    for (const name of ['b', 'c/d']) await chmod(tree.at(name), 0o755);
  });

  test('is not told once there are enough lines, for how much was looked at is chance then [search.limits]', async () => {
    await using tree = await buildTree({'a/f': 'needle', 'b': 'needle', 'c/f': 'needle', 'd': 'needle'});
    await chmod(tree.path, 0o755);
    for (const name of ['a', 'c']) await chmod(tree.at(name), 0);
    const script = `
      const {files, unreadable} = await engine.match(request('needle', {most: 1}));
      report({files: files.map(({path}) => path), unreadable});
    `;
    expect(await runApart(tree, script, nodeUnderModes())).toEqual(asIt({files: [tree.at('b')], unreadable: []}));
    for (const name of ['a', 'c']) await chmod(tree.at(name), 0o755);
  });
});
