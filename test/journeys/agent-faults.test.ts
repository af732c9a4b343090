import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, dialects, openAgentPlace, says, type AgentDialect} from '../helpers/run-agent.js';

const fine = says('Fine.');
const always =
  (answer: ScriptedAnswer): (() => ScriptedAnswer) =>
  () =>
    answer;
const quota = {type: 'KernelError', code: 'MODEL_QUOTA', exit: 60, status: 429};

interface Fault {
  readonly script: readonly ScriptedAnswer[] | (() => ScriptedAnswer);
  /** How often the model is asked. */
  readonly requests: number;
  readonly response: string;
  /** None: it went well in the end. */
  readonly error?: Readonly<Record<string, unknown>>;
}

/** Each fault, and what comes of it with two attempts. */
const faults: Readonly<Record<string, Fault>> = {
  'a refused key': {
    script: always({refusal: {status: 401}}),
    requests: 1,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_AUTH', exit: 41, status: 401},
  },
  'a key that may not': {
    script: always({refusal: {status: 403}}),
    requests: 1,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_AUTH', exit: 41, status: 403},
  },
  'a model that is not there': {
    script: always({refusal: {status: 404}}),
    requests: 1,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_REQUEST_INVALID', exit: 1, status: 404},
  },
  'a request that is not taken': {
    script: always({refusal: {status: 400}}),
    requests: 1,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_REQUEST_INVALID', exit: 1, status: 400},
  },
  '429 once': {script: [{refusal: {status: 429}}, fine], requests: 2, response: 'Fine.'},
  '429 for ever': {script: always({refusal: {status: 429}}), requests: 2, response: '', error: quota},
  '429 with a short wait': {
    script: [{refusal: {status: 429, delayMs: 20, quota: 'minute'}}, fine],
    requests: 2,
    response: 'Fine.',
  },
  '429 with a wait of ten minutes': {
    script: always({refusal: {status: 429, delayMs: 600_000}}),
    requests: 1,
    response: '',
    error: quota,
  },
  'a quota of the day that is used up': {
    script: always({refusal: {status: 429, quota: 'day'}}),
    requests: 1,
    response: '',
    error: quota,
  },
  '500 once': {script: [{refusal: {status: 500}}, fine], requests: 2, response: 'Fine.'},
  '500 for ever': {
    script: always({refusal: {status: 500}}),
    requests: 2,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_OVERLOADED', exit: 61, status: 500},
  },
  '503 for ever': {
    script: always({refusal: {status: 503}}),
    requests: 2,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_OVERLOADED', exit: 61, status: 503},
  },
  'a page of a gateway for ever': {
    script: always({refusal: {status: 502, body: '<html>Bad gateway</html>'}}),
    requests: 2,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_OVERLOADED', exit: 61, status: 502},
  },
  'what is not JSON, once': {
    script: [{pieces: [{kind: 'garbage', text: '{"broken": '}]}, fine],
    requests: 2,
    response: 'Fine.',
  },
  'what is not JSON, for ever': {
    script: always({pieces: [{kind: 'garbage', text: '{"broken": '}]}),
    requests: 2,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_UNREACHABLE', exit: 62},
  },
  'a connection that is reset, for ever': {
    script: always({...fine, cut: {afterPieces: 0, by: 'reset'}}),
    requests: 2,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_UNREACHABLE', exit: 62},
  },
  'an empty answer, once': {script: [{pieces: []}, fine], requests: 2, response: 'Fine.'},
  'an empty answer, for ever': {
    script: always({pieces: []}),
    requests: 4,
    response: '',
    error: {type: 'KernelError', code: 'ANSWER_INVALID', exit: 1},
  },
  'nothing but thoughts, once': {
    script: [{pieces: [{kind: 'thought', text: 'Hm.'}]}, fine],
    requests: 2,
    response: 'Fine.',
  },
  'nothing but thoughts, for ever': {
    script: always({pieces: [{kind: 'thought', text: 'Hm.'}]}),
    requests: 4,
    response: '',
    error: {type: 'KernelError', code: 'ANSWER_INVALID', exit: 1},
  },
  'an answer that is blocked': {
    script: always({end: 'blocked'}),
    requests: 1,
    response: '',
    error: {type: 'KernelError', code: 'MODEL_BLOCKED', exit: 59},
  },
  'an answer that breaks off again and again': {
    script: always({...says('a', 'lost'), cut: {afterPieces: 1, by: 'end'}}),
    requests: 4,
    response: 'aaaa',
    error: {type: 'KernelError', code: 'MODEL_UNREACHABLE', exit: 62},
  },
  'a slow trickle': {
    script: [{...says('One, ', 'two.'), chunkBytes: 5, pauseMs: 1}],
    requests: 1,
    response: 'One, two.',
  },
};

interface Break {
  readonly at: (body: Buffer) => number;
  readonly by: NonNullable<ScriptedAnswer['cut']>['by'];
}

const pieces = ['Grüße ', 'aus 東京, ', 'bald.'];
const middleOf = (body: Buffer, letter: string): number => body.indexOf(letter) + 1;
const endOfFrame = (body: Buffer, piece: string): number => body.indexOf('\n', body.indexOf(piece));

/** Where an answer is cut: a place of each kind that its bytes have. */
const breaks: Readonly<Record<string, Break>> = {
  'before the first byte': {at: () => 0, by: 'end'},
  'in the first word': {at: () => 3, by: 'end'},
  'in the JSON of the first piece': {at: (body) => body.indexOf('Gr'), by: 'end'},
  'in the middle of a letter of two bytes': {at: (body) => middleOf(body, 'ü'), by: 'end'},
  'in the middle of a letter of three bytes': {at: (body) => middleOf(body, '東'), by: 'end'},
  'before the end of a line': {at: (body) => endOfFrame(body, 'bald'), by: 'end'},
  'between the ends of two lines': {at: (body) => endOfFrame(body, 'aus') + 1, by: 'end'},
  'after a piece': {at: (body) => body.indexOf('data:', body.indexOf('aus')), by: 'end'},
  'after a piece, by a reset': {at: (body) => body.indexOf('data:', body.indexOf('aus')), by: 'reset'},
  'in the middle of a letter, by a reset': {at: (body) => middleOf(body, '東'), by: 'reset'},
  'in the middle of a letter, before the length that was promised': {at: (body) => middleOf(body, '東'), by: 'length'},
};

/**
 * What may be shown of an answer: the pieces whose events are whole, and, where it ends without a reset, one that lacks
 * only the empty line behind it.
 */
function shownBefore(body: Buffer, position: number, by: Break['by']): readonly string[] {
  const sent = body.subarray(0, position).toString();
  const count = (events: readonly string[]): number =>
    pieces.filter((piece) => events.some((event) => event.includes(piece))).length;
  const whole = count(sent.split(/\r?\n\r?\n/).slice(0, -1));
  const last = count(sent.split('\n').filter((line) => line.trimEnd().endsWith('}')));
  // A reset may take along what the system had not handed over yet.
  const first = by === 'end' ? whole : 0;
  return Array.from({length: last - first + 1}, (_, index) => pieces.slice(0, first + index).join(''));
}

/** The bytes of an answer as the server sends them. */
async function bytesOf(dialect: AgentDialect, answer: ScriptedAnswer): Promise<Buffer> {
  const server = await dialect.start([answer]);
  const question = {
    gemini: {contents: [{role: 'user', parts: [{text: 'go'}]}]},
    openai: {model: 'model-a', stream: true, messages: [{role: 'user', content: 'go'}]},
  }[dialect.name];
  const path = {gemini: '/v1beta/models/model-a:streamGenerateContent?alt=sse', openai: '/v1/chat/completions'}[
    dialect.name
  ];
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(question),
  });
  const body = Buffer.from(await response.arrayBuffer());
  await server.close();
  if (response.status !== 200) throw new Error(body.toString());
  return body;
}

/** In the short form each of them is met in one dialect, in turn; plugins/agent/faults has all of them in both. */
function share<T>(table: Readonly<Record<string, T>>, dialect: AgentDialect): readonly (readonly [string, T])[] {
  const isLong = process.env['FUZZ_RUNS'] !== undefined;
  const turn = dialects.indexOf(dialect);
  return Object.entries(table).filter((_, index) => isLong || index % dialects.length === turn);
}

describe.each(dialects)('$name', (dialect) => {
  test.each(share(faults, dialect))(
    '%s has its stated end [agent.faults]',
    async (_, {script, requests, response, error}) => {
      await using place = await openAgentPlace({dialect, script});
      const {code, report, stderr} = await place.ask(['-p', 'go']);
      const {message, hint, ...found} = report.error ?? {};
      expect({
        code,
        requests: place.server.requests.length,
        response: report.response,
        error: report.error && found,
      }).toEqual({code: error?.['exit'] ?? 0, requests, response, error});
      expect(place.server.faults).toEqual([]);
      expect([typeof message, stderr.includes(message ?? '')]).toEqual([error ? 'string' : 'undefined', true]);
      expect(`${stderr}${hint ?? ''}`).not.toMatch(/ {4}at |a-key-of/);
    },
  );

  test('a refused connection is reported with the address [agent.faults]', async () => {
    await using place = await openAgentPlace({dialect});
    await place.server.close();
    const {code, report} = await place.ask(['-p', 'go']);
    expect({code, response: report.response, error: report.error}).toEqual({
      code: 62,
      response: '',
      error: {
        type: 'KernelError',
        code: 'MODEL_UNREACHABLE',
        exit: 62,
        message: expect.stringContaining(new URL(place.server.url).host),
        hint: expect.any(String),
      },
    });
  });

  test.each([
    ['before it begins', {...fine, stall: 'headers'}, ''],
    ['in the middle', {...says('Half ', 'lost'), stall: {afterPieces: 1}}, 'Half '],
  ] as const)(
    'a model that falls silent %s is left after model.inactivityTimeout and asked again [agent.faults]',
    async (_, answer, shown) => {
      await using place = await openAgentPlace({
        dialect,
        script: [answer, fine],
        settings: {model: {inactivityTimeout: 1}},
      });
      const {code, report, stderr} = await place.ask(['-p', 'go']);
      expect({code, response: report.response, error: report.error}).toEqual({
        code: 0,
        response: `${shown}Fine.`,
        error: undefined,
      });
      expect(stderr).toContain('sent nothing for 1 second.');
      expect(await place.server.requests[0]?.end).toBe('left');
    },
  );

  test('a call that is sent twice is made once [agent.faults]', async () => {
    const call = {kind: 'call', id: 'same', name: 'read_file', input: {file_path: 'a.txt'}} as const;
    await using place = await openAgentPlace({
      dialect,
      files: {'a.txt': 'alpha\n'},
      script: [{pieces: [call, call]}, fine],
    });
    const {code, report} = await place.ask(['-p', 'go']);
    expect({code, response: report.response, calls: report.stats?.tools.totalCalls}).toEqual({
      code: 0,
      response: 'Fine.',
      calls: 1,
    });
    expect(place.server.faults).toEqual([]);
  });

  describe('an answer that is cut', () => {
    test.each(share(breaks, dialect))(
      '%s continues after what was shown, whole and once [agent.faults]',
      async (_, {at, by}) => {
        const answer = says(...pieces);
        const body = await bytesOf(dialect, answer);
        const position = at(body);
        expect(position).toBeGreaterThanOrEqual(0);
        await using place = await openAgentPlace({
          dialect,
          script: [{...answer, cut: {afterBytes: position, by}}, fine],
        });
        const {code, report} = await place.ask(['-p', 'go']);
        expect({
          code,
          requests: place.server.requests.length,
          faults: place.server.faults,
          error: report.error,
        }).toEqual({code: 0, requests: 2, faults: [], error: undefined});
        expect(shownBefore(body, position, by).map((shown) => `${shown}Fine.`)).toContain(report.response);
      },
    );

    test.each([0.3, 0.6, 0.9, 1])('after %f of a call does not make it [agent.faults]', async (share) => {
      const answer = callsTools(['write_file', {file_path: 'made.txt', content: 'by half a call'}]);
      const length = (await bytesOf(dialect, {...answer, end: 'none'})).length;
      await using place = await openAgentPlace({
        dialect,
        files: {'a.txt': ''},
        script: [{...answer, cut: {afterBytes: Math.floor(length * share), by: 'end'}}, fine],
      });
      const {code, report} = await place.ask(['-p', 'go', '--approval-mode', 'auto_edit']);
      expect({
        code,
        response: report.response,
        calls: report.stats?.tools.totalCalls,
        files: await readdir(join(place.project)),
      }).toEqual({code: 0, response: 'Fine.', calls: 0, files: ['a.txt']});
    });
  });
});
