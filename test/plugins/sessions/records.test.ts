import {describe, expect, test} from '@jest/globals';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import fc from 'fast-check';
import {anyEntry} from './arbitrary-entries.js';
import {entryToLine} from '#plugins/sessions/dist/entry-to-line.js';
import {lineToEntry} from '#plugins/sessions/dist/line-to-entry.js';
import {lineOf} from '#plugins/sessions/dist/records.js';
import {readSession} from '#plugins/sessions/dist/read-session.js';
import {understand} from '#plugins/sessions/dist/session-store.js';
import {completeHistory} from '#plugins/sessions/dist/complete-history.js';

const given = process.env['FUZZ_RUNS'];
const parameters = given === undefined ? {numRuns: 500, seed: 20_261_120} : {numRuns: Number(given)};
const FIRST =
  '{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00.000Z",' +
  '"lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"}';
const user = (id: string, text: string): string =>
  JSON.stringify({id, timestamp: '2026-01-01T00:00:01.000Z', type: 'user', content: [{text}]});
const read = (...lines: readonly string[]): ReturnType<typeof readSession> =>
  readSession(Buffer.from(lines.join('\n')));
const idsOf = (...lines: readonly string[]): unknown => read(...lines)?.messages.map(({id}) => id);

describe('every entry comes back as it was', () => {
  test('through one line of the file', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const line = lineOf(entryToLine(entry));
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(line).not.toMatch(/[\u2028\u2029]/);
        expect(lineToEntry(JSON.parse(line) as Record<string, unknown>)).toEqual(entry);
      }),
      parameters,
    );
  });

  test('whatever JSON a line holds, reading it throws nothing', () => {
    const loose = fc.dictionary(
      fc.constantFrom(
        'id',
        'type',
        'content',
        'timestamp',
        'kernel',
        'toolCalls',
        'thoughts',
        'tokens',
        'parts',
        '$set',
        '$rewindTo',
        'sessionId',
        'messages',
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(loose, fc.jsonValue()), {maxLength: 5}), (lines) => {
        expect(() =>
          understand(Buffer.from([FIRST, ...lines.map((line) => JSON.stringify(line))].join('\n'))),
        ).not.toThrow();
      }),
      parameters,
    );
  });

  test('whatever bytes a file holds, reading it throws nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 200}), (bytes) => {
        expect(() => understand(Buffer.from(bytes))).not.toThrow();
        expect(() => understand(Buffer.concat([Buffer.from(`${FIRST}\n`), Buffer.from(bytes)]))).not.toThrow();
      }),
      parameters,
    );
  });
});

describe('the lines of a file', () => {
  test('a later line with the same id replaces the earlier one in its place', () => {
    expect(read(FIRST, user('a', '1'), user('b', '2'), user('a', '3'))?.messages).toEqual([
      JSON.parse(user('a', '3')),
      JSON.parse(user('b', '2')),
    ]);
  });

  test.each([
    [
      'drops the message and all after it',
      [user('a', '1'), user('b', '2'), user('c', '3'), '{"$rewindTo":"b"}'],
      ['a'],
    ],
    ['to a message that is not there drops nothing', [user('a', '1'), '{"$rewindTo":"z"}'], ['a']],
    ['is not the last word', [user('a', '1'), '{"$rewindTo":"a"}', user('a', '2')], ['a']],
  ])('a rewind %s', (_, lines, ids) => {
    expect(idsOf(FIRST, ...lines)).toEqual(ids);
  });

  test('a set list of messages takes the place of all', () => {
    expect(
      idsOf(FIRST, user('a', '1'), `{"$set":{"messages":[${user('x', '1')},${user('y', '2')}]}}`, user('z', '3')),
    ).toEqual(['x', 'y', 'z']);
  });

  test.each([
    [
      'a line that is no JSON is passed over and counted',
      [FIRST, 'garbage', user('a', '1'), ''],
      {unreadable: 1, isCut: false},
    ],
    ['zeros of a power cut are passed over', [FIRST, '\0\0\0\0', user('a', '1'), ''], {unreadable: 1, isCut: false}],
    ['half a line at the end is a cut', [FIRST, user('a', '1'), '{"id":"b","ti'], {unreadable: 0, isCut: true}],
    [
      'half a line that was written again is nothing missing',
      [FIRST, user('a', '1').slice(0, 20), user('a', '1'), ''],
      {unreadable: 0, isCut: false},
    ],
    [
      'half a character is no other half line',
      [FIRST, `${user('a', 'é').split('é')[0] ?? ''}\ufffd`, user('a', 'é'), ''],
      {unreadable: 0, isCut: false},
    ],
  ])('%s', (_, lines, expected) => {
    expect(read(...lines)).toMatchObject({...expected, messages: [{id: 'a'}]});
  });

  test('a file without its first line is no session', () => {
    expect(read(user('a', '1'))).toBeUndefined();
  });
});

describe('files of the other program', () => {
  test('a turn with a tool call is understood: thoughts, tokens, the call, its result', () => {
    const model = {
      id: 'm',
      timestamp: '2026-01-01T00:00:02.000Z',
      type: 'gemini',
      content: 'Reading.',
      model: 'gemini-2.5-pro',
      thoughts: [{subject: 'Plan', description: 'Look first.', timestamp: '2026-01-01T00:00:02.000Z'}],
      tokens: {input: 10, output: 2, cached: 0, thoughts: 1, tool: 0, total: 13},
    };
    const response = {functionResponse: {id: 'c1', name: 'read_file', response: {output: 'text'}}};
    const call = {
      id: 'c1',
      name: 'read_file',
      args: {file_path: 'a'},
      result: [response],
      status: 'success',
      timestamp: '2026-01-01T00:00:03.000Z',
      resultDisplay: 'read',
      displayName: 'ReadFile',
      description: 'x',
    };
    const lines = [
      FIRST,
      `{"$set":{"messages":[${user('c', '<session_context>x</session_context>')}]}}`,
      user('q', 'Read a'),
      JSON.stringify(model),
      '{"$set":{"lastUpdated":"2026-01-01T00:00:03.000Z"}}',
      JSON.stringify({...model, toolCalls: [call]}),
      JSON.stringify({id: 'r', timestamp: '2026-01-01T00:00:03.000Z', type: 'user', content: [response]}),
      JSON.stringify({
        id: 'e',
        timestamp: '2026-01-01T00:00:04.000Z',
        type: 'gemini',
        content: [{text: 'Done.', thoughtSignature: 'sig'}],
        tokens: null,
      }),
      JSON.stringify({id: 'n', timestamp: '2026-01-01T00:00:05.000Z', type: 'warning', content: 'Careful.'}),
      '',
    ];
    const entries: readonly Entry[] = [
      {
        id: 'c',
        time: '2026-01-01T00:00:01.000Z',
        kind: 'user',
        origin: 'agent',
        message: {role: 'user', pieces: [{kind: 'text', text: '<session_context>x</session_context>'}]},
      },
      {
        id: 'q',
        time: '2026-01-01T00:00:01.000Z',
        kind: 'user',
        origin: 'person',
        message: {role: 'user', pieces: [{kind: 'text', text: 'Read a'}]},
      },
      {
        id: 'm',
        time: '2026-01-01T00:00:02.000Z',
        kind: 'model',
        model: 'gemini-2.5-pro',
        usage: {input: 10, output: 2, cached: 0, thoughts: 1, tool: 0, total: 13},
        message: {
          role: 'model',
          pieces: [
            {kind: 'thought', text: '**Plan** Look first.'},
            {kind: 'text', text: 'Reading.'},
            {kind: 'call', id: 'c1', name: 'read_file', input: {file_path: 'a'}},
          ],
        },
        calls: [
          {
            id: 'c1',
            name: 'read_file',
            input: {file_path: 'a'},
            status: 'done',
            output: [{text: 'text'}],
            display: 'read',
            ms: 0,
            time: '2026-01-01T00:00:03.000Z',
          },
        ],
      },
      {
        id: 'r',
        time: '2026-01-01T00:00:03.000Z',
        kind: 'user',
        origin: 'tools',
        message: {
          role: 'user',
          pieces: [{kind: 'result', id: 'c1', name: 'read_file', output: [{text: 'text'}], failed: false}],
        },
      },
      {
        id: 'e',
        time: '2026-01-01T00:00:04.000Z',
        kind: 'model',
        message: {role: 'model', pieces: [{kind: 'text', text: 'Done.', signature: 'sig'}]},
      },
      {
        id: 'n',
        time: '2026-01-01T00:00:05.000Z',
        kind: 'note',
        severity: 'warning',
        message: {role: 'user', pieces: [{kind: 'text', text: 'Careful.'}]},
      },
    ];
    expect(understand(Buffer.from(lines.join('\n')))).toEqual({
      entries,
      metadata: {
        sessionId: 's',
        projectHash: 'p',
        kind: 'main',
        startTime: '2026-01-01T00:00:00.000Z',
        lastUpdated: '2026-01-01T00:00:03.000Z',
      },
    });
  });

  test(
    'a release that kept one object is understood, and results that stand only with the call ' +
      'are given to the model',
    () => {
      const call = {id: 'c1', name: 'ls', args: {}, result: 'a b', status: 'success', timestamp: 't'};
      const file = {
        sessionId: 's',
        projectHash: 'p',
        startTime: 't',
        lastUpdated: 't',
        messages: [
          {id: 'q', timestamp: 't', type: 'user', content: 'ls'},
          {id: 'm', timestamp: 't', type: 'gemini', content: '', toolCalls: [call]},
        ],
      };
      expect(understand(Buffer.from(JSON.stringify(file, null, 2)))?.entries.map(({message}) => message)).toEqual([
        {role: 'user', pieces: [{kind: 'text', text: 'ls'}]},
        {role: 'model', pieces: [{kind: 'call', id: 'c1', name: 'ls', input: {}}]},
        {role: 'user', pieces: [{kind: 'result', id: 'c1', name: 'ls', output: [{text: 'a b'}], failed: false}]},
      ]);
    },
  );

  test('what we write has what the other one reads: parts, tool calls with their result, tokens, thoughts', () => {
    const entry: Entry = {
      id: 'm',
      time: '2026-01-01T00:00:02.000Z',
      kind: 'model',
      model: 'x',
      usage: {input: 1, output: 2, cached: 0, thoughts: 0, tool: 0, total: 3},
      message: {
        role: 'model',
        pieces: [
          {kind: 'thought', text: '**Plan**\nLook.'},
          {kind: 'call', id: 'c', name: 'ls', input: {path: '.'}, signature: 'sig'},
        ],
      },
      calls: [
        {
          id: 'c',
          name: 'ls',
          input: {path: '.'},
          status: 'refused',
          output: [{text: 'No.'}],
          error: {code: 'X', message: 'No.'},
          ms: 3,
          time: '2026-01-01T00:00:03.000Z',
        },
      ],
    };
    expect(entryToLine(entry)).toEqual({
      id: 'm',
      timestamp: '2026-01-01T00:00:02.000Z',
      type: 'gemini',
      model: 'x',
      tokens: {input: 1, output: 2, cached: 0, thoughts: 0, tool: 0, total: 3},
      content: [
        {text: '**Plan**\nLook.', thought: true},
        {functionCall: {id: 'c', name: 'ls', args: {path: '.'}}, thoughtSignature: 'sig'},
      ],
      thoughts: [{subject: 'Plan', description: 'Look.', timestamp: '2026-01-01T00:00:02.000Z'}],
      toolCalls: [
        {
          id: 'c',
          name: 'ls',
          args: {path: '.'},
          status: 'error',
          timestamp: '2026-01-01T00:00:03.000Z',
          result: [{functionResponse: {id: 'c', name: 'ls', response: {error: 'No.'}}}],
        },
      ],
      kernel: {calls: [{ms: 3, status: 'refused', error: {code: 'X', message: 'No.'}}]},
    });
  });
});

test('however a history is cut, each call is answered once by the next message of the user', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, {maxLength: 8}), (entries) => {
      const {entries: complete} = completeHistory(entries);
      const spoken = complete.filter(({kind}) => kind !== 'note');
      spoken.forEach(({kind, message}, index) => {
        if (kind !== 'model') return;
        const calls = message.pieces.flatMap((piece) => (piece.kind === 'call' ? [piece.id] : []));
        const next = spoken[index + 1];
        const results =
          next?.kind === 'user'
            ? next.message.pieces.flatMap((piece) => (piece.kind === 'result' ? [piece.id] : []))
            : [];
        expect(new Set(results)).toEqual(new Set(calls));
        expect(results).toHaveLength(calls.length);
      });
    }),
    parameters,
  );
});

describe('damage in bulk', () => {
  const timed = (lines: readonly string[]): number => {
    const bytes = Buffer.from([FIRST, ...lines, ''].join('\n'));
    const start = performance.now();
    readSession(bytes);
    return performance.now() - start;
  };
  const shortest = (act: () => number): number => Math.min(...[1, 2, 3].map(act));

  test.each([
    [
      'lines that cannot be read',
      (count: number) => Array.from({length: count}, (_, index) => `{"id": ${index}, broken`),
    ],
    [
      'going back, again and again',
      (count: number) =>
        Array.from({length: count / 2}, (_, index) => [user(`${index}`, 'x'), '{"$rewindTo":"z"}']).flat(),
    ],
    [
      'going back over much',
      (count: number) => [
        ...Array.from({length: count}, (_, index) => user(`${index}`, 'x')),
        ...Array.from({length: count}, (_, index) => `{"$rewindTo":"${count - index - 1}"}`),
      ],
    ],
    [
      'settings, each of another key',
      (count: number) => Array.from({length: count}, (_, index) => `{"$set":{"key${index}":1}}`),
    ],
  ])('%s take time by their number, not by its square [sessions.linear]', (_, make) => {
    const [few, many] = [make(20_000), make(100_000)];
    const small = shortest(() => timed(few));
    expect(shortest(() => timed(many)) / small).toBeLessThan(15);
  });

  test('200,000 lines that cannot be read are counted', () => {
    const text = Array.from({length: 200_000}, (_, index) => `${index} broken\n`).join('');
    expect(read(FIRST, `${text}${user('a', '1')}`, '')).toMatchObject({unreadable: 200_000, messages: [{id: 'a'}]});
  });
});

describe('files of every release of the other program, in bulk [sessions.reference]', () => {
  const time = '2026-01-01T00:00:00.000Z';
  const text = fc.string({maxLength: 30});
  const parts = fc.array(fc.record({text}), {maxLength: 3});
  const content = fc.oneof(text, parts);
  const status = fc.constantFrom('success', 'error', 'cancelled');
  const call = fc.record(
    {
      id: fc.uuid(),
      name: fc.constantFrom('read_file', 'run_shell_command', 'mcp_x_y'),
      args: fc.dictionary(text, fc.jsonValue()),
      status,
      timestamp: fc.constant(time),
      result: fc.oneof(
        fc.constant(null),
        fc.array(
          fc.record({functionResponse: fc.record({id: fc.uuid(), name: text, response: fc.record({output: text})})}),
          {maxLength: 2},
        ),
      ),
      resultDisplay: fc.oneof(text, fc.record({fileDiff: text, fileName: text})),
      description: text,
      displayName: text,
      renderOutputAsMarkdown: fc.boolean(),
      agentId: fc.uuid(),
    },
    {requiredKeys: ['id', 'name', 'args', 'status', 'timestamp']},
  );
  const tokens = fc.oneof(
    fc.constant(null),
    fc.record({
      input: fc.nat(),
      output: fc.nat(),
      cached: fc.nat(),
      thoughts: fc.nat(),
      tool: fc.nat(),
      total: fc.nat(),
    }),
  );
  const person = fc.record(
    {id: fc.uuid(), timestamp: fc.constant(time), type: fc.constant('user'), content, displayContent: content},
    {requiredKeys: ['id', 'timestamp', 'type', 'content']},
  );
  const model = fc.record(
    {
      id: fc.uuid(),
      timestamp: fc.constant(time),
      type: fc.constant('gemini'),
      content,
      tokens,
      model: fc.constant('gemini-2.5-pro'),
      toolCalls: fc.array(call, {maxLength: 3}),
      thoughts: fc.array(fc.record({subject: text, description: text, timestamp: fc.constant(time)}), {maxLength: 2}),
    },
    {requiredKeys: ['id', 'timestamp', 'type', 'content']},
  );
  const notice = fc.record({
    id: fc.uuid(),
    timestamp: fc.constant(time),
    type: fc.constantFrom('info', 'warning', 'error'),
    content,
  });
  const message = fc.oneof(person, model, notice);
  const first = fc.record(
    {
      sessionId: fc.uuid(),
      projectHash: text,
      startTime: fc.constant(time),
      lastUpdated: fc.constant(time),
      kind: fc.constantFrom('main', 'subagent'),
      directories: fc.array(text, {maxLength: 2}),
    },
    {requiredKeys: ['sessionId', 'projectHash', 'startTime', 'lastUpdated']},
  );
  const patch = fc.oneof(
    fc.record({
      $set: fc.record(
        {lastUpdated: fc.constant(time), summary: text, memoryScratchpad: fc.record({version: fc.nat(), text})},
        {requiredKeys: []},
      ),
    }),
    fc.record({$set: fc.record({messages: fc.array(message, {maxLength: 3})})}),
    fc.record({$rewindTo: fc.uuid()}),
  );
  const lasting = (lines: readonly object[]): ReadonlySet<string> => {
    const ids = new Set<string>();
    for (const line of lines as readonly {id?: string; $set?: {messages?: readonly {id: string}[]}}[]) {
      if (line.id !== undefined) ids.add(line.id);
      if (line.$set?.messages) ids.clear();
      line.$set?.messages?.forEach(({id}) => ids.add(id));
    }
    return ids;
  };

  test('lines: every message is there, in a history that a model accepts, and nothing is said to be unreadable', () => {
    fc.assert(
      fc.property(first, fc.array(fc.oneof({weight: 5, arbitrary: message}, patch), {maxLength: 12}), (head, lines) => {
        const bytes = Buffer.from([head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
        expect(new Set(readSession(bytes)?.messages.map(({id}) => id))).toEqual(lasting(lines));
        const found = understand(bytes);
        expect(found?.metadata['sessionId']).toBe(head.sessionId);
        expect(found?.notice ?? '').not.toMatch(/cannot be read/);
      }),
      parameters,
    );
  });

  test('the one object of older releases, however it is laid out', () => {
    fc.assert(
      fc.property(first, fc.array(message, {maxLength: 8}), fc.constantFrom(0, 2, '\t'), (head, messages, space) => {
        const found = readSession(Buffer.from(JSON.stringify({...head, messages}, null, space)));
        expect(new Set(found?.messages.map(({id}) => id))).toEqual(new Set(messages.map(({id}) => id)));
      }),
      parameters,
    );
  });
});
