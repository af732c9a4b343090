import {afterEach, expect, test} from '@jest/globals';
import type {Message, ModelEvent, ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import fc from 'fast-check';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {openOpenai} from '../../helpers/model-subjects.js';

const HELLO: Message = {role: 'user', pieces: [{kind: 'text', text: 'Hello.'}]};
const REQUEST: ModelRequest = {model: 'llama3', system: '', messages: [HELLO], tools: [], config: {}};
const stop = {kind: 'end', reason: 'stop'};

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** What the provider makes of a body, byte for byte as a server sends it. */
async function hear(body: string, type = 'text/event-stream'): Promise<unknown> {
  const server = createServer((_, response) => response.writeHead(200, {'content-type': type}).end(body));
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  await using subject = await openOpenai({
    variables: {OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`},
  });
  const events: ModelEvent[] = [];
  for await (const event of subject.model.stream(REQUEST, AbortSignal.timeout(10_000))) events.push(event);
  return JSON.parse(JSON.stringify(events).replaceAll(/call_[\w-]{36}/g, 'MADE'));
}

const delta = (said: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({choices: [{index: 0, delta: said, finish_reason: finish}]})}\n\n`;
const callPiece = (call: object): string => delta({tool_calls: [call]});
const CALL = {kind: 'call', id: 'MADE', name: 'look', input: {n: 1}};

test.each<[string, string, readonly object[]]>([
  [
    'end lines with a carriage return',
    (delta({content: 'One.'}) + delta({}, 'stop')).replaceAll('\n', '\r\n'),
    [{kind: 'text', text: 'One.'}, stop],
  ],
  [
    'keep the connection alive with comments',
    `: ping\n\nevent: message\nid: 1\n${delta({content: 'One.'})}:\n\n${delta({}, 'stop')}`,
    [{kind: 'text', text: 'One.'}, stop],
  ],
  [
    'leave out the blank after the colon, and the last end of line',
    `data:${delta({content: 'One.'}).slice(6)}${delta({}, 'stop').trimEnd()}`,
    [{kind: 'text', text: 'One.'}, stop],
  ],
  ['leave out [DONE]', delta({content: 'One.'}) + delta({}, 'stop'), [{kind: 'text', text: 'One.'}, stop]],
  [
    'leave out the reason before [DONE]',
    `${delta({content: 'One.'})}data: [DONE]\n\n`,
    [{kind: 'text', text: 'One.'}, stop],
  ],
  [
    'say stop where they called a tool',
    callPiece({index: 0, id: 'a', function: {name: 'look', arguments: '{"n":1}'}}) + delta({}, 'stop'),
    [{...CALL, id: 'a'}, stop],
  ],
  [
    'send a call without an id, whole, and its arguments as an object',
    callPiece({index: 0, function: {name: 'look', arguments: {n: 1}}}) + delta({}, 'tool_calls'),
    [CALL, stop],
  ],
  [
    'number no calls',
    callPiece({id: 'a', function: {name: 'look', arguments: '{"n":'}}) +
      callPiece({function: {arguments: '1}'}}) +
      callPiece({id: 'b', function: {name: 'look', arguments: '{"n":1}'}}) +
      delta({}, 'stop'),
    [{...CALL, id: 'a'}, {...CALL, id: 'b'}, stop],
  ],
  [
    'number every call 0',
    callPiece({index: 0, id: 'a', function: {name: 'look', arguments: '{"n":1}'}}) +
      callPiece({index: 0, id: 'b', function: {name: 'look', arguments: '{"n":1}'}}) +
      delta({}, 'stop'),
    [{...CALL, id: 'a'}, {...CALL, id: 'b'}, stop],
  ],
  [
    'say the name again with each piece',
    callPiece({index: 0, id: 'a', function: {name: 'look', arguments: '{"n"'}}) +
      callPiece({index: 0, id: 'a', function: {name: 'look', arguments: ':1}'}}) +
      delta({}, 'stop'),
    [{...CALL, id: 'a'}, stop],
  ],
  [
    'mix the pieces of two calls',
    ['{"n"', ':1}']
      .map(
        (part) =>
          callPiece({index: 1, id: 'b', function: {name: 'look', arguments: part}}) +
          callPiece({index: 0, id: 'a', function: {name: 'look', arguments: part}}),
      )
      .join('') + delta({}, 'stop'),
    [{...CALL, id: 'b'}, {...CALL, id: 'a'}, stop],
  ],
  [
    'name thoughts otherwise',
    delta({reasoning: 'Hm.', content: ''}) + delta({reasoning_content: 'Oh.'}) + delta({content: 'One.'}, 'stop'),
    [{kind: 'thought', text: 'Hm.'}, {kind: 'thought', text: 'Oh.'}, {kind: 'text', text: 'One.'}, stop],
  ],
  [
    'send text in parts',
    delta(
      {
        content: [
          {type: 'text', text: 'One'},
          {type: 'text', text: '.'},
        ],
      },
      'stop',
    ),
    [{kind: 'text', text: 'One.'}, stop],
  ],
  [
    'send null where there is nothing',
    delta({content: null, tool_calls: null, reasoning_content: null}) + delta({content: 'One.'}, 'stop'),
    [{kind: 'text', text: 'One.'}, stop],
  ],
  [
    'count with each piece',
    `data: ${JSON.stringify({choices: [], usage: {prompt_tokens: 3, completion_tokens: 1}})}\n\n${delta({}, 'stop')}`,
    [{kind: 'usage', usage: {input: 3, output: 1, cached: 0, thoughts: 0, tool: 0, total: 4}}, stop],
  ],
])('servers that %s are understood', async (_, body, events) => {
  expect(await hear(body)).toEqual(events);
});

test('a server that does not stream is understood', async () => {
  const message = {
    role: 'assistant',
    content: 'One.',
    reasoning_content: 'Hm.',
    tool_calls: [{id: 'a', type: 'function', function: {name: 'look', arguments: '{"n":1}'}}],
  };
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: {cached_tokens: 4},
    completion_tokens_details: {reasoning_tokens: 2},
    total_tokens: 15,
  };
  expect(await hear(JSON.stringify({model: 'llama3', choices: [{message}], usage}), 'application/json')).toEqual([
    {kind: 'thought', text: 'Hm.'},
    {kind: 'text', text: 'One.'},
    {kind: 'usage', usage: {input: 10, output: 3, cached: 4, thoughts: 2, tool: 0, total: 15}},
    {...CALL, id: 'a'},
    {...stop, model: 'llama3'},
  ]);
});

test('however the bytes of a stream are cut, its events are the same [model.servers]', async () => {
  const {readEventStream} = await import('#plugins/model-openai/dist/event-stream.js');
  const line = fc.string({unit: 'grapheme', maxLength: 12}).map((text) => text.replaceAll(/[\r\n]/g, ''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(line, {minLength: 1, maxLength: 3}), {maxLength: 6}),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.integer({min: 1, max: 9}), {minLength: 1}),
      async (events, end, sizes) => {
        const bytes = Buffer.from(
          events.map((lines) => `: x${end}${lines.map((text) => `data: ${text}${end}`).join('')}${end}`).join(''),
        );
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
              const size = sizes[turn % sizes.length] ?? 1;
              controller.enqueue(bytes.subarray(at, at + size));
              at += size;
            }
            controller.close();
          },
        });
        const read: string[] = [];
        for await (const data of readEventStream(body)) read.push(data);
        expect(read).toEqual(events.map((lines) => lines.join('\n')));
      },
    ),
  );
});

test(
  'what goes to the server: of the settings parameters alone, results before other words, pictures beside them, ' +
    'other files named, thoughts left out',
  async () => {
    await using subject = await openOpenai({variables: {}});
    subject.server.script([{}]);
    const messages: Message[] = [
      HELLO,
      {
        role: 'model',
        pieces: [
          {kind: 'thought', text: 'Hm.'},
          {kind: 'text', text: 'A '},
          {kind: 'text', text: 'look.'},
          {kind: 'call', id: 'a', name: 'look', input: {n: 1}},
        ],
      },
      {
        role: 'user',
        pieces: [
          {kind: 'text', text: 'By the way.'},
          {kind: 'data', mimeType: 'application/pdf', data: 'JVBERi0='},
          {
            kind: 'result',
            id: 'a',
            name: 'look',
            failed: false,
            output: [{text: 'x'}, {inlineData: {mimeType: 'image/png', data: 'aGk='}}],
          },
        ],
      },
    ];
    for await (const {kind} of subject.model.stream(
      {
        ...REQUEST,
        messages,
        config: {
          own: {
            seed: 7,
            tools: [{type: 'web_search'}],
            messages: [],
            models: ['other'],
            provider: {},
            plugins: [{id: 'web'}],
            stream: false,
            topK: 1,
          },
        },
      },
      AbortSignal.timeout(10_000),
    ))
      expect(kind).toBe('end');
    expect(subject.server.requests[0]?.body).toEqual({
      seed: 7,
      model: 'llama3',
      stream: true,
      stream_options: {include_usage: true},
      messages: [
        {role: 'user', content: 'Hello.'},
        {
          role: 'assistant',
          content: 'A look.',
          tool_calls: [{id: 'a', type: 'function', function: {name: 'look', arguments: '{"n":1}'}}],
        },
        {role: 'tool', tool_call_id: 'a', content: 'x'},
        {
          role: 'user',
          content: [
            {type: 'text', text: 'From look:'},
            {type: 'image_url', image_url: {url: 'data:image/png;base64,aGk='}},
            {type: 'text', text: 'By the way.'},
            {
              type: 'text',
              text: '[A file of the type application/pdf is left out: this model takes text and pictures.]',
            },
          ],
        },
      ],
    });
  },
);
