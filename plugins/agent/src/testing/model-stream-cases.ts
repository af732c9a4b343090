import assert from 'node:assert/strict';
import type {ModelSuiteOptions} from './model-suite.js';
import {converse, endOf, hear, joined, question, same, soon, type TopicalCase} from './model-trial.js';
import type {ScriptedPiece} from './scripted-answer.js';

const LARGE = 2 * 1024 * 1024;
const UNICODE = 'Zażółć gęślą jaźń, 日本語, 🧑🏽‍💻 – fin';

/** How a provider handles an answer as it arrives. */
export const streamCases: readonly TopicalCase[] = [
  {
    title: 'text comes in pieces, and ends with stop',
    async run(options) {
      const events = await hear(options, [text('Hel'), text('lo'), text('.')]);
      same([joined(events), endOf(events)], [[{kind: 'text', text: 'Hello.'}], 'stop']);
    },
  },
  {
    title: 'a piece is given while the server is still thinking about the next one',
    topic: 'connection',
    run: hearBeforeTheEnd,
  },
  {
    title: 'an answer without any words is an end, and nothing else',
    async run(options) {
      const events = await hear(options, []);
      same([joined(events), endOf(events)], [[], 'stop']);
    },
  },
  {
    title: 'thoughts are separate from text',
    topic: 'thoughts',
    async run(options) {
      const events = await hear(options, [
        {kind: 'thought', text: 'Hm, '},
        {kind: 'thought', text: 'well.'},
        text('Yes.'),
      ]);
      same(joined(events), [
        {kind: 'thought', text: 'Hm, well.'},
        {kind: 'text', text: 'Yes.'},
      ]);
    },
  },
  {
    title: 'a signature stays on the piece that it came with',
    topic: 'signatures',
    async run(options) {
      const events = await hear(options, [
        text('a'),
        text('b', 'c2ln'),
        {kind: 'call', id: 'one', name: 'look', input: {}, signature: 'Y2FsbA=='},
      ]);
      const marks = events.flatMap((event) => ('signature' in event ? [[event.kind, event.signature]] : []));
      same(marks, [
        ['text', 'c2ln'],
        ['call', 'Y2FsbA=='],
      ]);
    },
  },
  {
    title: 'tokens are counted as the server counts them, the last count being the whole',
    async run(options) {
      const usage = {input: 120, output: 30, cached: 100, thoughts: 7, total: 157};
      const events = await hear(options, [text('Yes.')], {usage});
      same(events.filter(({kind}) => kind === 'usage').at(-1), {kind: 'usage', usage: {tool: 0, ...usage}});
    },
  },
  {
    title: 'no counts are made up when the server tells none',
    run: async (options) =>
      same(
        (await hear(options, [text('Yes.')])).filter(({kind}) => kind === 'usage'),
        [],
      ),
  },
  {
    title: 'reaching the output limit is reported as such',
    run: async (options) => assert.equal(endOf(await hear(options, [text('And then')], {end: 'length'})), 'length'),
  },
  {
    title: 'characters are whole, wherever the network cuts them',
    topic: 'connection',
    async run(options) {
      for (const chunkBytes of [1, 2, 3, 7]) {
        same(
          joined(await hear(options, [text(UNICODE), text(UNICODE)], {chunkBytes})),
          [{kind: 'text', text: UNICODE + UNICODE}],
          `Sent ${chunkBytes} bytes at a time.`,
        );
      }
    },
  },
  {
    title: 'two megabytes of text arrive whole',
    async run(options) {
      const line = 'All work and no play. ';
      const pieces = Array.from({length: 64}, () => text(line.repeat(Math.ceil(LARGE / 64 / line.length))));
      const [said] = joined(await hear(options, pieces)) as {text: string}[];
      assert.equal(said?.text, pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''));
    },
  },
  {
    title: 'two requests at once do not mix',
    async run(options) {
      options.script([{pieces: [text('one '), text('one')]}, {pieces: [text('two '), text('two')]}]);
      const model = await options.open();
      const ask = async (): Promise<string> => {
        let said = '';
        for await (const event of model.stream(question(options), new AbortController().signal))
          if (event.kind === 'text') said += event.text;
        return said;
      };
      same((await Promise.all([ask(), ask()])).sort(), ['one one', 'two two']);
    },
  },
  {
    title: 'the second request of a provider is as good as the first',
    async run(options) {
      options.script([{pieces: [text('one')]}, {pieces: [text('two')]}]);
      const model = await options.open();
      const said: string[] = [];
      for (const _ of [1, 2])
        for await (const event of model.stream(question(options), new AbortController().signal))
          if (event.kind === 'text') said.push(event.text);
      assert.equal(said.join(' '), 'one two');
    },
  },
  {
    title: 'questions about a model send no request',
    async run(options) {
      const before = options.requests().length;
      const model = await options.open();
      assert.equal(await model.check(), undefined, 'Nothing is missing.');
      const {model: name, inputLimit, fallback} = await model.describe(options.model);
      assert.ok(name !== '' && inputLimit >= 0 && Array.isArray(fallback), 'It describes its model.');
      assert.ok((await model.describe('no-such-model')).model !== '', 'It describes a model that it does not know.');
      assert.equal(options.requests().length, before);
    },
  },
  {
    title: 'what a conversation costs can be asked before it is sent',
    async run(options) {
      const model = await options.open();
      const [short, long] = await Promise.all([
        model.count(question(options)),
        model.count(question(options, {system: 'word '.repeat(400)})),
      ]);
      assert.ok(
        short.tokens > 0 && long.tokens > short.tokens + 100,
        `A longer request has more tokens: ${short.tokens}, ${long.tokens}.`,
      );
    },
  },
];

function text(words: string, signature?: string): ScriptedPiece {
  return {kind: 'text', text: words, ...(signature === undefined ? {} : {signature})};
}

async function hearBeforeTheEnd(options: ModelSuiteOptions): Promise<void> {
  options.script([{pieces: [text('first'), text(' second')], stall: {afterPieces: 1}}]);
  const model = await options.open();
  const said: string[] = [];
  const stream = model.stream(question(options), new AbortController().signal)[Symbol.asyncIterator]();
  const first = await soon(options, 'The first piece comes before the second is sent', stream.next());
  if (!first.done && first.value.kind === 'text') said.push(first.value.text);
  options.release();
  for (let step = await stream.next(); !step.done; step = await stream.next())
    if (step.value.kind === 'text') said.push(step.value.text);
  assert.equal(said.join(''), 'first second');
  same(await converse(options, [{pieces: [text('x')]}], question(options)).then(joined), [{kind: 'text', text: 'x'}]);
}
