import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {expect, test} from '@jest/globals';
import {understand} from '#plugins/sessions/dist/session-store.js';
import {Recorder} from '#plugins/sessions/dist/recorder.js';

const script = fileURLToPath(new URL('record-turns.js', import.meta.url));
/** With --long many more; each kill at another moment. */
const KILLS = process.env['FUZZ_RUNS'] === undefined ? 30 : 500;
/** Kills that one file sees. */
const EACH = 25;

interface Run {
  readonly lines: readonly string[];
  readonly signal: string | null;
}

/** Runs the recording process; `onLine` may kill it. */
function record(
  argv: readonly string[],
  onLine: (line: string, kill: () => void) => void,
  shell?: string,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const words = [process.execPath, script, ...argv];
    const child =
      shell === undefined
        ? spawn(words[0] ?? '', words.slice(1), {stdio: ['ignore', 'pipe', 'inherit']})
        : spawn('sh', ['-c', `${shell}; exec "$@"`, 'sh', ...words], {stdio: ['ignore', 'pipe', 'inherit']});
    const lines: string[] = [];
    createInterface({input: child.stdout}).on('line', (line) => {
      lines.push(line);
      onLine(line, () => void child.kill('SIGKILL'));
    });
    child.on('error', reject);
    child.on('close', (_, signal) => resolve({lines, signal}));
  });
}

const turnOf = (line: string): number => Number(/^turn (\d+)$/.exec(line)?.[1] ?? -1);

test('killed at any moment, no turn that was reported safe is missing, and the next process continues', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-crash-'));
  const safe = new Set<number>();
  let [next, seen] = [0, 0];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const file = join(folder, `session-2026-01-01T00-00-${Math.floor(kill / EACH)}.jsonl`);
    if (kill % EACH === 0) safe.clear();
    const [size, wanted, spin] = [1 + ((kill * 7919) % 40_000), next + 1 + (kill % 4), (kill * 104_729) % 1_500_000];
    const {lines, signal} = await record(
      [file, kill % EACH === 0 ? 'new' : 'on', String(next), 'Infinity', String(size)],
      (line, end) => {
        if (turnOf(line) < wanted) return;
        // A moment that is another one each time, without a clock.
        for (let index = 0; index < spin; index += 1) seen ^= index;
        end();
      },
    );
    expect([signal, lines.filter((line) => turnOf(line) < 0)]).toEqual(['SIGKILL', []]);
    for (const line of lines) safe.add(turnOf(line));
    const found = understand(await readFile(file));
    const ids = found?.entries.map(({id}) => id) ?? [];
    const wanting = [...safe].flatMap((turn) => [`${turn}-q`, `${turn}-a`]).filter((id) => !ids.includes(id));
    expect(wanting).toEqual([]);
    next = Math.max(...ids.map((id) => Number(id.split('-')[0]))) + 1;
  }
  await rm(folder, {recursive: true});
}, 3_600_000);

test('a file that may not grow: one warning, the process continues, and what it could write is complete', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-crash-'));
  const file = join(folder, 'session-2026-01-01T00-00-crash.jsonl');
  const {lines, signal} = await record([file, 'new', '0', '60', '1000'], () => undefined, 'ulimit -f 64');
  expect([signal, lines.filter((line) => turnOf(line) >= 0)]).toEqual([
    null,
    Array.from({length: 60}, (_, turn) => `turn ${turn}`),
  ]);
  expect(lines.filter((line) => line.startsWith('warning'))).toEqual([
    `warning This conversation is no longer being recorded: the file may not become larger (${file}). It ` +
      'continues, and recording resumes as soon as possible.',
  ]);
  expect((await stat(file)).size).toBeLessThanOrEqual(64 * 1024);
  const before = understand(await readFile(file));
  expect(before?.entries.length).toBeGreaterThan(10);
  const after = await record([file, 'on', '60', '61'], () => undefined);
  expect(after.lines).toEqual(['turn 60']);
  expect(
    understand(await readFile(file))
      ?.entries.slice(-2)
      .map(({id}) => id),
  ).toEqual(['60-q', '60-a']);
  await rm(folder, {recursive: true});
});

test('what could not be written is written as soon as it can, in order, and both are said once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-crash-'));
  const place = join(folder, 'chats');
  await writeFile(place, 'a file in the place of the folder');
  const warnings: string[] = [];
  const file = join(place, 'session-2026-01-01T00-00-x.jsonl');
  const time = '2026-01-01T00:00:00.000Z';
  const recorder = new Recorder({
    file,
    goesOn: false,
    tell: ({sentence}) => void warnings.push(sentence),
    metadata: {sessionId: 'x', projectHash: 'p', startTime: time, lastUpdated: time, kind: 'main'},
  });
  const put = (id: string): Promise<void> =>
    recorder.change({
      kind: 'put',
      entry: {id, time, kind: 'user', origin: 'person', message: {role: 'user', pieces: []}},
    });
  await put('a');
  await put('b');
  expect(warnings).toEqual([expect.stringContaining('This conversation is no longer being recorded: ')]);
  await rm(place);
  await put('c');
  await put('d');
  await recorder.close();
  expect(warnings.slice(1)).toEqual(['The conversation is being recorded again; nothing is missing.']);
  expect(understand(await readFile(file))?.entries.map(({id}) => id)).toEqual(['a', 'b', 'c', 'd']);
  await rm(folder, {recursive: true});
});
