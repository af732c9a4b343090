import {spawn} from 'node:child_process';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {describe, expect, test} from '@jest/globals';
import type {Script, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, dialects, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';
import {onPosix} from '../helpers/where.js';

/** With --long many more, each at another moment. */
const KILLS = process.env['FUZZ_RUNS'] === undefined ? 6 : 300;
/** Kills that one session sees. */
const EACH = 12;
/** Requests that a task takes. */
const ROUNDS = 5;
const LINES = 40;

const wholeOf = (first: string): string => `${first}\n${'a line of the list\n'.repeat(LINES)}end\n`;
const files = {'list.txt': wholeOf('task none')};

/** The newest thing a person said, and how many answers of calls came since. */
function taskOf({messages}: SeenRequest): {readonly prompt: string; readonly round: number} {
  let round = 0;
  for (const {role, pieces} of messages.toReversed()) {
    const prompt = pieces.findLast((piece) => piece.kind === 'text' && /^(?:task|continue) \d+$/.test(piece.text));
    if (prompt?.kind === 'text') return {prompt: prompt.text, round};
    if (role === 'user') round += 1;
  }
  return {prompt: '', round};
}

const work: Script = (request): ScriptedAnswer => {
  const {prompt, round} = taskOf(request);
  const made = `${prompt.replaceAll(' ', '-')}.txt`;
  if (prompt.startsWith('continue'))
    return round === 0 ? callsTools(['read_file', {file_path: 'list.txt'}]) : says(`Continued: ${prompt}.`);
  const rounds = [
    callsTools(['read_file', {file_path: 'list.txt'}], ['list_directory', {dir_path: '.'}]),
    callsTools(
      ['write_file', {file_path: 'list.txt', content: wholeOf(prompt)}],
      ['write_file', {file_path: made, content: prompt}],
    ),
    {
      pieces: [
        ...(says('Half ', 'way ').pieces ?? []),
        ...(callsTools([
          'replace',
          {file_path: made, old_string: prompt, new_string: `${prompt}, done`, instruction: 'x'},
        ]).pieces ?? []),
      ],
    },
    callsTools(['read_file', {file_path: made}]),
  ];
  return rounds[round] ?? says(`Did ${prompt}.`);
};

const words = (prompt: string): readonly string[] => [
  '-m',
  'model-a',
  '--approval-mode',
  'auto_edit',
  '--resume',
  'latest',
  '-p',
  prompt,
];

/** Starts a task, and kills it so long after it has made so many requests; whether it was still there. */
async function runAndKill(
  place: AgentPlace,
  prompt: string,
  {requests, delayMs}: {readonly requests: number; readonly delayMs: number},
): Promise<boolean> {
  const before = place.server.requests.length;
  const program = join(checkout, 'bin', 'gemini.cjs');
  const child = spawn(process.execPath, [program, ...words(prompt)], {
    cwd: place.project,
    env: isolate(place.home, dialects[0]?.variables(place.server.url)),
    stdio: 'ignore',
  });
  const closed = new Promise<string | null>((resolve) => void child.on('close', (_, signal) => resolve(signal)));
  await Promise.race([requests === 0 ? undefined : place.server.arrived(before + requests), closed]);
  await Promise.race([pause(delayMs), closed]);
  child.kill('SIGKILL');
  return (await closed) === 'SIGKILL';
}

/** What a person said and what was answered, of all that a request carries. */
function textsOf(request: SeenRequest | undefined): readonly string[] {
  return (request?.messages ?? []).flatMap(({pieces}) =>
    pieces.flatMap((piece) =>
      piece.kind === 'text' && /^(?:task|continue) \d+$|^Did |^Continued/.test(piece.text) ? [piece.text] : [],
    ),
  );
}

const chatsOf = (place: AgentPlace): string => join(place.home, '.gemini', 'tmp', 'project', 'chats');

async function sessionFile(place: AgentPlace): Promise<string> {
  const [name = ''] = (await readdir(chatsOf(place))).filter((one) => one.endsWith('.jsonl'));
  return join(chatsOf(place), name);
}

/**
 * As a program that another one has killed at this moment left it: the session continues, and nothing finished is
 * missing.
 */
async function expectGoesOn(place: AgentPlace, number: number, finished: readonly string[]): Promise<void> {
  const {code, stdout, stderr} = await place.run([...words(`continue ${number}`), '-o', 'json']);
  const {response} = JSON.parse(stdout) as {readonly response?: string};
  expect({code, response, faults: place.server.faults}).toEqual({
    code: 0,
    response: `Continued: continue ${number}.`,
    faults: [],
  });
  expect(stderr).not.toContain('Error');
  const texts = textsOf(place.server.requests.at(-1));
  expect(texts.filter((text) => finished.includes(text))).toEqual(finished);
  expect(
    texts.filter(
      (text) =>
        !finished.includes(text) && ![`task ${number}`, `Did task ${number}.`, `continue ${number}`].includes(text),
    ),
  ).toEqual([]);
}

test(`killed at any of ${KILLS} moments, a conversation continues with all that was finished, and no file is torn`, async () => {
  for (let start = 0; start < KILLS; start += EACH) {
    await using place = await openAgentPlace({
      files,
      settings: {model: {maxSessionTurns: -1, compressionThreshold: 1}},
      script: work,
    });
    await expectGoesOn(place, start, []);
    const finished = [`continue ${start}`, `Continued: continue ${start}.`];
    for (let number = start + 1; number <= Math.min(KILLS, start + EACH); number += 1) {
      const requests = number % (ROUNDS + 1);
      const isKilled = await runAndKill(place, `task ${number}`, {
        requests,
        delayMs: requests === 0 ? Math.random() * 250 : Math.random() * 40,
      });
      if (!isKilled) finished.push(`task ${number}`, `Did task ${number}.`);
      await expectGoesOn(place, number, finished);
      const kept = textsOf(place.server.requests.at(-1)).filter(
        (text) => text.endsWith(` ${number}`) || text.endsWith(` ${number}.`),
      );
      if (isKilled) finished.push(...kept);
      else finished.push(`continue ${number}`);
      if (!finished.includes(`Continued: continue ${number}.`)) finished.push(`Continued: continue ${number}.`);
      expect((await place.read('list.txt')).replace(/^task \w+$/m, '')).toBe(wholeOf(''));
    }
    expect((await readdir(chatsOf(place))).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
    // What a write that was killed had begun beside the file may stay.
    expect(
      (await readdir(place.project)).filter(
        (name) => !/^(?:list|task-\d+)\.txt$|^\.gemini-write\.[0-9a-f]{8}-\d+-[0-9a-f]{8}\.tmp$/.test(name),
      ),
    ).toEqual([]);
  }
}, 3_600_000);

/** A session of two prompts, the last of which has calls, in letters of several bytes. */
async function recordTwo(place: AgentPlace): Promise<{readonly file: string; readonly content: Buffer}> {
  place.server.script([says('It is über.'), callsTools(['read_file', {file_path: 'ä.txt'}]), says('Für immer 漢字.')]);
  for (const prompt of ['first', 'second ö'])
    expect((await place.run(['-m', 'model-a', '--resume', 'latest', '-p', prompt])).code).toBe(0);
  const file = await sessionFile(place);
  return {file, content: await readFile(file)};
}

/** Where a write can have been cut: at the ends of the last two lines, in their middle, and within a letter. */
function cutsOf(content: Buffer): readonly number[] {
  const ends = [...content.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : [])).slice(-3);
  const lines = ends.slice(0, -1).map((from, index) => [from, ends[index + 1] ?? from] as const);
  const letter = [...content.entries()].findLast(([, byte]) => byte >= 0xe0)?.[0] ?? 0;
  return [
    ...new Set([
      ...lines.flatMap(([from, to]) => [from, from + 1, from + 9, (from + to) >> 1, to - 2, to - 1]),
      letter + 1,
      letter + 2,
    ]),
  ].sort((a, b) => a - b);
}

test('cut at any kind of place of its last two lines, a session continues', async () => {
  await using place = await openAgentPlace({files: {'ä.txt': 'ö\n'}});
  const {file, content} = await recordTwo(place);
  const wrong: unknown[] = [];
  const cuts = cutsOf(content);
  place.server.script(() => says('Continuing.'));
  for (const cut of cuts) {
    await writeFile(file, content.subarray(0, cut));
    const {code, report} = await place.ask(['--resume', 'latest', '-p', 'continue']);
    const said = place.server.requests.at(-1)?.messages[0]?.pieces.at(-1);
    if (
      code !== 0 ||
      report.response !== 'Continuing.' ||
      JSON.stringify(said) !== JSON.stringify({kind: 'text', text: 'first'})
    )
      wrong.push({cut, code, report, said});
  }
  expect({wrong, faults: place.server.faults, cuts: cuts.length > 8}).toEqual({wrong: [], faults: [], cuts: true});
}, 120_000);

describe('two processes at one session', () => {
  const isInUse = {
    code: 42,
    error: expect.objectContaining({
      code: expect.any(String),
      message: expect.stringContaining('has been recording the session'),
      exit: 42,
    }),
  };

  onPosix('started at once after a crash, one continues and the other reports the owner', async () => {
    await using place = await openAgentPlace({files, script: work});
    await expectGoesOn(place, 0, []);
    for (let number = 1; number <= 3; number += 1) {
      expect(await runAndKill(place, `task ${number}`, {requests: 2, delayMs: 0})).toBe(true);
      expect((await readdir(chatsOf(place))).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      // By what they carry: a request of the killed process may arrive now.
      const asked = new Set<string>();
      const bothAsked = new Promise<undefined>((resolve) => {
        place.server.script(async (request) => {
          const last = request.messages.at(-1)?.pieces.at(-1);
          if (last?.kind === 'text' && last.text.startsWith('try ')) asked.add(last.text);
          if (asked.size > 1) resolve(undefined);
          await released;
          return says('Continuing.');
        });
      });
      const both = [1, 2].map((one) => place.ask(['--resume', 'latest', '-p', `try ${one}`]));
      const loser = await Promise.race([...both, bothAsked]);
      expect(loser && {code: loser.code, error: loser.report.error}).toEqual(isInUse);
      release();
      const codes = (await Promise.all(both)).map(({code}) => code).sort((a, b) => Number(a) - Number(b));
      expect([codes, place.server.faults]).toEqual([[0, 42], []]);
      place.server.script(work);
    }
    expect((await readdir(chatsOf(place))).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
  });
});

onPosix(
  'on a disk that takes no more, the conversation is finished, and that it is not kept is said once',
  async () => {
    const much = Array.from({length: 8000}, (_, index) => `${(index * 7919) % 104_729} was said, `).join('');
    await using place = await openAgentPlace({
      files,
      script: [callsTools(['read_file', {file_path: 'list.txt'}]), says(much), says('Continuing.')],
    });
    // In blocks of 512 bytes.
    const limited = [
      '-c',
      'ulimit -f 100; exec "$@"',
      'sh',
      process.execPath,
      join(checkout, 'bin', 'gemini.cjs'),
      '-m',
      'model-a',
      '-p',
      'talk',
    ];
    const child = spawn('sh', limited, {
      cwd: place.project,
      env: isolate(place.home, dialects[0]?.variables(place.server.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (text: string) => void out.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => void err.push(text));
    const code = await new Promise((resolve) => void child.on('close', resolve));
    expect({code, said: out.join('').trim(), warnings: err.join('').match(/no longer being recorded/g)}).toEqual({
      code: 0,
      said: much.trim(),
      warnings: ['no longer being recorded'],
    });
    const {code: after, report} = await place.ask(['--resume', 'latest', '-p', 'and now']);
    expect({after, response: report.response, faults: place.server.faults}).toEqual({
      after: 0,
      response: 'Continuing.',
      faults: [],
    });
  },
);
