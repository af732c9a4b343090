import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {appendFile, mkdir, mkdtemp, readFile, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import fleetWorker from '#plugins/fleet/dist/services/fleet-worker.js';
import {LocalQueues} from '#plugins/fleet/dist/queue/local-queues.js';
import {waitForTurn} from '#plugins/fleet/dist/work/pace.js';
import {checkout} from '../../helpers/plugin-root.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-queue-'));
});
afterEach(() => rm(folder, {recursive: true, force: true}));

const NEVER = new AbortController().signal;
const task = (id: string, text = '') => ({id, payload: {text}});

describe('the journal of queue:local [fleet.journal]', () => {
  test('a full disk loses nothing that was kept, and keeps nothing that was refused', async () => {
    // The file system of the program may grow files to so many bytes only, as on a full disk.
    const program = `
      import {LocalQueues} from ${JSON.stringify(join(checkout, 'plugins/fleet/dist/queue/local-queues.js'))};
      const queues = new LocalQueues(new AbortController().signal);
      const at = ${JSON.stringify(join(folder, 'q'))};
      let kept = 0;
      for (let count = 0; count < 100; count += 1) {
        try {
          await queues.put(at, [{id: 't' + count, payload: 'x'.repeat(1000)}]);
          kept += 1;
        } catch (error) {
          console.log(JSON.stringify({kept, code: error.code, waiting: (await queues.counts(at)).waiting}));
          break;
        }
      }
      await queues.closeAll();`;
    const shell = 'ulimit -f 16; trap "" XFSZ; exec "$0" --input-type=module -e "$1"';
    const said = execFileSync('sh', ['-c', shell, process.execPath, program], {encoding: 'utf8'});
    const {kept, code, waiting} = JSON.parse(said) as {kept: number; code: string; waiting: number};
    expect({code, waiting}).toEqual({code: 'QUEUE_UNWRITABLE', waiting: kept});
    const queues = new LocalQueues(NEVER);
    expect((await queues.put(join(folder, 'q'), [task('more')])).added).toBe(1);
    expect((await queues.counts(join(folder, 'q'))).waiting).toBe(kept + 1);
    await queues.closeAll();
  });

  test('a long journal is written again as a snapshot, which says the same', async () => {
    const at = join(folder, 'q');
    const queues = new LocalQueues(NEVER);
    await queues.put(at, [task('a')]);
    const answer = await queues.claim(at, {name: 'w', leaseMs: 60_000});
    const mark = 'claim' in answer ? answer.claim : {id: 'none', fence: 0};
    const note = 'x'.repeat(1 << 20);
    for (let count = 0; count < 9; count += 1) await queues.beat(at, mark, {spent: {tokens: count, cost: 0}, note});
    expect((await stat(join(at, 'journal.jsonl'))).size).toBeLessThan(3 << 20);
    await queues.finish(at, mark, {result: 'ok', spent: {tokens: 9, cost: 0}});
    const before = await queues.list(at, {});
    await queues.closeAll();
    const after = new LocalQueues(NEVER);
    expect(await after.list(at, {})).toEqual(before);
    expect((await after.put(at, [task('a'), task('b')])).added).toBe(1);
    await after.closeAll();
  });

  test('20,000 known tasks are read within a second, and put again without a change', async () => {
    const at = join(folder, 'q');
    const many = Array.from({length: 20_000}, (_, index) => task(`t${index}`, 'x'.repeat(200)));
    const queues = new LocalQueues(NEVER);
    await queues.put(at, many);
    await queues.closeAll();
    const again = new LocalQueues(NEVER);
    const began = performance.now();
    expect(await again.put(at, many)).toEqual({added: 0, known: 20_000});
    // A second is the goal on a quiet machine.
    expect(performance.now() - began).toBeLessThan(3000);
    await again.closeAll();
  });

  test('an owner that was killed leaves its lock to the next one, and its tasks wait again', async () => {
    const at = join(folder, 'q');
    const program = `
      import {LocalQueues} from ${JSON.stringify(join(checkout, 'plugins/fleet/dist/queue/local-queues.js'))};
      const queues = new LocalQueues(new AbortController().signal);
      await queues.put(${JSON.stringify(at)}, [{id: 'a', payload: 1}]);
      await queues.claim(${JSON.stringify(at)}, {name: 'w', leaseMs: 60000});
      console.log('has it');
      setInterval(() => undefined, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    const queues = new LocalQueues(NEVER);
    await expect(queues.put(at, [task('b')])).rejects.toMatchObject({code: 'QUEUE_BUSY'});
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect((await queues.put(at, [task('b')])).added).toBe(1);
    expect(await queues.list(at, {ids: ['a']})).toMatchObject([{state: 'waiting', attempt: 0}]);
    await queues.closeAll();
  });

  test('what is refused says why', async () => {
    const at = join(folder, 'q');
    const queues = new LocalQueues(NEVER);
    const refusalOf = (act: Promise<unknown>): Promise<unknown> =>
      act.then(
        () => undefined,
        ({code, message}: {code: string; message: string}) => ({code, message}),
      );
    expect(await refusalOf(queues.put(at, [task('a/b')]))).toEqual({
      code: 'QUEUE_TASK_INVALID',
      message: 'The task "a/b" has an id that is not of letters, digits and . : _ -.',
    });
    await queues.put(at, [task('a')]);
    expect(await refusalOf(queues.finish(at, {id: 'a', fence: 7}, {result: 1, spent: {tokens: 1, cost: 0}}))).toEqual({
      code: 'QUEUE_FENCE_LOST',
      message: 'Another attempt counts for the task a, or it has ended.',
    });
    await queues.closeAll();
  });

  test('what is no journal is named and left as it is', async () => {
    const at = join(folder, 'q');
    await mkdir(at);
    const file = join(at, 'journal.jsonl');
    await appendFile(file, 'nonsense\n');
    const queues = new LocalQueues(NEVER);
    await expect(queues.put(at, [task('a')])).rejects.toMatchObject({code: 'QUEUE_UNREADABLE'});
    expect(await readFile(file, 'utf8')).toBe('nonsense\n');
    await rm(file);
    execFileSync('mkfifo', [file]);
    await expect(queues.put(at, [task('a')])).rejects.toMatchObject({code: 'QUEUE_UNREADABLE'});
    await rm(file);
    expect((await queues.put(at, [task('a')])).added).toBe(1);
    await queues.closeAll();
  });
});

test('a run makes no request once it has used its tokens [fleet.budget]', async () => {
  const worker = fleetWorker.create({environment: {variables: {GEMINI_FLEET_TOKENS: '10'}}} as never);
  const {used, turn} = await worker;
  await used(9);
  await turn(NEVER);
  await used(1);
  await expect(turn(NEVER)).rejects.toMatchObject({code: 'FLEET_TOKENS_EXHAUSTED'});
});

test('runs that share a pace make so many requests in a minute, and no more [fleet.pace]', async () => {
  const file = join(folder, 'pace');
  const began = performance.now();
  // 1200 in a minute: one each 50 ms, the first at once.
  await Promise.all(Array.from({length: 11}, () => waitForTurn(file, 1200, NEVER)));
  const ms = performance.now() - began;
  expect(ms).toBeGreaterThan(490);
  expect(ms).toBeLessThan(2000);
});
