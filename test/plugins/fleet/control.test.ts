import {appendFileSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {setTimeout} from 'node:timers/promises';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {says} from '../../helpers/run-agent.js';
import {runChaos} from '../../chaos/fleet-chaos.js';
import {childrenOf} from '../../chaos/kills.js';
import {git, openFleet, OPEN, resultsOf, RUN, startFleet, writes} from './scene.js';

const STALLED = (): ScriptedAnswer => ({...says('Never'), stall: 'headers'});

test('a pause reaches runs at once, and what was begun is continued afterwards [fleet.pause]', async () => {
  await using place = await openFleet();
  place.server.script(STALLED);
  const running = place.run([...RUN, ...OPEN, '--json']);
  const act = async () => {
    await place.server.arrived(3);
    const began = performance.now();
    await place.run(['fleet', 'pause']);
    return began;
  };
  const [ended, began] = await Promise.all([running, act()]);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(JSON.parse(ended.stdout)).toMatchObject({stopped: 'paused', waiting: 3, failed: 0});
  place.server.script(writes);
  const again = await place.run([...RUN, ...OPEN, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({stopped: 'empty', done: 3});
  expect((await resultsOf(place)).map(({attempts}) => attempts)).toEqual([1, 1, 1]);
});

test('a cancel reaches a run at once, and retry has it wait again [fleet.cancel]', async () => {
  await using place = await openFleet({}, ['a']);
  place.server.script(STALLED);
  const act = async () => {
    await place.server.arrived(1);
    return place.run(['fleet', 'cancel', '--json']);
  };
  const [ended, cancelled] = await Promise.all([place.run([...RUN, ...OPEN, '--json']), act()]);
  expect(JSON.parse(cancelled.stdout)).toEqual({name: 'repos', tasks: 1});
  expect(JSON.parse(ended.stdout)).toMatchObject({cancelled: 1, done: 0, running: 0});
  expect(JSON.parse((await place.run(['fleet', 'retry', '--json'])).stdout)).toEqual({name: 'repos', tasks: 1});
  place.server.script(writes);
  expect(JSON.parse((await place.run([...RUN, ...OPEN, '--json'])).stdout)).toMatchObject({done: 1});
});

test('one process owns a fleet, and a journal that is broken is named [fleet.owner]', async () => {
  await using place = await openFleet({}, ['a']);
  place.server.script(STALLED);
  const act = async () => {
    await place.server.arrived(1);
    const second = await place.run([...RUN, ...OPEN, '--json']);
    await place.run(['fleet', 'cancel']);
    return second;
  };
  const [, second] = await Promise.all([place.run([...RUN, ...OPEN]), act()]);
  expect(JSON.parse(second.stdout)).toMatchObject({
    error: {code: 'QUEUE_BUSY', hint: expect.stringContaining('fleet-bullmq')},
  });
  const journal = join(place.home, '.gemini', 'fleets', 'repos', 'journal.jsonl');
  appendFileSync(journal, '{"number": 99, "kind": "retr');
  expect(JSON.parse((await place.run(['fleet', 'retry', '--json'])).stdout)).toEqual({name: 'repos', tasks: 1});
  expect(readFileSync(journal, 'utf8')).not.toContain('"retr"');
  appendFileSync(journal, 'nonsense\n{}\n');
  const broken = await place.run(['fleet', 'status', '--json']);
  expect(JSON.parse(broken.stdout)).toMatchObject({
    error: {code: 'QUEUE_UNREADABLE', message: expect.stringMatching(/line \d+ is no record/)},
  });
});

test('a task whose process is killed is continued from its session [fleet.resume]', async () => {
  await using place = await openFleet({}, ['a']);
  place.server.script((request, index) => (index === 1 ? STALLED() : writes(request)));
  const {child, ended} = startFleet(place, [...RUN, ...OPEN]);
  await place.server.arrived(2);
  childrenOf(child.pid ?? 0).forEach((pid) => process.kill(pid, 'SIGKILL'));
  expect(await ended).toBe(0);
  expect(await resultsOf(place)).toMatchObject([{status: 'done', attempts: 2, files: ['new.txt']}]);
  // The finished turn was not asked for again: its call is part of what is continued.
  expect(place.server.requests).toHaveLength(3);
});

test('branches are pushed and commands run once, whatever is killed meanwhile [fleet.once]', async () => {
  const {seconds: _, kills: __, ...report} = await runChaos({tasks: 6, workers: 3, steps: 1, killEveryMs: 1500});
  const six = {all: 6, different: 6};
  expect(report).toMatchObject({done: 6, ids: 6, pushes: six, comments: six});
});

test('an effect that cannot be asked for is not tried again after a crash [fleet.uncertain]', async () => {
  await using place = await openFleet({}, ['a']);
  const marks = join(place.project, 'marks');
  const hang = join(place.project, 'hang.sh');
  writeFileSync(hang, `echo begun >> '${marks}'\nsleep 60\n`);
  const plan = [
    ...['name = "once"', 'prompt = "Write a file"', 'over = "repos.txt"', 'model = "model-a"', '[[effects]]'],
    ...['kind = "command"', 'name = "comment"', `run = ["sh", ${JSON.stringify(hang)}]`],
  ];
  writeFileSync(join(place.project, 'plan.toml'), plan.join('\n'));
  const words = ['fleet', 'run', 'plan.toml', ...OPEN, '--json'];
  const {child, ended} = startFleet(place, words);
  while (textOf(marks) !== 'begun\n') await setTimeout(50);
  child.kill('SIGKILL');
  await ended;
  const {stdout, code} = await place.run(words);
  expect({code, effects: (JSON.parse(stdout) as {effects: unknown}).effects}).toMatchObject({
    ...{code: 1, effects: [{name: 'comment', state: 'uncertain'}]},
  });
  expect(textOf(marks)).toBe('begun\n');
  expect((await place.run(['fleet', 'results'])).stdout).toContain('uncertain');
});

test('a branch that is there with another commit is not overwritten [fleet.push]', async () => {
  await using place = await openFleet({}, ['a']);
  expect(await place.run([...RUN, ...OPEN])).toMatchObject({code: 0});
  const [line] = await resultsOf(place);
  git(join(place.project, 'a'), 'branch', line?.branch ?? '');
  const text = '[[effects]]\nkind = "push"\n';
  writeFileSync(
    join(place.project, 'plan.toml'),
    `name = "repos"\nprompt = "Write a file"\nover = "repos.txt"\nmodel = "model-a"\n${text}`,
  );
  const {stdout, code} = await place.run(['fleet', 'run', 'plan.toml', ...OPEN, '--json']);
  expect({code, ...(JSON.parse(stdout) as object)}).toMatchObject({
    ...{
      code: 1,
      added: 0,
      effects: [{name: 'push', state: 'failed', message: expect.stringContaining('another commit')}],
    },
  });
});

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
