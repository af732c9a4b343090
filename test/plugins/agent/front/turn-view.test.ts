import {describe, expect, test} from '@jest/globals';
import type {AgentEvent, CallRecord, ModelFailure, TurnEnd} from '@gemini-kernel/plugin-agent/contract';
import type {Screen} from '#plugins/agent/dist/front/screen.js';
import {Outputs} from '#plugins/agent/dist/front/outputs.js';
import {TurnView} from '#plugins/agent/dist/front/turn-view.js';
import {Graphemes} from '#kernel/terminal/dist/graphemes.js';

interface Moment {
  /** Seconds since the beginning. */
  readonly at: number;
  readonly event?: AgentEvent;
}

interface Options {
  readonly isLive?: boolean;
  readonly showsThoughts?: boolean;
  readonly end?: Partial<TurnEnd>;
}

interface Shown {
  readonly printed: string;
  readonly status: readonly string[];
  readonly words: readonly (string | undefined)[];
}

/** Shows events at their times; what was printed, and what stood on the last line after each. */
function show(moments: readonly Moment[], {isLive = true, showsThoughts = false, end}: Options = {}): Shown {
  let printed = '';
  let now = 0;
  const screen = {
    isLive,
    columns: 80,
    rows: 24,
    print: (text: string) => void (printed += text),
    endLine: () => void (printed += printed === '' || printed.endsWith('\n') ? '' : '\n'),
  } as unknown as Screen;
  const look = {paint: (_: string, text: string) => text, keepsMarks: true, saysWords: false, columns: () => 80};
  const graphemes = new Graphemes();
  const outputs = new Outputs({look, graphemes});
  const view = new TurnView({screen, look, graphemes, outputs, showsThoughts, now: () => now});
  const [status, words]: [string[], (string | undefined)[]] = [[], []];
  for (const {at, event} of moments) {
    now = at * 1000;
    if (event) view.show(event);
    status.push(view.status());
    words.push(view.word());
  }
  if (end) view.end({status: 'done', text: '', warnings: [], refused: [], changed: [], ...end});
  return {printed, status, words};
}

const failure: ModelFailure = {kind: 'overloaded', message: 'The model has too much to do.'};
const call = (id: string, tool = 'read_file'): AgentEvent => ({
  kind: 'call',
  id,
  tool,
  input: {file_path: `${id}.txt`},
});
const record = (own: Partial<CallRecord> = {}): CallRecord => ({
  id: 'a',
  name: 'read_file',
  input: {file_path: 'a.txt'},
  status: 'done',
  output: [],
  ms: 12,
  time: '',
  ...own,
});

describe('the last line', () => {
  test('says what is being waited for, and for how long', () => {
    const moments: readonly Moment[] = [
      {at: 0},
      {at: 1, event: {kind: 'model', model: 'gemini:pro'}},
      {at: 2, event: {kind: 'thought', text: '**Looking around** at'}},
      {at: 3, event: {kind: 'text', text: 'x'}},
      {at: 4, event: call('a')},
      {at: 5, event: call('b')},
      {at: 6, event: {kind: 'progress', id: 'a', text: 'half', done: 1, total: 2}},
      {at: 7, event: {kind: 'result', id: 'a', call: record()}},
      {at: 61, event: {kind: 'result', id: 'b', call: record()}},
    ];
    expect(show(moments).status).toEqual([
      '0 s · Asking the model',
      '1 s · Asking gemini:pro',
      '2 s · Thinking: Looking around',
      '3 s · Answering',
      '4 s · read_file a.txt',
      '5 s · read_file a.txt · and 1 more',
      '6 s · read_file a.txt · 1/2 half · and 1 more',
      '7 s · read_file b.txt',
      '1 min 1 s · Asking the model',
    ]);
  });

  test('counts down to the next attempt', () => {
    const waiting: AgentEvent = {kind: 'waiting', failure, attempt: 2, of: 10, delayMs: 3000};
    expect(
      show([{at: 0, event: waiting}, {at: 1.5}, {at: 9}, {at: 10, event: {kind: 'text', text: 'x'}}]).status,
    ).toEqual([
      '0 s · The model has too much to do · trying again (2 of 10) in 3 s',
      '1 s · The model has too much to do · trying again (2 of 10) in 2 s',
      '9 s · The model has too much to do · trying again (2 of 10) in 0 s',
      '10 s · Answering',
    ]);
  });

  test('where it cannot change, a sentence says so every ten seconds of silence', () => {
    expect(
      show([{at: 9}, {at: 10}, {at: 12, event: call('a')}, {at: 21}, {at: 22}, {at: 40}], {isLive: false}).words,
    ).toEqual([
      undefined,
      'Working, 10 s.\n',
      undefined,
      undefined,
      'Working, 22 s: read_file a.txt.\n',
      'Working, 40 s: read_file a.txt.\n',
    ]);
  });
});

describe('what stays', () => {
  test.each<[string, readonly AgentEvent[], string]>([
    [
      'a call that is done',
      [call('a'), {kind: 'result', id: 'a', call: record({display: 'lines 1-2 of 2'})}],
      '✓ read_file a.txt (lines 1-2 of 2) 12 ms\n',
    ],
    [
      'a call that failed',
      [{kind: 'result', id: 'a', call: record({status: 'failed', error: {code: 'X', message: 'No such\nfile.'}})}],
      '✗ read_file a.txt (failed: No such file.) 12 ms\n',
    ],
    [
      'a call that was refused',
      [{kind: 'result', id: 'a', call: record({status: 'refused', error: {code: 'X', message: 'Not here.'}})}],
      '✗ read_file a.txt (refused: Not here.) 12 ms\n',
    ],
    [
      'a call that was stopped',
      [{kind: 'result', id: 'a', call: record({status: 'aborted'})}],
      '✗ read_file a.txt (stopped) 12 ms\n',
    ],
    [
      'its output in several lines',
      [{kind: 'result', id: 'a', call: record({display: 'a\nb\n'})}],
      '✓ read_file a.txt 12 ms\n  a\n  b\n',
    ],
    ['text before a call', [{kind: 'text', text: 'I look'}, call('a'), {kind: 'text', text: 'Found'}], 'I look\nFound'],
    [
      'two messages',
      [
        {kind: 'text', text: 'one'},
        {kind: 'message', entry: {} as never},
        {kind: 'text', text: 'two\n'},
      ],
      'one\ntwo\n',
    ],
    [
      'another model',
      [{kind: 'fallback', from: 'a:x', to: 'b:y', failure}],
      'The model has too much to do. From here on, b:y answers instead of a:x.\n',
    ],
    [
      'a summary',
      [{kind: 'compressed', before: 1000, after: 100}],
      'The older part was summarised: 1000 tokens became 100.\n',
    ],
    ['a note', [{kind: 'note', severity: 'warning', text: 'Beware.'}], 'Beware.\n'],
    [
      'no thoughts',
      [
        {kind: 'thought', text: '**A** b'},
        {kind: 'text', text: 'x\n'},
      ],
      'x\n',
    ],
  ])('%s', (_, events, printed) => {
    expect(show(events.map((event) => ({at: 0, event}))).printed).toBe(printed);
  });

  test.each<[readonly string[], string]>([
    [['**First** one\n', '**Sec', 'ond** two'], 'Thought: First\nThought: Second\n'],
    [['I will look.\nThen act.'], 'Thought: I will look.\n'],
  ])('thoughts %j by their subject, when the settings say so', (texts, printed) => {
    expect(
      show([...texts.map((text) => ({at: 0, event: {kind: 'thought', text} as const})), {at: 1, event: call('a')}], {
        showsThoughts: true,
      }).printed,
    ).toBe(printed);
  });

  test.each<[Partial<TurnEnd>, string]>([
    [{status: 'done', warnings: ['Once.', 'Twice.']}, 'Once.\nTwice.\n'],
    [{status: 'aborted'}, 'Stopped.\n'],
    [{status: 'failed', error: {code: 'X', message: 'No key.', hint: 'Set one.'}}, 'Once.\nNo key.\nSet one.\n'],
    [{status: 'loop'}, 'Once.\nThe model repeated itself, so it was stopped.\n'],
    [{status: 'refused', error: {code: 'X', message: 'Once.'}}, 'Once.\n'],
  ])('the end %j is said, and nothing twice', (end, printed) => {
    const said: readonly Moment[] =
      end.status === 'aborted' ? [] : [{at: 0, event: {kind: 'note', severity: 'error', text: 'Once.'}}];
    expect(show(said, {end}).printed).toBe(printed);
  });

  test('where a line cannot continue later, text is printed in whole lines', () => {
    const moments = ['one ', 'two\nthr', 'ee'].map((text) => ({at: 0, event: {kind: 'text', text} as const}));
    expect(show(moments, {isLive: false}).printed).toBe('one two\n');
    expect(show(moments, {isLive: false, end: {}}).printed).toBe('one two\nthree\n');
  });
});
