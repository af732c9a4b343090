import {readdir, readFile, writeFile} from 'node:fs/promises';
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {parse} from 'smol-toml';
import type {ScriptedAnswer, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {edits} from '#plugins/evals/dist/suites/edits.js';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';
import {hasResults, promptOf, readLines} from './scene.js';

interface Written {
  readonly prompt: string;
  readonly files: Readonly<Record<string, string>>;
  readonly expect: {
    readonly answer?: {readonly contains: string};
    readonly files?: Readonly<Record<string, {readonly equal?: string; readonly contains?: string}>>;
    readonly calls?: readonly {readonly tool: string; readonly most?: number}[];
  };
}

/** The evaluations of a folder, by their prompts. */
async function readWritten(folder: string): Promise<ReadonlyMap<string, Written>> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name, 'eval.toml'), 'utf8')));
  return new Map(texts.map((text) => parse(text) as unknown as Written).map((one) => [one.prompt, one]));
}

/** What a model does that does what is expected: the calls first, then the answer. */
function solve({expect: wanted, files}: Written, request: SeenRequest): ScriptedAnswer {
  const answer = wanted.answer?.contains ?? 'Done.';
  if (hasResults(request)) return says(answer);
  const [path, check] = Object.entries(wanted.files ?? {})[0] ?? ['', {}];
  if (check.equal !== undefined) return callsTools(['write_file', {file_path: path, content: check.equal}]);
  if (check.contains !== undefined) {
    const content = (files[path] ?? '').replace(/^.*TAX = .*$/m, check.contains);
    return callsTools(['write_file', {file_path: path, content}]);
  }
  const reads = wanted.calls?.some(({tool, most}) => tool === 'read_file' && most === undefined);
  return reads ? callsTools(['read_file', {file_path: Object.keys(files)[1]}]) : says(answer);
}

test('the same seed makes the same edits, in five languages and of four kinds [evals.suites]', () => {
  const make = (seed: number): readonly {name: string; toml: object}[] => edits.make({count: 300, seed});
  expect(make(1)).toEqual(make(1));
  expect(make(1)).not.toEqual(make(2));
  const names = make(1).map(({name}) => name);
  expect(new Set(names).size).toBe(300);
  const [languages, kinds] = [1, 2].map((at) => new Set(names.map((name) => name.split('-')[at])));
  expect([languages?.size, kinds?.size]).toEqual([5, 4]);
  for (const {toml} of make(3)) {
    const {files, expect: wanted} = toml as Written;
    const [[path = '', text] = []] = Object.entries(files);
    expect(wanted.files?.[path]?.equal).not.toBe(text);
  }
});

test('generated files are code before and after the edit [evals.suites]', async () => {
  await using place = await openAgentPlace();
  const written = edits.make({count: 60, seed: 5}).flatMap(({toml}): readonly (readonly [string, string])[] => {
    const {files, expect: wanted} = toml as unknown as Written;
    return Object.entries(files).flatMap(([path, text]) => [
      [path, text] as const,
      [path, wanted.files?.[path]?.equal ?? ''] as const,
    ]);
  });
  const scripts = written.filter(([path]) => path === 'sums.js').map(([, text]) => text);
  const module = scripts.map(
    (text) => `await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(text)}`)});`,
  );
  await writeFile(join(place.project, 'all.mjs'), module.join('\n'));
  expect(spawnSync(process.execPath, [join(place.project, 'all.mjs')], {encoding: 'utf8'})).toMatchObject({stderr: ''});
  const python = written.filter(([path]) => path === 'sums.py').map(([, text]) => text);
  await writeFile(join(place.project, 'all.py'), python.join('\n'));
  const found = spawnSync('python3', ['-m', 'py_compile', join(place.project, 'all.py')], {encoding: 'utf8'});
  if (found.error === undefined) expect(found).toMatchObject({status: 0, stderr: ''});
});

async function run(place: AgentPlace, suite: string): Promise<readonly string[]> {
  const file = `${suite}.jsonl`;
  const words = ['--from', `evals/${suite}`, '--output', file, '--models', 'model-a', '--jobs', '4', '--yes'];
  await place.run(['evals', 'run', ...words]);
  return (await readLines(place, file)).map(({eval: name, status}) => `${name} ${status}`);
}

test.each([
  {suite: 'edits', words: ['--count', '5'], idle: []},
  {suite: 'tools', words: [], idle: []},
  {suite: 'injection', words: [], idle: []},
  {suite: 'long-context', words: [], idle: []},
  // To do nothing is right where what is asked for is not allowed.
  {suite: 'policy', words: [], idle: ['no-shell', 'plan-mode']},
])('$suite can be passed, and not by doing nothing [evals.suites]', async ({suite, words, idle}) => {
  const folder = {path: ''};
  const known: {all?: ReadonlyMap<string, Written>} = {};
  let isIdle = false;
  await using place = await openAgentPlace({
    script: async (request: SeenRequest) => {
      known.all ??= await readWritten(folder.path);
      const found = known.all.get(promptOf(request));
      return isIdle || !found ? says('I did nothing.') : solve(found, request);
    },
  });
  folder.path = join(place.project, 'evals', suite);
  const made = await place.run(['evals', 'init', suite, ...words, '--json']);
  const {evals} = JSON.parse(made.stdout) as {readonly evals: number};
  const passed = await run(place, suite);
  expect(passed).toHaveLength(evals);
  expect(passed.filter((line) => !line.endsWith(' passed'))).toEqual([]);
  isIdle = true;
  const again = await place.run([
    'evals',
    'run',
    '--from',
    `evals/${suite}`,
    '--output',
    'idle.jsonl',
    '--models',
    'model-a',
    '--yes',
  ]);
  const lines = (await readLines(place, 'idle.jsonl')).filter(({status}) => status === 'passed');
  expect({code: again.code, passed: lines.map(({eval: name}) => name)}).toEqual({code: 1, passed: idle});
});

test('a suite is written whole and over nothing [evals.suites]', async () => {
  await using place = await openAgentPlace({files: {'evals/tools/mine.txt': 'mine', 'a.txt': ''}});
  const listed = await place.run(['evals', 'init']);
  expect(listed).toMatchObject({code: 0, stdout: expect.stringMatching(/^edits\s+one exact change/m)});
  for (const [words, code, name, sentence] of [
    [['tools'], 1, 'EVAL_UNWRITABLE', 'the folder is there and not empty'],
    [['tols'], 42, 'EVAL_UNKNOWN', 'Did you mean tools?'],
    [['tools', '--to', '/proc/none/tools'], 1, 'EVAL_UNWRITABLE', 'Cannot write evaluations to /proc/none/tools'],
    [['tools', '--to', 'a.txt/tools'], 1, 'EVAL_UNWRITABLE', 'Cannot write evaluations to'],
  ] as const) {
    const end = await place.run(['evals', 'init', ...words, '--json']);
    expect(JSON.parse(end.stdout)).toMatchObject({error: {code: name}});
    expect({code: end.code, stderr: end.stdout}).toEqual({code, stderr: expect.stringContaining(sentence)});
  }
  expect(await place.read('evals/tools/mine.txt')).toBe('mine');
  expect((await readdir(join(place.project, 'evals'))).sort()).toEqual(['tools']);
});
