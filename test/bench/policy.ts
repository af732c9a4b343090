import type * as Engines from '#plugins/policy/dist/engine/engine.js';
import type {Circumstances, Judged} from '#plugins/policy/dist/engine/judge-part.js';
import {median, type Bench} from './measure.js';

const BATCH = 200;
const BATCHES = 60;
const SCRIPTS = 10;
const circumstances: Circumstances = {mode: 'default', interactive: true, trusted: true, roots: ['/work']};

type Judge = (index: number) => Promise<unknown>;

interface Loaded {
  readonly engine: Engines.Engine;
  readonly loadMs: number;
}

/**
 * Rules as platform teams write them: a fifth each for tools, paths, arguments, commands, and commands of one program.
 */
function writeRules(count: number): string {
  const kinds = [
    (n: number) => `toolName = "mcp_server${n}_find"\ndecision = "ask_user"`,
    (n: number) => `toolName = ["read_file", "write_file"]\npath = "packages/part${n}/secret/**"\ndecision = "deny"`,
    (n: number) => `toolName = "write_file"\nargsPattern = '"content":"forbidden${n}'\ndecision = "deny"`,
    (n: number) => `toolName = "run_shell_command"\ncommandPrefix = "tool${n} apply"\ndecision = "ask_user"`,
    (n: number) => `toolName = "run_shell_command"\ncommandPrefix = "git sub${n}"\ndecision = "deny"`,
  ];
  const rules = Array.from(
    {length: count - 2},
    (_, n) => `[[rule]]\n${kinds[n % kinds.length]?.(n) ?? ''}\npriority = ${100 + (n % 800)}\n`,
  );
  return [
    ...rules,
    '[[rule]]\ntoolName = "write_file"\ndecision = "allow"\npriority = 1\n',
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["git", "head", "ls"]\ndecision = ' +
      '"allow"\npriority = 1\n',
  ].join('\n');
}

async function load(count: number): Promise<Loaded> {
  const [{readRules}, {Engine}, {openShellReader}, {emptyDisk}] = await Promise.all([
    import('#plugins/policy/dist/read/read-rules.js'),
    import('#plugins/policy/dist/engine/engine.js'),
    import('#plugins/policy/dist/bash/open-reader.js'),
    import('#plugins/policy/dist/engine/disk.js'),
  ]);
  const text = writeRules(count);
  const began = performance.now();
  const {rules, problems} = readRules(text, {
    tier: 'user',
    file: 'bench.toml',
    label: 'User: bench.toml',
    knownTools: [],
  });
  const engine = new Engine(
    {rules},
    {
      platform: 'linux',
      home: '/home/me',
      openShellReader,
      realPaths: (paths) => Promise.resolve(paths),
      disk: emptyDisk,
    },
  );
  await engine.judge(fileCall(0), circumstances);
  const loadMs = performance.now() - began;
  if (rules.length < count || problems.some(({severity}) => severity === 'error'))
    throw new Error(`Of ${count} rules ${rules.length} were read.`);
  return {engine, loadMs};
}

function fileCall(index: number): Judged {
  const path = `/work/packages/part${index}/src/file${index}.ts`;
  return {
    tool: 'write_file',
    effect: 'edit',
    annotations: {},
    input: {file_path: path, content: `export const value${index} = 'some text';\n`.repeat(4)},
    touches: [{kind: 'path', value: path, access: 'write'}],
  };
}

function lineCall(command: string): Judged {
  return {
    tool: 'run_shell_command',
    effect: 'execute',
    annotations: {},
    input: {command},
    touches: [{kind: 'command', value: command, access: 'run', directory: '/work'}],
  };
}

/** Microseconds of one judgement: the median of batches, each of calls that differ. */
async function timeEach(judge: Judge, batchSize = BATCH): Promise<number> {
  for (let index = 0; index < batchSize * 10; index += 1) await judge(index);
  const batches: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const began = performance.now();
    for (let index = 0; index < batchSize; index += 1) await judge(batch * batchSize + index);
    batches.push(((performance.now() - began) * 1000) / batchSize);
  }
  return median(batches);
}

const expectations: Readonly<Record<string, string>> = {file: 'allow', line: 'allow'};

async function timeKind(kind: 'file' | 'line', count: number): Promise<number> {
  const {engine} = await load(count);
  const call = (index: number): Judged =>
    kind === 'file' ? fileCall(index) : lineCall(`git log --max-count ${index} src${index} | head -${index}`);
  const {decision} = await engine.judge(call(1), circumstances);
  if (decision !== expectations[kind]) throw new Error(`The ${kind} was decided to ${decision}.`);
  return timeEach((index) => engine.judge(call(index), circumstances));
}

function judging(name: string, kind: 'file' | 'line', atMost: number): Bench {
  return {
    name: `judging ${name} against 10,000 rules`,
    target: {atMost, of: 'a microsecond'},
    async run() {
      const each = await timeKind(kind, 10_000);
      return {ratio: each, detail: `median of ${BATCHES} batches of ${BATCH} calls, no two alike`};
    },
  };
}

function growing(name: string, kind: 'file' | 'line'): Bench {
  return {
    name: `judging ${name} against 10,000 rules`,
    target: {atMost: 2, of: 'the same against 100'},
    async run() {
      const [few, many] = [await timeKind(kind, 100), await timeKind(kind, 10_000)];
      return {ratio: many / few, detail: `${many.toFixed(1)} us / ${few.toFixed(1)} us`};
    },
  };
}

const loading: Bench = {
  name: 'loading 10,000 rules up to the first judgement',
  target: {atMost: 400, of: 'a millisecond'},
  async run() {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) times.push((await load(10_000)).loadMs);
    return {ratio: median(times), detail: 'median of 5, from TOML text'};
  },
};

const script: Bench = {
  name: 'judging a shell script of 2 KB',
  target: {atMost: 3, of: 'a millisecond'},
  async run() {
    const {engine} = await load(10_000);
    const part = (n: number): string =>
      `for f in src/*.ts; do\n  if [ -f "$f" ] && git log --oneline -n ${n} "$f" | head -3; then ls -l "$f"; ` +
      `fi\ndone\n(cd sub${n} && git status) || ls "sub ${n}"\ngit commit -m "$(git log -1 --format=%s) ${n}"\n`;
    const text = Array.from({length: 10}, (_, n) => part(n))
      .join('')
      .slice(0, 2048);
    const whole = text.slice(0, text.lastIndexOf('for f in'));
    const us = await timeEach((index) => engine.judge(lineCall(`${whole}ls ${index}`), circumstances), SCRIPTS);
    return {
      ratio: us / 1000,
      detail: `${whole.length} characters, median of ${BATCHES} batches of ${SCRIPTS} scripts, no two alike`,
    };
  },
};

/** What it costs to judge, with very many rules. */
export const policies: readonly Bench[] = [
  judging('a call of a file tool', 'file', 20),
  growing('a call of a file tool', 'file'),
  judging('a short shell line', 'line', 100),
  growing('a short shell line', 'line'),
  loading,
  script,
];
