import {expect, test} from '@jest/globals';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../../helpers/make-plugin.js';
import {startConversation, type Conversation} from './conversation.js';

const say = (text: string): ScriptedAnswer => ({pieces: [{kind: 'text', text}]});

/** A conversation with one more plugin that listens to `hook` by the body of a function. */
async function listenTo(
  folder: Folder,
  {
    hook,
    body,
    script,
    origin = 'core',
  }: {hook: string; body: string; script: readonly ScriptedAnswer[]; origin?: CatalogPlugin['origin']},
): Promise<Conversation> {
  const listener = await makePlugin(folder.path, {
    name: 'listening',
    origin,
    listeners: [{hook, module: './listener.mjs'}],
    files: {'listener.mjs': listenerCode(hook, body)},
  });
  return startConversation({script, others: [listener]});
}

test.each<
  [string, {hook: string; body: string; answers: readonly ScriptedAnswer[]; check(talk: Conversation): Promise<void>}]
>([
  [
    'prompt:submit may refuse',
    {
      hook: 'prompt:submit',
      body: 'return {decision: "deny", reason: "Not today."};',
      answers: [],
      async check(talk) {
        expect(await talk.send('go')).toMatchObject({
          status: 'refused',
          error: {code: 'PROMPT_REFUSED', message: 'The prompt was refused: Not today.'},
        });
        expect(talk.server.requests).toEqual([]);
      },
    },
  ],
  [
    'prompt:submit may add context',
    {
      hook: 'prompt:submit',
      body: 'return {decision: "allow", reason: "", context: "It is Monday."};',
      answers: [say('ok')],
      async check(talk) {
        await talk.send('go');
        expect(JSON.stringify(talk.server.requests[0]?.messages)).toContain(
          '<hook_context>\\nIt is Monday.\\n</hook_context>',
        );
      },
    },
  ],
  [
    'model:request may change a request',
    {
      hook: 'model:request',
      body: 'return {...payload.value, request: {...payload.value.request, system: "Changed."}};',
      answers: [say('ok')],
      async check(talk) {
        await talk.send('go');
        expect(talk.server.requests[0]?.system).toBe('Changed.');
      },
    },
  ],
  [
    'model:request may answer',
    {
      hook: 'model:request',
      body: 'return {...payload.value, answer: [{kind: "text", text: "Canned."}, {kind: "end", reason: "stop"}]};',
      answers: [],
      async check(talk) {
        expect(await talk.send('go')).toMatchObject({status: 'done', text: 'Canned.'});
        expect(talk.server.requests).toEqual([]);
      },
    },
  ],
  [
    'model:response may change what a model says',
    {
      hook: 'model:response',
      body:
        'const {value} = payload; return value.kind === "text" ? {...value, text: ' +
        'value.text.toUpperCase()} : value;',
      answers: [say('loud')],
      async check(talk) {
        expect(await talk.send('go')).toMatchObject({text: 'LOUD'});
      },
    },
  ],
  [
    'turn:end may ask for another round',
    {
      hook: 'turn:end',
      body: 'return payload.rounds === 1 ? {decision: "deny", reason: "Run the tests first."} : undefined;',
      answers: [say('Done.'), say('Tested.')],
      async check(talk) {
        expect(await talk.send('go')).toMatchObject({status: 'done', text: 'Tested.'});
        expect(talk.server.requests[1]?.messages.at(-1)).toEqual({
          role: 'user',
          pieces: [{kind: 'text', text: 'Run the tests first.'}],
        });
      },
    },
  ],
  [
    'history:compress may give the summary',
    {
      hook: 'history:compress',
      body: 'return {summary: "Given."};',
      answers: ['a', 'b', 'c', 'd'].map((text) => say(`- ${text}\n`.repeat(2000))),
      async check(talk) {
        for (const text of ['one', 'two', 'three', 'four']) await talk.send(text);
        expect(
          await talk.agent.compress({signal: new AbortController().signal, onEvent: () => undefined}),
        ).toMatchObject({status: 'compressed'});
        expect(talk.server.requests).toHaveLength(4);
      },
    },
  ],
  [
    'history:load gives the history of a continued conversation',
    {
      hook: 'history:load',
      body:
        'const message = (role, text) => ({role, pieces: [{kind: "text", text}]}); return {notice: "Two weeks ' +
        'old.", entries: [{id: "u", time: "", kind: "user", origin: "person", message: message("user", "before")}, ' +
        '{id: "m", time: "", kind: "model", message: message("model", "Yes.")}]};',
      answers: [say('ok')],
      async check(talk) {
        await talk.send('go');
        expect(talk.server.requests[0]?.messages.slice(1)).toEqual([
          {role: 'model', pieces: [{kind: 'text', text: 'Yes.'}]},
          {role: 'user', pieces: [{kind: 'text', text: 'go'}]},
        ]);
        expect(talk.events).toContainEqual({kind: 'note', severity: 'warning', text: 'Two weeks old.'});
      },
    },
  ],
])('%s [agent.moments]', async (_, {hook, body, answers, check}) => {
  await using folder = await makeFolder();
  await using talk = await listenTo(folder, {hook, body, script: answers});
  await check(talk);
});

test('a listener that came later can add context, and cannot let through what another refuses [agent.moments]', async () => {
  await using folder = await makeFolder();
  await using talk = await listenTo(folder, {
    hook: 'prompt:submit',
    body: 'return {decision: "allow", reason: "", context: "Hello."};',
    script: [say('ok')],
    origin: 'user',
  });
  await talk.send('go');
  expect(JSON.stringify(talk.server.requests[0]?.messages)).toContain('Hello.');
});
