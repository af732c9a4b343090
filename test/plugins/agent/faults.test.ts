import {expect, test} from '@jest/globals';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import {startConversation} from './conversation.js';

const fine: ScriptedAnswer = {pieces: [{kind: 'text', text: 'Fine.'}]};
const ok = {status: 'done', text: 'Fine.'};

interface Case {
  readonly script: readonly ScriptedAnswer[];
  readonly end: object;
  readonly requests: number;
}

/** What each fault leads to. The fallback of the real provider is switched off, so that one model has to do. */
const cases: Readonly<Record<string, Case>> = {
  'a refused key ends it at once': {
    script: [{refusal: {status: 401}}],
    end: {status: 'failed', error: {code: 'MODEL_AUTH', status: 401}},
    requests: 1,
  },
  'a forbidden key ends it at once': {
    script: [{refusal: {status: 403}}],
    end: {status: 'failed', error: {code: 'MODEL_AUTH', status: 403}},
    requests: 1,
  },
  'a model that does not exist ends it at once': {
    script: [{refusal: {status: 404}}],
    end: {status: 'failed', error: {code: 'MODEL_REQUEST_INVALID', status: 404}},
    requests: 1,
  },
  'a bad request ends it at once': {
    script: [{refusal: {status: 400}}],
    end: {status: 'failed', error: {code: 'MODEL_REQUEST_INVALID', status: 400}},
    requests: 1,
  },
  '429 is tried again': {script: [{refusal: {status: 429}}, {refusal: {status: 429}}, fine], end: ok, requests: 3},
  '429 with a delay is tried again after it': {
    script: [{refusal: {status: 429, delayMs: 30, quota: 'minute'}}, fine],
    end: ok,
    requests: 2,
  },
  'a daily quota ends it at once': {
    script: [{refusal: {status: 429, quota: 'day'}}],
    end: {status: 'failed', error: {code: 'MODEL_QUOTA', status: 429}},
    requests: 1,
  },
  'a delay of ten minutes ends it at once': {
    script: [{refusal: {status: 429, delayMs: 600_000}}],
    end: {status: 'failed', error: {code: 'MODEL_QUOTA'}},
    requests: 1,
  },
  '429 for ever ends after the attempts that the settings give': {
    script: Array.from({length: 3}, () => ({refusal: {status: 429}})),
    end: {status: 'failed', error: {code: 'MODEL_QUOTA'}},
    requests: 3,
  },
  '500 is tried again': {script: [{refusal: {status: 500}}, fine], end: ok, requests: 2},
  '503 for ever ends': {
    script: Array.from({length: 3}, () => ({refusal: {status: 503}})),
    end: {status: 'failed', error: {code: 'MODEL_OVERLOADED', status: 503}},
    requests: 3,
  },
  'an answer that breaks off before anything was shown is asked for again': {
    script: [{pieces: [{kind: 'text', text: 'Hel'}], cut: {afterPieces: 0, by: 'reset'}}, fine],
    end: ok,
    requests: 2,
  },
  'an answer that breaks off continues where it stopped': {
    script: [
      {
        pieces: [
          {kind: 'text', text: 'Half '},
          {kind: 'text', text: 'lost'},
        ],
        cut: {afterPieces: 1, by: 'reset'},
      },
      {pieces: [{kind: 'text', text: 'and half.'}]},
    ],
    end: {status: 'done', text: 'Half and half.'},
    requests: 2,
  },
  'an answer without a reported end continues': {
    script: [{pieces: [{kind: 'text', text: 'Half '}], end: 'none'}, {pieces: [{kind: 'text', text: 'and half.'}]}],
    end: {status: 'done', text: 'Half and half.'},
    requests: 2,
  },
  'answers that break off again and again end it': {
    script: Array.from({length: 4}, () => ({
      pieces: [{kind: 'text' as const, text: 'a'}],
      cut: {afterPieces: 1, by: 'end' as const},
    })),
    end: {status: 'failed', text: 'aaaa', error: {code: 'MODEL_UNREACHABLE'}},
    requests: 4,
  },
  'what is not JSON is asked for again': {
    script: [{pieces: [{kind: 'garbage', text: '{{{'}]}, fine],
    end: ok,
    requests: 2,
  },
  'an empty answer is asked for again': {script: [{pieces: []}, fine], end: ok, requests: 2},
  'thoughts alone are asked for again': {
    script: [{pieces: [{kind: 'thought', text: 'Hm.'}]}, fine],
    end: ok,
    requests: 2,
  },
  'empty answers for ever end it': {
    script: Array.from({length: 4}, () => ({pieces: []})),
    end: {status: 'invalid', error: {code: 'ANSWER_INVALID'}},
    requests: 4,
  },
  'a malformed call is asked for again': {
    script: [{pieces: [], end: 'malformed'}, fine],
    end: ok,
    requests: 2,
  },
  'a blocked prompt ends it at once': {
    script: [{end: 'prompt-blocked'}],
    end: {status: 'failed', error: {code: 'MODEL_BLOCKED'}},
    requests: 1,
  },
  'a blocked answer ends it at once': {
    script: [{end: 'blocked'}],
    end: {status: 'failed', error: {code: 'MODEL_BLOCKED'}},
    requests: 1,
  },
  'an answer cut by its limit is kept, with a warning': {
    script: [{pieces: [{kind: 'text', text: 'Long'}], end: 'length'}],
    end: {status: 'done', text: 'Long', warnings: [expect.stringContaining('output limit')]},
    requests: 1,
  },
  'a slow trickle is waited for': {script: [{...fine, chunkBytes: 7, pauseMs: 1}], end: ok, requests: 1},
};

test.each(Object.entries(cases))('%s [agent.faults]', async (_, {script, end, requests}) => {
  await using talk = await startConversation({script, settings: {general: {maxAttempts: 3}, model: {fallback: []}}});
  expect(await talk.send('go')).toMatchObject(end);
  expect(talk.server.requests).toHaveLength(requests);
  expect(talk.server.faults).toEqual([]);
});

test('a model that says nothing is given up after model.inactivityTimeout [agent.faults]', async () => {
  await using talk = await startConversation({
    script: [{pieces: [], stall: 'headers'}, fine],
    settings: {model: {inactivityTimeout: 1}},
  });
  expect(await talk.send('go')).toMatchObject(ok);
  expect(await talk.server.requests[0]?.end).toBe('left');
  expect(talk.events.filter(({kind}) => kind === 'waiting')).toMatchObject([
    {failure: {kind: 'network', message: expect.stringContaining('sent nothing')}},
  ]);
});

test('a server that does not run on this machine is said with its address, and not waited for [agent.faults]', async () => {
  const gone = await startGeminiServer({script: []});
  await gone.close();
  await using talk = await startConversation({
    script: [],
    settings: {model: {fallback: []}},
    variables: {GOOGLE_GEMINI_BASE_URL: gone.url},
  });
  expect(await talk.send('go')).toMatchObject({
    status: 'failed',
    error: {code: 'MODEL_UNREACHABLE', message: expect.stringContaining(new URL(gone.url).host)},
  });
  expect(talk.events.filter(({kind}) => kind === 'waiting')).toEqual([]);
});

test('without a key no request is sent, and the next step is shown [agent.faults]', async () => {
  await using talk = await startConversation({
    script: [],
    variables: {GEMINI_API_KEY: undefined, GOOGLE_GEMINI_BASE_URL: undefined},
  });
  expect(await talk.send('go')).toMatchObject({
    status: 'failed',
    error: {code: 'MODEL_AUTH', hint: expect.stringContaining('GEMINI_API_KEY')},
  });
});

test('the next model of the chain answers when the first cannot, and it is said [agent.fallback]', async () => {
  await using talk = await startConversation({
    settings: {model: {name: 'big', fallback: ['small', 'missing:x']}},
    script: ({model}) => (model === 'big' ? {refusal: {status: 429, quota: 'day'}} : fine),
  });
  await expect(talk.send('go')).resolves.toMatchObject(ok);
  expect(talk.kernel.warnings).toEqual([expect.stringContaining('Cannot use missing:x from model.fallback')]);
  await using other = await startConversation({
    settings: {model: {name: 'big', fallback: ['small']}},
    script: ({model}) => (model === 'big' ? {refusal: {status: 429, quota: 'day'}} : fine),
  });
  expect(await other.send('go')).toMatchObject(ok);
  expect(other.events.filter(({kind}) => kind === 'fallback')).toMatchObject([
    {from: 'gemini:big', to: 'gemini:small', failure: {kind: 'quota'}},
  ]);
  await other.send('again');
  expect(other.server.requests.map(({model}) => model)).toEqual(['big', 'small', 'small']);
});

test('a model that stays overloaded is asked three times when another stands behind it [agent.fallback]', async () => {
  await using talk = await startConversation({
    settings: {model: {name: 'big', fallback: ['small']}},
    script: ({model}) => (model === 'big' ? {refusal: {status: 503}} : fine),
  });
  await talk.send('go');
  await talk.send('again');
  expect(talk.server.requests.map(({model}) => model)).toEqual([
    'big',
    'big',
    'big',
    'small',
    'big',
    'big',
    'big',
    'small',
  ]);
});
