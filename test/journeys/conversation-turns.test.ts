import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {describe, expect} from '@jest/globals';
import type {SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {CTRL_C, CTRL_D, GeminiSitting, PROMPT, QUESTION} from '../helpers/sit-at-gemini.js';
import {atTerminal} from './run-at-terminal.js';

const left = {code: 0, isRestored: true};
const files = {'a.txt': 'old\n', 'b.txt': 'old\n'};
const edit = (file: string): readonly [string, object] => [
  'replace',
  {file_path: file, old_string: 'old', new_string: 'new', instruction: 'Make it new.'},
];
const read = (file: string): readonly [string, object] => ['read_file', {file_path: file}];
/** A read first: what was not read is not edited. */
const edits = [callsTools(read('a.txt'), read('b.txt')), callsTools(edit('a.txt'))];

/** What the last message of a request says, without what the agent adds at the start. */
function lastOf(request: SeenRequest | undefined): readonly unknown[] {
  return (request?.messages.at(-1)?.pieces ?? []).flatMap((piece): readonly unknown[] => {
    if (piece.kind === 'text') return piece.text.startsWith('<session_context>') ? [] : [piece.text];
    return piece.kind === 'result'
      ? [{failed: piece.failed, text: piece.output.map((part) => ('text' in part ? part.text : '')).join('')}]
      : [piece.kind];
  });
}

atTerminal('an answer is shown as it comes, reads run unasked, and each thing is shown once', async () => {
  await using place = await openAgentPlace({
    files,
    script: [{...says('Let me ', 'look.'), pauseMs: 50}, callsTools(read('a.txt')), says('It says old.')],
  });
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'hello\r'],
    ['Let me ', ''],
    ['look.', ''],
    [PROMPT, 'what is in a.txt\r'],
    ['✓ read_file a.txt', ''],
    ['It says old.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect(
    ['Let me ', 'look.', '✓ read_file a.txt', 'It says old.'].map((text) => sitting.screen.split(text).length - 1),
  ).toEqual([1, 1, 1, 1]);
  expect(place.server.faults).toEqual([]);
});

describe('an edit', () => {
  atTerminal('is shown, asked about, and made after yes', async () => {
    await using place = await openAgentPlace({files, script: [...edits, says('It is new.')]});
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go([PROMPT, 'edit\r'], ['1 - old', ''], ['1 + new', '']);
    expect(await place.read('a.txt')).toBe('old\n');
    await sitting.go([QUESTION, 'y'], ['It is new.', ''], [PROMPT, CTRL_D]);
    expect(await sitting.end()).toEqual(left);
    expect([await place.read('a.txt'), place.server.faults]).toEqual(['new\n', []]);
  });

  atTerminal('that is refused with a reason is not made, and the model hears the reason', async () => {
    await using place = await openAgentPlace({files, script: [...edits, says('I leave it.')]});
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go(
      [PROMPT, 'edit\r'],
      [QUESTION, 'r'],
      ['What should gemini do instead? ', 'Use b.txt, é.\r'],
      ['I leave it.', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    expect(lastOf(place.server.requests.at(-1))).toEqual([
      {failed: true, text: expect.stringContaining('The person refused: Use b.txt, é.')},
    ]);
    expect([await place.read('a.txt'), place.server.faults]).toEqual(['old\n', []]);
  });

  atTerminal(
    'of the same file is not asked about again after yes for the session, one of another file is',
    async () => {
      const again = callsTools([
        'replace',
        {file_path: 'a.txt', old_string: 'new', new_string: 'newer', instruction: 'Make it newer.'},
      ]);
      await using place = await openAgentPlace({
        files,
        script: [...edits, again, says('It is newer.'), callsTools(edit('b.txt')), says('I leave it.')],
      });
      await using sitting = await GeminiSitting.begin(place);
      await sitting.go(
        [PROMPT, 'edit\r'],
        [QUESTION, 's'],
        ['It is newer.', ''],
        [PROMPT, 'the other\r'],
        [QUESTION, 'n'],
        ['I leave it.', ''],
        [PROMPT, CTRL_D],
      );
      expect(await sitting.end()).toEqual(left);
      expect([
        await place.read('a.txt'),
        await place.read('b.txt'),
        sitting.screen.split('? replace').length - 1,
      ]).toEqual(['newer\n', 'old\n', 2]);
    },
  );
});

/** Waits until a session's file has a text. */
async function recorded({home}: AgentPlace, text: string): Promise<void> {
  const folder = join(home, '.gemini', 'tmp', 'project', 'chats');
  const late = AbortSignal.timeout(10_000);
  for (;;) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    if (texts.some((one) => one.includes(JSON.stringify(text)))) return;
    await pause(20, undefined, {signal: late});
  }
}

describe('leaving and stopping', () => {
  atTerminal('Ctrl+C while the model speaks keeps what was said, and the conversation continues', async () => {
    await using place = await openAgentPlace({
      script: [{...says('First half. ', 'Second half.'), stall: {afterPieces: 1}}, says('Continuing.')],
    });
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go(
      [PROMPT, 'talk\r'],
      ['First half.', CTRL_C],
      ['Stopped.', ''],
      [PROMPT, 'continue\r'],
      ['Continuing.', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    const [first, second] = place.server.requests;
    expect(await first?.end).toBe('left');
    const isHalf = second?.messages.map(({role, pieces}) => [
      role,
      pieces.map((piece) => ('text' in piece ? piece.text.includes('First half.') : piece.kind)).at(-1),
    ]);
    expect(isHalf).toEqual([
      ['user', false],
      ['model', true],
      ['user', false],
    ]);
    expect(lastOf(second).at(-1)).toBe('continue');
    expect(place.server.faults).toEqual([]);
  });

  atTerminal('Ctrl+C while a command runs ends the command, and the model hears of it', async () => {
    await using place = await openAgentPlace({
      script: [callsTools(['run_shell_command', {command: 'echo begun; sleep 60; echo over'}]), says('So be it.')],
    });
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go(
      [PROMPT, 'wait\r'],
      [QUESTION, 'y'],
      ['run_shell_command', ''],
      ['Ctrl+C stops', CTRL_C],
      ['Stopped.', ''],
      [PROMPT, 'and now\r'],
      ['So be it.', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    expect(lastOf(place.server.requests[1])).toEqual([
      {failed: true, text: expect.stringMatching(/cancel|stopped|abort/i)},
      'and now',
    ]);
    expect(place.server.faults).toEqual([]);
  });

  atTerminal.each([
    ['Ctrl+C twice', CTRL_C, 'Press Ctrl+C again to leave.', CTRL_C],
    ['Ctrl+D', '', '', CTRL_D],
    ['/quit', '', '', '/quit\r'],
  ])('%s at the prompt leaves', async (_, first, seen, second) => {
    await using place = await openAgentPlace();
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go([PROMPT, first], [seen, second]);
    expect(await sitting.end()).toEqual(left);
  });

  atTerminal('Ctrl+C twice leaves in the middle of an answer, and it can be resumed', async () => {
    await using place = await openAgentPlace({
      script: [{...says('First half. ', 'Second half.'), stall: {afterPieces: 1}}, says('Continuing.')],
    });
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go([PROMPT, 'talk\r'], ['First half.', CTRL_C + CTRL_C]);
    expect(await sitting.end()).toEqual(left);
    const {code, report} = await place.ask(['--resume', 'latest', '-p', 'continue']);
    expect({code, said: report.response, faults: place.server.faults}).toEqual({
      code: 0,
      said: 'Continuing.',
      faults: [],
    });
  });

  atTerminal.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['terminal', undefined],
  ] as const)('%s in the middle of an answer ends it, and it can be resumed', async (name, expected) => {
    await using place = await openAgentPlace({
      script: [{...says('First half. ', 'Second half.'), stall: {afterPieces: 1}}, says('Continuing.')],
    });
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go([PROMPT, 'talk\r'], ['First half.', '']);
    // The file of a new session is made while the model is asked.
    await recorded(place, 'talk');
    await sitting.signal(name);
    expect(await place.server.requests[0]?.end).toBe('left');
    if (expected !== undefined) expect(await sitting.end()).toEqual({code: expected, isRestored: true});
    else await sitting.gone();
    const {code, report, stdout} = await place.ask(['--resume', 'latest', '-p', 'continue']);
    expect({code, said: report.response ?? stdout, faults: place.server.faults}).toEqual({
      code: 0,
      said: 'Continuing.',
      faults: [],
    });
    expect(
      place.server.requests[1]?.messages
        .map(({role, pieces}) => [role, pieces.some((piece) => 'text' in piece && piece.text === 'talk')])
        .at(0),
    ).toEqual(['user', true]);
  });
});

describe('a model that cannot answer at once', () => {
  atTerminal('is asked again, and that is said', async () => {
    await using place = await openAgentPlace({
      settings: {model: {retryDelay: 300}},
      script: [{refusal: {status: 503, message: 'It is busy.'}}, says('There we are.')],
    });
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go(
      [PROMPT, 'hello\r'],
      ['503: It is busy · trying again', ''],
      ['There we are.', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    expect([place.server.requests.length, place.server.faults]).toEqual([2, []]);
  });

  atTerminal('is replaced by the next one, and that is said', async () => {
    const none = {refusal: {status: 429, quota: 'day', message: 'No more today.'}} as const;
    await using place = await openAgentPlace({
      settings: {model: {fallback: ['model-b']}},
      script: ({model}) => (model === 'model-a' ? none : says('I am the other one.')),
    });
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go([PROMPT, 'hello\r'], ['model-b', ''], ['I am the other one.', ''], [PROMPT, CTRL_D]);
    expect(await sitting.end()).toEqual(left);
    expect(place.server.requests.map(({model}) => model)).toEqual(['model-a', 'model-b']);
  });
});
