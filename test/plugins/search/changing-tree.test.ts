import {fork, spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmod, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {nodeUnderModes} from '../../helpers/node-under-modes.js';
import {childProcesses} from './child-processes.js';
import {engineNames, openSearching, type Searching} from './engines.js';
import {ripgrepProgram} from './ripgrep-program.js';
import {searchingKernel} from './searching-kernel.js';
import {buildTree, type Tree} from './tree.js';
import {LiveSearch} from '#plugins/search/dist/live-search.js';
import {compilePattern} from '#plugins/search/dist/pattern/compile-pattern.js';
import {createRipgrepEngine} from '#plugins/search/dist/ripgrep/ripgrep-engine.js';

const programAt = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

describe('a tree that changes while it is searched [search.odd-files]', () => {
  test.each(engineNames)('gives what stays, and nothing that makes no sense: %s', async (engine) => {
    const staying = Object.fromEntries(
      Array.from({length: 30}, (_, index) => [`stay/f${index}`, 'needle that stays\n']),
    );
    await using searching = await openSearching({files: staying});
    const {project} = searching.kernel;
    const changer = fork(programAt('changing-program.js'), [project], {execArgv: []});
    await once(changer, 'message');
    for (let time = 0; time < 20; time += 1) {
      const grep = await searching.run(engine, 'grep_search', {
        pattern: 'needle',
        names_only: time % 2 === 0,
        total_max_matches: 20_000,
        context: time % 3,
        max_matches_per_file: 3,
      });
      const paths = (
        grep.data as {
          readonly files: readonly {readonly path: string; readonly lines: readonly {readonly text: string}[]}[];
        }
      ).files;
      expect(paths.filter(({path}) => path.startsWith(join(project, 'stay'))).length).toBe(30);
      for (const line of paths.flatMap(({lines}) => lines)) expect(line.text).toMatch(/needle/);
      const globbed = (await searching.run(engine, 'glob', {pattern: '**/*'})).data as {
        readonly files: readonly string[];
        readonly unreadable: readonly string[];
      };
      expect(globbed.files.filter((path) => path.startsWith(join(project, 'stay'))).length).toBe(30);
      expect(new Set(globbed.files).size).toBe(globbed.files.length);
      expect(globbed.unreadable).toEqual([]);
    }
    changer.kill('SIGKILL');
    await once(changer, 'exit');
  });

  test('what cannot be read is counted and named, the same by every engine', async () => {
    const [node, ...words] = nodeUnderModes();
    const child = spawn(node, [...words, programAt('unreadable-program.js')], {
      env: {PATH: process.env['PATH']},
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [answers] = (await once(child, 'message')) as [readonly (readonly string[])[]];
    await once(child, 'exit');
    const note = '\n(4 could not be read: b, c/d, c/locked, named/f)';
    const said = [
      `Found 3 files with matches for pattern "needle" in path "~":\na/f\nc/e\nz${note}`,
      'No matches found for pattern "nowhere" in path "~". Ignored files, dependencies and build output were not ' +
        `searched; no_ignore searches them too.${note}`,
      'Found 1 file with matches for pattern "needle" in path "~" (results limited to 1 file for performance):\na/f',
      `Found 3 files with matches for pattern "(?<=n)eedle" in path "~":\na/f\nc/e\nz${note}`,
      'No matches found for pattern "needle" in path "c/locked". Ignored files, dependencies and build output ' +
        'were not searched; no_ignore searches them too.\n(1 could not be read: c/locked)',
      'No matches found for pattern "needle" in path "b". Ignored files, dependencies and build output were not ' +
        'searched; no_ignore searches them too.\n(1 could not be read: b)',
      expect.stringMatching(
        /^Found 4 files matching "\*\*\/\*" within ~, .*\n\(3 could not be read: b, c\/d, named\/f\)$/s,
      ),
      'No files found matching pattern "c/d/*" within ~.\n(1 could not be read: c/d)',
    ];
    expect(answers).toEqual(engineNames.map(() => said));
  });

  test.each(['glob', 'grep_search'] as const)(
    'a directory that vanishes, or becomes a link, before %s gets to it is an error [search.input]',
    async (tool) => {
      await using kernel = await searchingKernel({files: {'a/f': 'needle', 'b/f': 'needle'}});
      const callAfter = (dir_path: string, change: () => Promise<void>): Promise<unknown> =>
        kernel.session.call(
          {tool, input: {pattern: 'needle', dir_path}},
          {confirm: async () => change().then(() => ({decision: 'yes'}))},
        );
      const [a, b] = [join(kernel.project, 'a'), join(kernel.project, 'b')];
      expect(await callAfter('a', () => rm(a, {recursive: true}))).toMatchObject({
        error: {code: 'SEARCH_PATH_UNUSABLE', message: `Cannot search in ${a}: it does not exist.`},
      });
      const swap = (): Promise<void> => rename(b, `${b}2`).then(() => symlink('/etc', b));
      expect(await callAfter('b', swap)).toMatchObject({
        error: {code: 'SEARCH_PATH_UNUSABLE', message: `Cannot search in ${b}: it is neither a file nor a directory.`},
      });
    },
  );

  test('a workspace directory that vanishes has nothing in it', async () => {
    await using other = await buildTree({'gone/f': 'needle', 'left/f': 'needle'});
    await using searching = await openSearching({files: {f: 'needle'}, roots: [other.at('gone'), other.at('left')]});
    await searching.run('javascript', 'glob', {pattern: '*'});
    await rm(other.at('gone'), {recursive: true});
    const answers = await Promise.all(
      engineNames.map(
        async (engine) =>
          [
            (await searching.run(engine, 'grep_search', {pattern: 'needle', names_only: true})).data,
            (await searching.run(engine, 'glob', {pattern: '*'})).data,
          ] as const,
      ),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.[1]).toMatchObject({
      files: expect.arrayContaining([join(searching.kernel.project, 'f'), other.at('left/f')]),
    });
  });
});

describe('when ripgrep fails, our own engine gives the same answer [search.same-answers]', () => {
  const FILES = 500;
  let searching: Searching;
  let other: Tree;
  beforeAll(async () => {
    // Rules of its own: another run of the program.
    other = await buildTree({
      '.geminiignore': 'x.md\n',
      'x.md': 'needle',
      ...Object.fromEntries(Array.from({length: 200}, (_, index) => [`o/f${index}`, 'needle\n'.repeat(20)])),
    });
    searching = await openSearching({
      roots: [other.path],
      files: Object.fromEntries(
        Array.from({length: FILES}, (_, index) => [
          `d${index % 20}/f${index}`,
          `needle ${'x'.repeat(300)}\n`.repeat(20),
        ]),
      ),
    });
    await writeFile(join(searching.kernel.project, 'limit.md'), `${'a'.repeat(23)}!\n${'a'.repeat(23)}\n`);
  });
  afterAll(async () => {
    await searching[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const isTold = (told: readonly string[]): void => expect(new Set(told).size).toBe(told.length);

  /** What both ways to search give, with a program in the place of ripgrep. */
  async function searchWith(program: string): Promise<unknown> {
    const workspace = await searching.kernel.service('workspace');
    const context = {environment: {}, service: (name: never) => searching.kernel.service(name)} as never;
    const search = new LiveSearch(context, async () =>
      createRipgrepEngine({
        info: {name: 'system ripgrep', reason: 'It is tested.'},
        program: {path: program, version: '14.0.0', hasPcre: true},
        workspace,
      }),
    );
    const pattern = await compilePattern('needle', {isLiteral: true, isCaseSensitive: true, parameter: 'pattern'});
    const common = {
      places: await search.places(),
      ignore: {},
      withoutFolders: [],
      withoutEndings: [],
      signal: new AbortController().signal,
    };
    const listed: string[] = [];
    const {unreadable} = await search.list({...common, onPaths: (paths) => void listed.push(...paths)});
    isTold(listed);
    const {files, isLimited} = await search.match({
      ...common,
      pattern,
      mostPerFile: 3,
      most: 2000,
      accept: async (found) => found,
    });
    return {
      listed: listed.sort(),
      unreadable,
      isLimited,
      lines: files.flatMap(({path, lines}) => lines.map(({number, text}) => `${path}:${number}:${text.length}`)),
    };
  }

  const scripts: readonly (readonly [string, string])[] = [
    ['dies at once', 'kill -9 $$'],
    ['dies in the middle', `"${ripgrepProgram()}" "$@" | /usr/bin/head -c 20000; kill -9 $$`],
    ['fails in the middle', `"${ripgrepProgram()}" "$@" | /usr/bin/head -c 20000; echo "rg: out of luck" >&2; exit 2`],
    ['ends with a code that ripgrep does not use', `"${ripgrepProgram()}" "$@"; exit 77`],
    ['does not know a flag', 'echo "error: unrecognized flag --json" >&2; exit 2'],
    ['complains about what it was to look for', 'echo "regex parse error:" >&2; exit 2'],
  ];
  test.each(scripts)('it %s', async (_, script) => {
    await using tree = await buildTree({rg: `#!/bin/sh\n${script}\n`});
    await chmod(tree.at('rg'), 0o755);
    expect(await searchWith(tree.at('rg'))).toEqual(await searchWith(ripgrepProgram()));
  });

  test('it is not there any more', async () => {
    await using tree = await buildTree();
    expect(await searchWith(tree.at('rg'))).toEqual(await searchWith(ripgrepProgram()));
  });

  test('it writes what is no answer, where lines are wanted', async () => {
    const real = ripgrepProgram();
    for (const garbage of [
      'echo garbage',
      'echo "{}"',
      'echo "[1]"',
      'echo null',
      'echo \'{"type":"begin"}\'',
      'echo \'{"type":"match","data":{}}\'',
      '/usr/bin/head -c 3000000 /dev/urandom',
      '/usr/bin/head -c 3000000 /dev/zero',
    ]) {
      await using tree = await buildTree({
        rg: `#!/bin/sh\ncase "$*" in *--files*) exec "${real}" "$@";; *) ${garbage};; esac\n`,
      });
      await chmod(tree.at('rg'), 0o755);
      expect([garbage, await searchWith(tree.at('rg'))]).toEqual([garbage, await searchWith(real)]);
    }
  });

  test('another process kills it', async () => {
    const asked = {pattern: 'needle', context: 0, total_max_matches: 20_000};
    const first = await searching.run('javascript', 'grep_search', asked);
    let killed = 0;
    const permits = (): boolean => {
      // What it writes is more than is read before the first file is judged.
      for (const id of killed === 0 ? childProcesses() : []) killed += process.kill(id, 'SIGKILL') ? 1 : 0;
      return true;
    };
    expect(await searching.run('bundled ripgrep', 'grep_search', asked, {permits})).toEqual(first);
    expect(killed).toBeGreaterThan(0);
  });

  test('it stops at a pattern that backtracks too often', async () => {
    const asked = {pattern: '^(a+)+(?!b)$', dir_path: 'limit.md', context: 0};
    const answers = await Promise.all(engineNames.map((engine) => searching.run(engine, 'grep_search', asked)));
    for (const {model} of answers) expect(model.split('\n')[3]).toBe(`L2: ${'a'.repeat(23)}`);
  });
});
