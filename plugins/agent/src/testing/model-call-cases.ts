import assert from 'node:assert/strict';
import {converse, endOf, hear, joined, lastRequest, question, same, says, type TopicalCase} from './model-trial.js';
import type {TestedEvent, TestedMessage, TestedPiece, TestedTool} from './model-under-test.js';

const TOOLS: readonly TestedTool[] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    input: {
      type: 'object',
      required: ['path'],
      properties: {
        path: {type: 'string', minLength: 1, description: 'Where it is.'},
        lines: {type: 'array', items: {type: 'integer', minimum: 1}, maxItems: 2},
      },
    },
  },
  {
    name: 'ask_user',
    description: 'Asks.',
    input: {
      type: 'object',
      properties: {kind: {enum: ['yes-no', 'text', 3]}, more: {anyOf: [{type: 'null'}, {$ref: '#/$defs/more'}]}},
      $defs: {more: {type: 'object', additionalProperties: false}},
    },
  },
];

const INPUT = {path: 'a/ü.ts', lines: [1, 20], deep: {list: [{}, null, true, 1.5, ''], text: 'line\n"quoted" \\ back'}};

/** How a provider transports tool calls and their results. */
export const callCases: readonly TopicalCase[] = [
  {
    title: 'a call arrives complete, with its arguments, and the answer ends with stop',
    async run(options) {
      const events = await hear(options, [
        {kind: 'text', text: 'Let me look.'},
        {kind: 'call', id: 'c1', name: 'read_file', input: INPUT},
      ]);
      same(
        [joined(events), endOf(events)],
        [
          [
            {kind: 'text', text: 'Let me look.'},
            {kind: 'call', name: 'read_file', input: INPUT},
          ],
          'stop',
        ],
      );
    },
  },
  {
    title: 'several calls keep their order and have ids of their own, whether the server gave any, none, or one twice',
    async run(options) {
      for (const ids of [
        ['a', 'b', 'c'],
        [undefined, undefined, undefined],
        ['a', 'a', 'a'],
      ]) {
        const calls = callsIn(
          await hear(
            options,
            ids.map((id, index) => ({
              kind: 'call',
              ...(id === undefined ? {} : {id}),
              name: 'read_file',
              input: {path: String(index)},
            })),
          ),
        );
        same(
          calls.map(({input}) => input),
          [{path: '0'}, {path: '1'}, {path: '2'}],
        );
        assert.equal(
          new Set(calls.map(({id}) => id)).size,
          3,
          `Ids of their own, though the server said ${JSON.stringify(ids)}: ${calls.map(({id}) => id).join(', ')}.`,
        );
      }
    },
  },
  {
    title: 'a call that the server sends twice with the same id is one call',
    async run(options) {
      const call = {kind: 'call', id: 'a', name: 'read_file', input: {path: '0'}} as const;
      same(
        callsIn(await hear(options, [call, call])).map(({input}) => input),
        [{path: '0'}],
      );
    },
  },
  {
    title: 'a call without arguments has an empty object for input',
    run: async (options) =>
      same(joined(await hear(options, [{kind: 'call', id: 'c1', name: 'look'}])), [
        {kind: 'call', name: 'look', input: {}},
      ]),
  },
  {
    title: 'results go back under the call that they answer, in a conversation that the server accepts',
    async run(options) {
      for (const ids of [
        ['a', 'b'],
        [undefined, undefined],
        ['a', 'a'],
      ]) {
        const heard = await hear(
          options,
          ids.map((id, index) => ({
            kind: 'call',
            ...(id === undefined ? {} : {id}),
            name: 'read_file',
            input: {path: String(index)},
          })),
        );
        const calls = callsIn(heard);
        await converse(
          options,
          [{pieces: [{kind: 'text', text: 'Done.'}]}],
          question(options, {
            tools: TOOLS,
            messages: [
              says('user', 'Read.'),
              {role: 'model', pieces: calls},
              {role: 'user', pieces: calls.map(resultOf)},
            ],
          }),
        );
        const [, asked, answered] = lastRequest(options).messages;
        same(outputsIn(answered), [
          ['Contents of 0.', false],
          ['Contents of 1.', true],
        ]);
        same(idsIn(answered), idsIn(asked), 'Each result has the id of its call.');
      }
    },
  },
  {
    title: 'results that were made in another order are still one for each call',
    async run(options) {
      const calls = ['x', 'y'].map((id, index): Call => ({
        kind: 'call',
        id,
        name: 'read_file',
        input: {path: String(index)},
      }));
      await converse(
        options,
        [{}],
        question(options, {
          tools: TOOLS,
          messages: [
            says('user', 'Read.'),
            {role: 'model', pieces: calls},
            {role: 'user', pieces: calls.map(resultOf).reverse()},
          ],
        }),
      );
      same([...idsIn(lastRequest(options).messages[2])].sort(), ['x', 'y']);
    },
  },
  {
    title: 'the schemas of tools arrive unharmed',
    async run(options) {
      await converse(options, [{}], question(options, {tools: TOOLS}));
      same(lastRequest(options).tools, TOOLS);
    },
  },
  {
    title: 'signatures go back on the piece that they came with',
    topic: 'signatures',
    async run(options) {
      const pieces: readonly TestedPiece[] = [
        {kind: 'text', text: 'Hm.', signature: 'dGV4dA=='},
        {kind: 'call', id: 'c', name: 'read_file', input: {path: '0'}, signature: 'Y2FsbA=='},
      ];
      await converse(
        options,
        [{}],
        question(options, {
          tools: TOOLS,
          messages: [
            says('user', 'Read.'),
            {role: 'model', pieces},
            {role: 'user', pieces: pieces.slice(1).map((piece) => resultOf(piece as Call))},
          ],
        }),
      );
      same(lastRequest(options).messages[1]?.pieces, pieces);
    },
  },
  {
    title: 'a malformed call is reported as such, and is not made up',
    topic: 'malformed-calls',
    async run(options) {
      const [call] = callsIn(await hear(options, [{kind: 'call', id: 'c1', name: 'read_file', raw: '{"path": "a.ts'}]));
      same([call?.name, call?.input, call?.malformed], ['read_file', undefined, '{"path": "a.ts']);
    },
  },
];

type Call = Extract<TestedEvent, {kind: 'call'}>;

function callsIn(events: readonly TestedEvent[]): readonly Call[] {
  return events.filter((event) => event.kind === 'call');
}

function resultOf({id, name, input}: Call): TestedPiece {
  const {path} = input as {path: string};
  return {kind: 'result', id, name, output: [{text: `Contents of ${path}.`}], failed: path === '1'};
}

function outputsIn(message: TestedMessage | undefined): readonly unknown[] {
  return (message?.pieces ?? []).flatMap((piece) =>
    piece.kind === 'result'
      ? [[piece.output.map((part) => ('text' in part ? part.text : '')).join(''), piece.failed]]
      : [],
  );
}

function idsIn(message: TestedMessage | undefined): readonly string[] {
  return (message?.pieces ?? []).flatMap((piece) =>
    piece.kind === 'call' || piece.kind === 'result' ? [piece.id] : [],
  );
}
