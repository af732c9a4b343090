import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {Script, ScriptedAnswer, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {checkout} from '../../helpers/plugin-root.js';
import {says, type AgentPlace} from '../../helpers/run-agent.js';
import {isolate} from '../../helpers/run-gemini.js';
import {openEvals, promptOf, readLines} from './scene.js';
import {openSharedQueue} from './shared-queue.js';

const ask = (name: string): string => `prompt = "${name}"\n[expect.answer]\ncontains = "Hello ${name}"\n`;
const hello = (request: SeenRequest): ScriptedAnswer => says(`Hello ${promptOf(request)}`);

/** A worker that ends when the queue is empty. */
function work(place: AgentPlace, address: string, ...words: readonly string[]): ReturnType<AgentPlace['run']> {
  return place.run(['evals', 'work', '--from', address, '--until-empty', '--yes', ...words]);
}

function collect(place: AgentPlace, address: string, ...words: readonly string[]): ReturnType<AgentPlace['run']> {
  return place.run(['evals', 'run', '--queue', address, '--models', 'model-a', ...words]);
}

test('workers run each repetition once, and the results come together in one file [evals.queue]', async () => {
  await using place = await openEvals({a: ask('a'), b: ask('b')}, {script: hello});
  await using queue = await openSharedQueue(place);
  const collecting = collect(place, queue.address, '--repeat', '3', '--output', 'r.jsonl');
  await queue.until(({waiting}) => waiting === 6);
  const workers = await Promise.all([work(place, queue.address), work(place, queue.address, '--jobs', '1', '--json')]);
  expect(workers.map(({code}) => code)).toEqual([0, 0]);
  expect(await collecting).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('gemini evals work --from proxy://'),
  });
  const lines = await readLines(place);
  expect(lines.map((line) => `${line.eval}${line.repetition} ${line.status}`)).toEqual([
    ...['a1 passed', 'a2 passed', 'a3 passed', 'b1 passed', 'b2 passed', 'b3 passed'],
  ]);
  expect(place.server.requests).toHaveLength(6);
  expect((await place.run(['evals', 'replay', 'r.jsonl', 'b'])).stdout).toContain('Hello b');
});

test('a run continues with what workers did meanwhile, and runs what a lost worker had again [evals.queue]', async () => {
  await using place = await openEvals({a: ask('a')}, {script: hello});
  await using queue = await openSharedQueue(place);
  const words = [
    'evals',
    'run',
    '--queue',
    queue.address,
    '--models',
    'model-a',
    '--repeat',
    '3',
    '--output',
    'r.jsonl',
  ];
  const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
    ...{cwd: place.project, env: isolate(place.home), stdio: 'ignore'},
  });
  await queue.until(({waiting}) => waiting === 3);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // A worker that took one and was lost.
  await queue.engine.claim(queue.folder, {name: 'lost', leaseMs: 10});
  while ((await queue.counts()).running > 0) await new Promise(setImmediate);
  expect(await work(place, queue.address)).toMatchObject({code: 0});
  expect(place.server.requests).toHaveLength(3);
  const resumed = await collect(place, queue.address, '--resume', 'r.jsonl');
  expect(resumed.code).toBe(0);
  expect(place.server.requests).toHaveLength(3);
  const keys = (await readLines(place)).map(({repetition, status}) => `${repetition} ${status}`);
  expect(keys).toEqual(['1 passed', '2 passed', '3 passed']);
});

test('a model that cannot be asked is an error of a worker too, and is run again later [evals.queue]', async () => {
  let isBroken = true;
  const script: Script = (request) => (isBroken ? {refusal: {status: 401}} : hello(request));
  await using place = await openEvals({a: ask('a'), b: ask('b')}, {script});
  await using queue = await openSharedQueue(place);
  const collecting = collect(place, queue.address, '--repeat', '4', '--output', 'r.jsonl');
  await queue.until(({waiting}) => waiting === 8);
  const working = place.run(['evals', 'work', '--from', queue.address, '--jobs', '1', '--yes', '--until-empty']);
  const ended = await collecting;
  expect(ended).toMatchObject({code: 1, stderr: expect.stringContaining('since their model could not be asked')});
  await working;
  expect((await readLines(place)).every(({status}) => status === 'error')).toBe(true);
  isBroken = false;
  const again = collect(place, queue.address, '--repeat', '4', '--resume', 'r.jsonl');
  await queue.until(({waiting}) => waiting > 0);
  await work(place, queue.address, '--jobs', '4');
  expect(await again).toMatchObject({code: 0});
  const last = new Map((await readLines(place)).map((line) => [`${line.eval}${line.repetition}`, line.status]));
  expect([...last.values()]).toEqual(Array(8).fill('passed'));
});

test('a budget of the queue ends the run, which continues with more [evals.queue]', async () => {
  await using place = await openEvals({a: ask('a')}, {script: hello});
  await using queue = await openSharedQueue(place);
  // Each repetition takes 12 tokens.
  const collecting = collect(place, queue.address, '--repeat', '5', '--output', 'r.jsonl', '--tokens', '20');
  await queue.until(({waiting}) => waiting === 5);
  await work(place, queue.address, '--jobs', '1');
  expect(await collecting).toMatchObject({
    ...{code: 1, stderr: expect.stringContaining('3 repetitions were left out, since the budget of the queue is used')},
  });
  expect(place.server.requests).toHaveLength(2);
  const more = collect(place, queue.address, '--repeat', '5', '--resume', 'r.jsonl', '--tokens', '1k');
  await queue.until(({limits}) => limits.budget?.tokens === 1000);
  await work(place, queue.address);
  expect(await more).toMatchObject({code: 0});
  expect(place.server.requests).toHaveLength(5);
});

test('a worker runs only what it has: nothing of a queue is code, rules or a file name [evals.queue]', async () => {
  await using place = await openEvals({a: ask('a')}, {script: hello});
  await using queue = await openSharedQueue(place);
  const collecting = collect(place, queue.address, '--output', 'r.jsonl');
  await queue.until(({waiting}) => waiting === 1);
  // The folder of this worker has another evaluation of that name.
  await writeFile(join(place.project, 'evals/a/eval.toml'), ask('other'));
  const other = await work(place, queue.address, '--json');
  expect(JSON.parse(other.stdout)).toMatchObject({
    error: {code: 'EVAL_TASK_OTHER', message: 'The evaluation "a" of this queue is another one here.'},
  });
  expect({...(await queue.counts()), requests: place.server.requests.length}).toMatchObject({waiting: 1, requests: 0});
  // A worker that says something else about it.
  const answer = await queue.engine.claim(queue.folder, {name: 'stranger', leaseMs: 10_000});
  const result = {result: {kind: 'result', eval: '../../x', conversation: '/etc/passwd'}};
  if ('claim' in answer) await queue.engine.finish(queue.folder, answer.claim, {result, spent: {tokens: 0, cost: 0}});
  expect(await collecting).toMatchObject({code: 1});
  expect(await readLines(place)).toMatchObject([
    {eval: 'a', status: 'error', faults: ['Its worker gave no result that can be read.'], conversation: ''},
  ]);
  await queue.engine.put(queue.folder, [{id: 'x', payload: {prompt: 'rm -rf /'}}]);
  expect(JSON.parse((await work(place, queue.address, '--json')).stdout)).toMatchObject({
    error: {code: 'EVAL_TASK_OTHER', message: 'The task x of this queue is no repetition of an evaluation.'},
  });
  for (const [words, sentence] of [
    [['run', '--queue', 'folder'], '--queue is no address of a queue that machines share.'],
    [['run', '--queue', 'redis://a:secret@b/0'], 'names a queue that no plugin offers: queue:bullmq.'],
    [['run', '--queue', queue.address, '--budget', '5M'], '--budget is "5M", which is no such amount.'],
    [['run', '--queue', queue.address, '--yolo'], '--yolo has no effect with --queue.'],
    [['work', '--from', 'folder'], '--from is no address of a queue that machines share.'],
  ] as const) {
    const {code, stderr} = await place.run(['evals', ...words]);
    expect({code, stderr}).toEqual({code: 42, stderr: expect.stringContaining(sentence)});
    expect(stderr).not.toContain('secret');
  }
});
