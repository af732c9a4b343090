import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {exactTest, holm} from '#plugins/evals/dist/compare/exact-test.js';
import {says} from '../../helpers/run-agent.js';
import type {AgentPlace} from '../../helpers/run-agent.js';
import {openEvals, readLines, runEvals} from './scene.js';

const pair = (passedA: number, countA: number, passedB: number, countB: number) => ({passedA, countA, passedB, countB});

test.each([
  // The lady who tasted tea, and a table of Fisher's with its known value.
  ['3 of 4 and 1 of 4', [pair(3, 4, 1, 4)], 0.485714],
  ['1 of 12 and 9 of 12', [pair(1, 12, 9, 12)], 0.002759],
  ['5 of 5 and 0 of 5', [pair(5, 5, 0, 5)], 0.007937],
  ['the same', [pair(2, 4, 2, 4)], 1],
  ['nothing and nothing', [pair(0, 3, 0, 5)], 1],
  // 3 heads in 3 tosses on each side of three fair strata: 2 x (1/2)^3.
  ['three small ones that agree', [pair(1, 1, 0, 1), pair(1, 1, 0, 1), pair(1, 1, 0, 1)], 0.25],
])('the exact test of %s [evals.compare]', (_, pairs, p) => {
  expect(exactTest(pairs)).toBeCloseTo(p, 6);
});

test('p is corrected for how many are looked at, and stays in order [evals.compare]', () => {
  expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
  expect(holm([0.5, 0.9])).toEqual([1, 1]);
});

/** Writes a run in which evaluations passed so often. */
async function writeRun(
  place: AgentPlace,
  file: string,
  passed: Readonly<Record<string, readonly [passed: number, count: number]>>,
  model = 'model-a',
): Promise<void> {
  const header = {
    ...{kind: 'run', format: 1, run: file, started: '2026-01-01T00:00:00.000Z', version: '1.0.0', from: '/p'},
    ...{filter: '', models: []},
    evals: Object.fromEntries(Object.keys(passed).map((name) => [name, {digest: 'd', passRate: 1}])),
  };
  const results = Object.entries(passed).flatMap(([name, [good, count]]) =>
    Array.from({length: count}, (_, index) => ({
      ...{kind: 'result', eval: name, model, repetition: index + 1, digest: 'd'},
      ...{status: index < good ? 'passed' : 'failed', faults: index < good ? [] : ['<script>alert(1)</script>']},
      ...{outcome: 'done', calls: 1, refused: 0, turns: 2, tokens: 30, seconds: 1, conversation: ''},
    })),
  );
  await writeFile(join(place.project, file), [header, ...results].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

test('a run is worse only where the test shows it, and says which [evals.compare]', async () => {
  await using place = await openEvals({});
  await writeRun(place, 'a.jsonl', {easy: [8, 8], hard: [4, 8], old: [1, 1]});
  await writeRun(place, 'b.jsonl', {easy: [1, 8], hard: [5, 8], new: [1, 1]});
  const worse = await place.run(['evals', 'compare', 'a.jsonl', 'b.jsonl', '--json']);
  expect(worse.code).toBe(1);
  expect(JSON.parse(worse.stdout)).toMatchObject({
    rows: [
      {eval: 'easy', verdict: 'worse', difference: -0.875},
      {eval: 'hard', verdict: 'no difference shown', difference: 0.125},
    ],
    ...{missing: ['new', 'old'], isWorse: true},
  });
  const better = await place.run(['evals', 'compare', 'b.jsonl', 'a.jsonl']);
  expect(better).toMatchObject({code: 0, stdout: expect.stringMatching(/▲ easy\s.*1\/8\s+8\/8\s+\+88 %/)});
  await writeRun(place, 'c.jsonl', {easy: [1, 8]}, 'model-c');
  // Runs with one model each are compared, whatever the model.
  expect((await place.run(['evals', 'compare', 'a.jsonl', 'c.jsonl'])).stdout).toContain('model-a → model-c');
  for (const [words, code] of [
    [['a.jsonl'], 'EVAL_FLAG_INVALID'],
    [['a.jsonl', 'b.jsonl', '--models', 'x'], 'EVAL_FLAG_INVALID'],
    [['a.jsonl', 'b.jsonl', '--models', 'x,y'], 'EVAL_RUN_UNKNOWN'],
    [['a.jsonl', 'none.jsonl'], 'EVAL_RUN_UNREADABLE'],
  ] as const)
    expect(JSON.parse((await place.run(['evals', 'compare', ...words, '--json'])).stdout)).toMatchObject({
      error: {code},
    });
});

test('the page has pictures, no script, and texts as texts [evals.page]', async () => {
  await using place = await openEvals({});
  const hostile = '</title><img src=x onerror=alert(1)>\u202e"&';
  await writeRun(place, 'a.jsonl', {[hostile]: [2, 4], plain: [4, 4]});
  await writeRun(place, 'b.jsonl', {[hostile]: [1, 4], plain: [0, 4]});
  await place.run(['evals', 'compare', 'a.jsonl', 'b.jsonl', '--html', 'page.html']);
  const page = await place.read('page.html');
  expect(page).toMatch(/^<!doctype html>[\s\S]*default-src 'none'[\s\S]*<\/html>\n$/);
  expect(page.match(/<svg /g)?.length).toBeGreaterThanOrEqual(3);
  expect(page).not.toMatch(/<script|<img|\u202e|src=[^x]|href=/);
  expect(page).toContain('&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;\\u{202e}&quot;&amp;');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  const tags = [...page.matchAll(/<(\/?)(svg|g|table|figure|details|body|html|pre|summary)\b/g)];
  const open = tags.filter(([, end]) => end === '').length;
  expect(tags.length - open).toBe(open);
  expect((await place.run(['evals', 'show', 'a.jsonl', '--html', '/no/such/page.html'])).stderr).toContain(
    'Cannot write the page /no/such/page.html',
  );
});

test('a baseline decides how a run ends, and a repetition is shown again [evals.compare] [evals.replay]', async () => {
  const greet = 'prompt = "greet"\nrepeat = 4\n[expect.answer]\ncontains = "Hello"\n';
  const answers = ['Hello', 'Hello', 'Oh', 'Hello'];
  await using place = await openEvals({greet}, {script: () => says(answers.shift() ?? 'Oh')});
  await writeRun(place, 'even.jsonl', {greet: [2, 4]});
  // Not all passed, as the evaluation wants; it is no worse than before.
  const run = await runEvals(place, ['--jobs', '1', '--baseline', 'even.jsonl', '--html', 'page.html']);
  expect(run).toMatchObject({code: 0, stdout: expect.stringContaining('no difference shown')});
  expect(await place.read('page.html')).toContain('3/4');
  expect((await readLines(place)).map(({status}) => status)).toEqual(['passed', 'passed', 'failed', 'passed']);
  const shown = await place.run(['evals', 'replay', 'r.jsonl', 'greet']);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(
    /^greet {2}model-a {2}3: failed\n[\s\S]*> greet\n\n {2}Oh\n[\s\S]*does not contain "Hello"/,
  );
  expect((await place.run(['evals', 'replay', 'r.jsonl', 'greet', '--repetition', '1'])).stdout).toContain('Hello');
  for (const words of [['other'], ['greet', '--repetition', '9'], ['greet', '--model', 'x']])
    expect(JSON.parse((await place.run(['evals', 'replay', 'r.jsonl', ...words, '--json'])).stdout)).toMatchObject({
      error: {code: 'EVAL_RUN_UNKNOWN'},
    });
  // Nothing passes any more.
  await writeRun(place, 'best.jsonl', {greet: [20, 20]});
  const worse = await place.run([
    'evals',
    'run',
    '--output',
    'w.jsonl',
    '--models',
    'model-a',
    '--baseline',
    'best.jsonl',
  ]);
  expect(worse).toMatchObject({code: 1, stdout: expect.stringContaining('▼')});
});
