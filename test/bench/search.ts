import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {arch, platform, tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createTestKernel, readPlugin, type TestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../helpers/plugin-root.js';
import {median, peakMemory, type Bench} from './measure.js';
import {makeSearchTree, NEEDLE} from './search-tree.js';

const ROUNDS = 9;
const MIB = 1024;
/** What a search may cost besides what ripgrep itself takes. */
const ALLOWANCE_MS = 15;
const memoryProgram = fileURLToPath(new URL('search-memory.js', import.meta.url));
const ripgrep = createRequire(join(pluginRoot('search'), 'package.json')).resolve(
  `@vscode/ripgrep-${platform()}-${arch()}/bin/rg`,
);

/** A kernel that searches these directories, in which every call may run. */
export async function openSearch(roots: readonly string[], settings: object = {}): Promise<TestKernel> {
  const allowing = await readPlugin(fileURLToPath(new URL('../../fixtures/noop', import.meta.url)));
  const homeFiles = {'.gemini/settings.json': JSON.stringify(settings)};
  return createTestKernel({
    plugins: [...['settings', 'workspace', 'search'].map(pluginRoot), allowing],
    homeFiles,
    flags: {'context.includeDirectories': roots},
  });
}

/** The tree is made when it is first needed and removed when all is done. */
function lazyTree(): () => {readonly root: string; readonly parts: readonly string[]} {
  let made: {readonly root: string; readonly parts: readonly string[]} | undefined;
  return () => {
    if (made) return made;
    const root = mkdtempSync(join(tmpdir(), 'gemini-bench-'));
    process.once('exit', () => rmSync(root, {recursive: true}));
    made = {root, parts: makeSearchTree(root)};
    return made;
  };
}

async function timeRipgrep(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(ripgrep, ['--no-config', ...args], {stdio: ['ignore', 'pipe', 'ignore']});
  child.stdout.resume();
  await once(child, 'close');
  return performance.now() - started;
}

async function timeCall(kernel: TestKernel, tool: string, input: unknown): Promise<number> {
  const started = performance.now();
  const {status} = await kernel.session.call({tool, input});
  if (status !== 'done') throw new Error(`${tool} ${status}`);
  return performance.now() - started;
}

/** Medians of two acts done in turns. */
async function compare(
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  rounds = ROUNDS,
): Promise<{readonly ours: number; readonly theirs: number; readonly detail: string}> {
  const times = {ours: [] as number[], theirs: [] as number[]};
  for (let round = -1; round < rounds; round += 1) {
    const taken = {ours: await ours(), theirs: await theirs()};
    if (round < 0) continue;
    times.ours.push(taken.ours);
    times.theirs.push(taken.theirs);
  }
  const [a, b] = [median(times.ours), median(times.theirs)];
  return {ours: a, theirs: b, detail: `${a.toFixed(0)} ms / ${b.toFixed(0)} ms, medians of ${rounds}`};
}

/** The flags that our own search gives. */
const WALK = [
  '--hidden',
  '--no-ignore-dot',
  '--no-ignore-global',
  '--glob=!{node_modules,.git,bower_components,.svn,.hg,.vscode,.idea,dist,build,coverage,__pycache__}/',
  '--glob=!*.log',
  '--glob=!*.tmp',
];

type Tree = ReturnType<typeof lazyTree>;

const TEXT = {pattern: NEEDLE, fixed_strings: true};
const REGEX = {pattern: '\\bneedle\\w+Stack\\b'};

function grep(tree: Tree, name: string, input: {readonly pattern: string}, flags: readonly string[]): Bench {
  return {
    name: `grep_search of ${name} in 200,000 files`,
    target: {atMost: 1.15, of: `rg with equal flags, less ${ALLOWANCE_MS} ms`},
    async run() {
      const {root} = tree();
      await using kernel = await openSearch([root]);
      const {ours, theirs, detail} = await compare(
        () => timeCall(kernel, 'grep_search', input),
        () => timeRipgrep([...WALK, '--json', '--no-mmap', '--ignore-case', ...flags, '--', input.pattern, root]),
      );
      return {ratio: (ours - ALLOWANCE_MS) / theirs, detail};
    },
  };
}

function glob(tree: Tree): Bench {
  return {
    name: 'glob of **/*.ts in 200,000 files',
    target: {atMost: 1.3, of: 'rg --files with the same glob'},
    async run() {
      const {root} = tree();
      await using kernel = await openSearch([root]);
      const {ours, theirs, detail} = await compare(
        () => timeCall(kernel, 'glob', {pattern: '**/*.ts'}),
        () => timeRipgrep(['--files', '--hidden', '--glob=**/*.ts', root]),
      );
      return {ratio: ours / theirs, detail};
    },
  };
}

function firstResult(tree: Tree): Bench {
  return {
    name: 'first result of grep_search on progress',
    target: {atMost: 50, of: 'a millisecond'},
    async run() {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        // A kernel of its own each time: finding the engine counts.
        await using kernel = await openSearch([tree().root]);
        const started = performance.now();
        let heard = Number.NaN;
        const onProgress = (): void => {
          if (Number.isNaN(heard)) heard = performance.now() - started;
        };
        await kernel.session.call(
          {tool: 'grep_search', input: {pattern: 'const', total_max_matches: 1000}},
          {onProgress},
        );
        times.push(heard);
      }
      return {
        ratio: median(times),
        detail: `slowest of ${ROUNDS}: ${Math.max(...times).toFixed(0)} ms; with finding the engine`,
      };
    },
  };
}

function memory(tree: Tree): Bench {
  return {
    name: 'memory added by millions of matches',
    target: {atMost: 80, of: 'a mebibyte'},
    async run() {
      const {root} = tree();
      const peak = (pattern: string, most: string): number =>
        median(Array.from({length: 3}, () => peakMemory({argv: [memoryProgram, pattern, most, root]})));
      const [few, many] = [peak('nowhereAtAll', '100'), peak('.', '1000000')];
      return {
        ratio: (many - few) / MIB,
        detail: `${(many / MIB).toFixed(1)} MiB against ${(few / MIB).toFixed(1)} MiB for no match, medians of 3`,
      };
    },
  };
}

function javascript(tree: Tree, name: string, input: object): Bench {
  return {
    name: `the JavaScript engine, ${name} in 200,000 files`,
    target: {atMost: 6, of: 'ripgrep through the same tool'},
    async run() {
      await using plain = await openSearch([tree().root], {tools: {useRipgrep: false}});
      await using fast = await openSearch([tree().root]);
      const {ours, theirs, detail} = await compare(
        () => timeCall(plain, 'grep_search', input),
        () => timeCall(fast, 'grep_search', input),
        3,
      );
      return {ratio: ours / theirs, detail};
    },
  };
}

function givingUp(tree: Tree): Bench {
  return {
    name: 'giving up a search until its process is gone',
    target: {atMost: 50, of: 'a millisecond'},
    async run() {
      await using kernel = await openSearch([tree().root]);
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const giveUp = new AbortController();
        let given = Number.NaN;
        const onProgress = (): void => {
          given = performance.now();
          giveUp.abort();
        };
        await kernel.session
          .call({tool: 'grep_search', input: TEXT}, {signal: giveUp.signal, onProgress})
          .catch(() => undefined);
        times.push(performance.now() - given);
      }
      return {ratio: median(times), detail: `slowest of ${ROUNDS}: ${Math.max(...times).toFixed(0)} ms`};
    },
  };
}

function severalRoots(tree: Tree): Bench {
  return {
    name: 'grep_search in three roots',
    target: {atMost: 1.1, of: 'the same files in one'},
    async run() {
      const {root, parts} = tree();
      await using three = await openSearch(parts);
      await using one = await openSearch([root]);
      const {ours, theirs, detail} = await compare(
        () => timeCall(three, 'grep_search', TEXT),
        () => timeCall(one, 'grep_search', TEXT),
      );
      return {ratio: ours / theirs, detail};
    },
  };
}

/** Searching 200,000 files in 20,000 folders. */
export function benchSearch(): readonly Bench[] {
  const tree = lazyTree();
  return [
    grep(tree, 'a text', TEXT, ['--fixed-strings']),
    grep(tree, 'a regular expression', REGEX, []),
    glob(tree),
    firstResult(tree),
    memory(tree),
    javascript(tree, 'a text', TEXT),
    javascript(tree, 'a regular expression', REGEX),
    givingUp(tree),
    severalRoots(tree),
  ];
}
