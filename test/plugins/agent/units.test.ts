import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import type {Entry, ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import {findMentions} from '#plugins/agent/dist/path-mentions.js';
import {splitWords, findSlash} from '#plugins/agent/dist/slash-line.js';
import {PlainText} from '#plugins/agent/dist/headless/plain-text.js';
import {createLoopDetector} from '#plugins/agent/dist/loop-detector.js';
import {retryDelay} from '#plugins/agent/dist/retry-delay.js';
import {repairHistory} from '#plugins/agent/dist/repair-history.js';
import {toMessages} from '#plugins/agent/dist/entry-text.js';
import {divide} from '#plugins/agent/dist/compress-history.js';
import {estimateText} from '#plugins/agent/dist/estimate-tokens.js';
import {runCalls} from '#plugins/agent/dist/run-calls.js';

describe('@paths in a prompt [agent.mentions]', () => {
  test.each([
    ['look at @src/a.ts', ['src/a.ts']],
    ['look at @src/a.ts.', ['src/a.ts']],
    ['is it @a.txt, or @b.txt; or (@c.txt)?', ['a.txt', 'b.txt', 'c.txt']],
    ['@"my file.txt" and @my\\ file.txt', ['my file.txt', 'my file.txt']],
    ['mail me\\@example.com', []],
    ['a lone @ and @', []],
    ['mail a@b.c', ['b.c']],
    ['@..', ['..']],
    ['@./', ['./']],
    ['@dir"with quote".ts', ['dirwith quote.ts']],
    ['@"never closed', []],
  ])('%s', (text, paths) => {
    expect(findMentions(text).map(({path}) => path)).toEqual(paths);
  });

  test('a mention says where it stands, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let last = 0;
        for (const {start, end, path} of findMentions(text)) {
          expect(text[start]).toBe('@');
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(path).not.toBe('');
          last = end;
        }
      }),
    );
  });
});

describe('slash lines', () => {
  test.each([
    ['directory add ../lib', ['directory', 'add', '../lib']],
    ['a "b c" \'d e\' f\\ g', ['a', 'b c', 'd e', 'f g']],
    ['  ', []],
    ['""', ['']],
  ])('%s is split as a shell would', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  test('a line is a command only when it begins with the words of one', () => {
    const commands = [{words: ['tools', 'list'], summary: ''}];
    expect(findSlash('/tools list --json', commands)).toEqual(['tools', 'list', '--json']);
    expect(findSlash('/tools', commands)).toBeUndefined();
    expect(findSlash('/home/me/x.ts is broken', commands)).toBeUndefined();
    expect(findSlash('tools list', commands)).toBeUndefined();
  });
});

describe('text without terminal control [headless.plain]', () => {
  const hostile =
    'a\u001b[31mred\u001b[0m b\u001b]0;title\u0007c\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\ ' +
    'd\u0007e\u001b(Bf\u009bg\r\n';

  test('sequences and control characters are gone', () => {
    const plain = new PlainText();
    expect(plain.push(hostile) + plain.end()).toBe('ared bclink defg\r\n');
  });

  test('it does not matter where the pieces are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({min: 0, max: hostile.length}), {maxLength: 12}), (cuts) => {
        const plain = new PlainText();
        const places = [0, ...cuts.sort((a, b) => a - b), hostile.length];
        const pieces = places.slice(1).map((place, index) => plain.push(hostile.slice(places[index], place)));
        expect(pieces.join('') + plain.end()).toBe('ared bclink defg\r\n');
      }),
    );
  });

  test('ordinary text passes as it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'é', '漢', '😀', '\n', '\t', ' ', '[', 'm', ']'), {maxLength: 30}),
        (letters) => {
          const plain = new PlainText();
          expect(letters.map((letter) => plain.push(letter)).join('') + plain.end()).toBe(letters.join(''));
        },
      ),
    );
  });
});

describe('going round in circles [agent.loops]', () => {
  test.each([
    [1, 5],
    [2, 10],
    [3, 15],
    [5, 25],
    [7, 35],
    [20, 100],
  ])('calls that repeat every %i are noticed at call %i', (period, noticed) => {
    const detector = createLoopDetector();
    const seen = Array.from({length: noticed}, (_, index) => detector.seeCall('t', {at: index % period}));
    expect(seen.indexOf(true)).toBe(noticed - 1);
  });

  test('calls that differ are never a loop', () => {
    const detector = createLoopDetector();
    expect(Array.from({length: 100}, (_, index) => detector.seeCall('t', {index})).includes(true)).toBe(false);
  });

  test('long inputs that differ only at their end are distinguished', () => {
    const detector = createLoopDetector();
    const long = 'x'.repeat(100_000);
    expect(
      Array.from({length: 20}, (_, index) => detector.seeCall('t', {text: `${long}${index}`})).includes(true),
    ).toBe(false);
    expect(Array.from({length: 5}, () => detector.seeCall('t', {text: long})).at(-1)).toBe(true);
  });

  test('code, lists, tables and headings may repeat', () => {
    const detector = createLoopDetector();
    const line = 'the very same line, which is more than fifty characters long, comes again';
    const texts = [
      `\`\`\`\n${`${line}\n`.repeat(30)}\`\`\`\n`,
      `- ${line}\n`.repeat(30),
      `| ${line} |\n`.repeat(30),
      `# ${line}\n`.repeat(30),
      `> ${line}\n`.repeat(30),
    ];
    expect(texts.map((text) => detector.seeText(text))).toEqual([false, false, false, false, false]);
  });

  test('prose that repeats is noticed, however it is cut', () => {
    fc.assert(
      fc.property(fc.integer({min: 1, max: 40}), (size) => {
        const detector = createLoopDetector();
        const text = 'I will look at the file again, since I have not understood it. '.repeat(15);
        let found = false;
        for (let at = 0; at < text.length; at += size) found = detector.seeText(text.slice(at, at + size)) || found;
        expect(found).toBe(true);
      }),
      {numRuns: 20},
    );
  });

  test('long prose that does not repeat is let through, quickly', () => {
    const detector = createLoopDetector();
    const started = performance.now();
    let found = false;
    for (let index = 0; index < 5000; index += 1)
      found = detector.seeText(`Sentence number ${index} says something about ${index * 7919} things. `) || found;
    expect(found).toBe(false);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('how long to wait [agent.retry]', () => {
  const failed = {attempt: 1, maxAttempts: 10, initialMs: 5000, random: 0.5};
  type Given = {readonly failure: Omit<ModelFailure, 'message'>; readonly attempt?: number; readonly random?: number};
  test.each<[string, Given, number | undefined]>([
    ['five seconds at first', {failure: {kind: 'overloaded'}}, 5000],
    ['twice as long each time', {failure: {kind: 'overloaded'}, attempt: 3}, 20_000],
    ['thirty seconds at most', {failure: {kind: 'overloaded'}, attempt: 8}, 30_000],
    ['up to three tenths less', {failure: {kind: 'overloaded'}, random: 0}, 3500],
    ['or more', {failure: {kind: 'overloaded'}, random: 1}, 6500],
    ['as long as the server says', {failure: {kind: 'quota', delayMs: 1234}}, 1234],
    [
      'not at all when the server wants more than five minutes',
      {failure: {kind: 'quota', delayMs: 300_001}},
      undefined,
    ],
    ['not at all when it does not help', {failure: {kind: 'quota', isFinal: true}}, undefined],
    ['not at all after the last attempt', {failure: {kind: 'overloaded'}, attempt: 10}, undefined],
    ['not at all after four attempts to connect', {failure: {kind: 'network'}, attempt: 4}, undefined],
    ['not at all when the request is wrong', {failure: {kind: 'invalid'}}, undefined],
    ['not at all when it is blocked', {failure: {kind: 'blocked'}}, undefined],
    ['not at all without a key', {failure: {kind: 'auth'}}, undefined],
  ])('%s', (_, given, ms) => {
    expect(retryDelay({...failed, ...given, failure: {message: 'It failed.', ...given.failure}})).toBe(ms);
  });
});

const user = (id: string, text: string, origin: Entry['origin'] = 'person'): Entry => ({
  id,
  time: '',
  kind: 'user',
  origin: origin ?? 'person',
  message: {role: 'user', pieces: [{kind: 'text', text}]},
});
const model = (id: string, text: string, calls: readonly string[] = []): Entry => ({
  id,
  time: '',
  kind: 'model',
  message: {
    role: 'model',
    pieces: [{kind: 'text', text}, ...calls.map((call) => ({kind: 'call' as const, id: call, name: 't', input: {}}))],
  },
});
const results = (id: string, calls: readonly string[]): Entry => ({
  id,
  time: '',
  kind: 'user',
  origin: 'tools',
  message: {
    role: 'user',
    pieces: calls.map((call) => ({kind: 'result', id: call, name: 't', output: [{text: 'ok'}], failed: false})),
  },
});

describe('a continued history [agent.resume]', () => {
  test('calls that were never answered are answered', () => {
    const repaired = repairHistory([user('u', 'go'), model('m', 'x', ['a', 'b']), results('r', ['a'])]);
    expect(repaired.map(({id}) => id)).toEqual(['u', 'm', 'm-unanswered', 'r']);
    const pieces = toMessages(repaired)
      .at(-1)
      ?.pieces.map((piece) => (piece.kind === 'result' ? [piece.id, piece.failed] : piece.kind));
    expect(pieces).toEqual([
      ['b', true],
      ['a', false],
    ]);
  });

  test('one that is whole stays as it is', () => {
    const entries = [user('u', 'go'), model('m', 'x', ['a']), results('r', ['a']), model('n', 'done')];
    expect(repairHistory(entries)).toEqual(entries);
  });

  test('roles alternate, notes are left out and nothing is empty', () => {
    const note: Entry = {
      id: 'n',
      time: '',
      kind: 'note',
      message: {role: 'user', pieces: [{kind: 'text', text: 'note'}]},
    };
    expect(toMessages([user('a', 'one'), note, user('b', 'two'), model('m', ''), model('m2', 'x')])).toEqual([
      {
        role: 'user',
        pieces: [
          {kind: 'text', text: 'one'},
          {kind: 'text', text: 'two'},
        ],
      },
      {role: 'model', pieces: [{kind: 'text', text: 'x'}]},
    ]);
  });
});

describe('where a history is cut [agent.compress]', () => {
  const turns = Array.from({length: 10}, (_, index) => [
    user(`u${index}`, 'x'.repeat(100)),
    model(`m${index}`, 'y'.repeat(100)),
  ]).flat();

  test('the newest three tenths stay, from a prompt on', () => {
    const {old, kept} = divide([user('context-1', '<session_context>', 'agent'), ...turns]);
    expect(old[0]?.id).toBe('u0');
    expect(kept[0]?.id).toBe('u7');
    expect(old.length + kept.length).toBe(20);
  });

  test('never between a call and its result', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({min: 1, max: 300}), fc.boolean()), {minLength: 1, maxLength: 20}),
        (sizes) => {
          const entries = sizes.flatMap(([size, isCall], index) =>
            isCall
              ? [model(`m${index}`, 'x'.repeat(size), [`c${index}`]), results(`r${index}`, [`c${index}`])]
              : [user(`u${index}`, 'x'.repeat(size)), model(`m${index}`, 'y'.repeat(size))],
          );
          const {old, kept} = divide([user('first', 'go'), ...entries]);
          expect(kept[0]?.origin).not.toBe('tools');
          expect([...old, ...kept]).toHaveLength(entries.length + 1);
        },
      ),
    );
  });
});

test('tokens are about four Latin characters, and about one that is wide', () => {
  expect([estimateText(''), estimateText('x'.repeat(400)), estimateText('漢'.repeat(400))]).toEqual([0, 100, 400]);
});

test('of the calls of one answer a bounded number is run; the model learns of each other one [agent.calls-bounded]', async () => {
  let [running, most] = [0, 0];
  const call = async (): Promise<object> => {
    most = Math.max(most, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
    return {status: 'done', result: {model: 'x'}, trace: []};
  };
  const parts = {
    tools: {call},
    offered: new Map([['look', {effect: 'read'}]]),
    statistics: {countCall: () => undefined},
    seen: new Set(),
    times: {take: async () => undefined},
  };
  const calls = Array.from({length: 502}, (_, index) => ({id: String(index), name: 'look', input: {}}));
  const watch = {signal: new AbortController().signal, onEvent: () => undefined};
  // What of a session it needs is all that is given.
  const records = await runCalls(
    parts as unknown as Parameters<typeof runCalls>[0],
    calls as unknown as Parameters<typeof runCalls>[1],
    watch,
  );
  const codes = records.slice(499).map(({error}) => error?.code);
  expect({count: records.length, codes, most}).toEqual({
    count: 502,
    codes: [undefined, 'CALLS_EXCESSIVE', 'CALLS_EXCESSIVE'],
    most: 32,
  });
});
