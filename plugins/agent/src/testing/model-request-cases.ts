import {converse, lastRequest, question, same, says, type TopicalCase} from './model-trial.js';
import type {TestedPiece} from './model-under-test.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What must arrive with a request. */
export const requestCases: readonly TopicalCase[] = [
  {
    title: 'the model, the instruction and the words arrive as they are',
    async run(options) {
      const messages = [says('user', 'Zażółć "this" \\ 🧑🏽‍💻'), says('model', 'Done.\n'), says('user', 'And now?')];
      await converse(options, [{}], question(options, {system: 'Be brief.\n- 1\n- 2', messages}));
      const {model, system, messages: seen} = lastRequest(options);
      const {model: resolved} = await (await options.open()).describe(options.model);
      same({model, system, messages: seen}, {model: resolved, system: 'Be brief.\n- 1\n- 2', messages});
    },
  },
  {
    title: 'without an instruction and tools the request has neither',
    async run(options) {
      await converse(options, [{}], question(options));
      const {system, tools} = lastRequest(options);
      same([system, tools], ['', []]);
    },
  },
  {
    title: 'roles take turns, though messages of one side follow each other and others are empty',
    topic: 'connection',
    async run(options) {
      const messages = [
        says('user', 'One.'),
        says('user', 'Two.'),
        {role: 'model', pieces: [{kind: 'thought', text: 'Hm.'}]} as const,
        says('user', 'Three.'),
        says('model', 'Yes.'),
        says('user', 'Four.'),
      ];
      await converse(options, [{}], question(options, {messages}));
      const seen = lastRequest(options).messages;
      same(
        seen.map(({role}) => role),
        ['user', 'model', 'user'],
      );
      const words = seen.map(({pieces}) =>
        pieces
          .map((piece) => ('text' in piece ? piece.text : ''))
          .join(' ')
          .replaceAll(/\s+/g, ' '),
      );
      same(words, ['One. Two. Three.', 'Yes.', 'Four.']);
    },
  },
  {
    title: 'a picture arrives as it is',
    async run(options) {
      const pieces: readonly TestedPiece[] = [
        {kind: 'text', text: 'What is this?'},
        {kind: 'data', mimeType: 'image/png', data: PIXEL},
      ];
      await converse(options, [{}], question(options, {messages: [{role: 'user', pieces}]}));
      same(lastRequest(options).messages[0]?.pieces, pieces);
    },
  },
  {
    title: 'how to answer is passed on',
    async run(options) {
      await converse(options, [{}], question(options, {config: {temperature: 0.3, topP: 0.9, maxOutputTokens: 99}}));
      const {temperature, topP, maxOutputTokens} = lastRequest(options).config;
      same({temperature, topP, maxOutputTokens}, {temperature: 0.3, topP: 0.9, maxOutputTokens: 99});
    },
  },
  {
    title: 'the form that the answer must have arrives unharmed',
    topic: 'answer-form',
    async run(options) {
      const answer = {
        type: 'object',
        required: ['ok'],
        properties: {ok: {type: 'boolean'}},
        additionalProperties: false,
      };
      await converse(options, [{}], question(options, {config: {answer}}));
      same(lastRequest(options).config.answer, answer);
    },
  },
];
