import {appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-code/contract';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';
import {codingKernel} from '../plugins/code/coding-kernel.js';
import {median, peakMemory, timeRun, type Bench, type Program} from './measure.js';

const FILES = 10_000;
const FOLDERS = 100;
const ROUNDS = 5;
const MIB = 1024;
/** Ordinary source files: 20 to 250 lines. */
const SAMPLES = [
  'policy/src/bash/walk.ts',
  'search/src/javascript/walk.ts',
  'agent/src/model.ts',
  'code/src/live-code.ts',
];

interface Tree {
  readonly project: string;
  readonly home: string;
}

let made: Tree | undefined;

/** 10,000 TypeScript files; made when first needed, and removed when all is done. */
function tree(): Tree {
  if (made) return made;
  const root = mkdtempSync(join(tmpdir(), 'gemini-bench-'));
  process.once('exit', () => rmSync(root, {recursive: true}));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(home);
  const samples = SAMPLES.map((name) => readFileSync(join(checkout, 'plugins', name), 'utf8'));
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(project, `d${folder}`), {recursive: true});
    for (let index = 0; index < FILES / FOLDERS; index += 1) {
      const text = samples[index % samples.length] ?? '';
      const own = text.replaceAll(/(export (?:class|function|const|interface|type) \w+)/g, `$1_${folder}_${index}`);
      writeFileSync(join(project, `d${folder}`, `f${index}.ts`), own);
    }
  }
  made = {project, home};
  return made;
}

function program(...args: readonly string[]): Program {
  const {project, home} = tree();
  return {
    argv: [join(checkout, 'bin', 'gemini.cjs'), ...args],
    cwd: project,
    variables: {...isolate(home), GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  };
}

/** The milliseconds that bringing the index up to date took, as the program says. */
async function indexMs(kernel: TestKernel): Promise<number> {
  return (await (await kernel.service('code')).status()).ms;
}

export const codeBenches: readonly Bench[] = [
  {
    name: 'index of 10,000 TypeScript files, made',
    target: {atMost: 25, of: 'a second'},
    run: async () => {
      const seconds = timeRun(program('code', 'status')) / 1000;
      return {ratio: seconds, detail: `${seconds.toFixed(1)} s with the start of the program`};
    },
  },
  {
    name: 'index of 10,000 TypeScript files, when nothing changed',
    target: {atMost: 0.3, of: 'a second more than a command'},
    run: async () => {
      timeRun(program('code', 'status'));
      const [whole, bare] = [program('code', 'status'), program('directory', 'show')];
      const seconds = median(Array.from({length: ROUNDS}, () => (timeRun(whole) - timeRun(bare)) / 1000));
      return {ratio: seconds, detail: `${(seconds * 1000).toFixed(0)} ms`};
    },
  },
  {
    name: 'memory of an index of 10,000 TypeScript files, made',
    target: {atMost: 150, of: 'a MiB more than a command'},
    run: async () => {
      rmSync(join(tree().home, '.cache'), {recursive: true, force: true});
      const made = peakMemory(program('code', 'status')) / MIB;
      const bare = peakMemory(program('directory', 'show')) / MIB;
      return {ratio: made - bare, detail: `${made.toFixed(0)} MiB, the command ${bare.toFixed(0)} MiB`};
    },
  },
  {
    name: 'an edit is in the index',
    target: {atMost: 50, of: 'a millisecond'},
    run: async () => {
      await using kernel = await codingKernel();
      const file = join(kernel.project, 'a.ts');
      writeFileSync(file, readFileSync(join(checkout, 'plugins', 'search/src/javascript/walk.ts')));
      await indexMs(kernel);
      const index = await kernel.service('code-index');
      const code = await kernel.service('code');
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        appendFileSync(file, `export function added_${round}() {}\n`);
        index.touched(file);
        const started = performance.now();
        const {items} = await code.definitions({name: `added_${round}`});
        times.push(performance.now() - started);
        if (items.length !== 1) throw new Error('The edit was not seen.');
      }
      return {ratio: median(times), detail: `${median(times).toFixed(1)} ms`};
    },
  },
  {
    name: 'outline of a file of 5,000 lines',
    target: {atMost: 60, of: 'a millisecond'},
    run: async () => {
      await using kernel = await codingKernel();
      const path = join(kernel.project, 'long.ts');
      const text = readFileSync(join(checkout, 'plugins', 'search/src/javascript/walk.ts'), 'utf8');
      const code = await kernel.service('code');
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const lines = `${text}\n// ${round}\n`.repeat(25).split('\n').slice(0, 5000);
        writeFileSync(path, lines.join('\n'));
        const started = performance.now();
        await code.outline(path);
        times.push(performance.now() - started);
      }
      const warm = median(times.slice(1));
      return {ratio: warm, detail: `${warm.toFixed(0)} ms, the first ${(times[0] ?? 0).toFixed(0)} ms`};
    },
  },
];
