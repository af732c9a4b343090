import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {makeFolder} from '../../helpers/make-plugin.js';
import {answer, converse, hook, readNotes, startHooks} from './scene.js';

const say = (text: string): ScriptedAnswer => ({pieces: [{kind: 'text', text}]});
const specific = (value: Record<string, unknown>): Record<string, unknown> => ({hookSpecificOutput: value});

describe('the agent', () => {
  test('BeforeAgent refuses a prompt [hooking.events]', async () => {
    await using talk = await converse({BeforeAgent: [{hooks: [hook('echo not today; exit 2')]}]}, []);
    expect(await talk.send('go')).toMatchObject({
      status: 'refused',
      error: {message: 'The prompt was refused: not today'},
    });
    expect(talk.server.requests).toEqual([]);
  });

  test('SessionStart and BeforeAgent add context in a frame [hooking.foreign]', async () => {
    await using folder = await makeFolder();
    const note = join(folder.path, 'notes');
    const hooks = {
      SessionStart: [
        {matcher: 'startup', hooks: [hook(answer(specific({additionalContext: 'It is <Monday>.'}), note))]},
      ],
      BeforeAgent: [{hooks: [hook(answer(specific({additionalContext: 'Be brief.'}), note))]}],
      SessionEnd: [{matcher: 'exit', hooks: [hook(answer('', note))]}],
    };
    const talk = await converse(hooks, [say('ok'), say('ok')]);
    try {
      await talk.send('go');
      await talk.send('again');
      const [first, second] = talk.server.requests.map(({messages}) => JSON.stringify(messages.at(-1)));
      expect(first).toContain('<hook_context>\\nIt is &lt;Monday&gt;.\\n\\nBe brief.\\n</hook_context>');
      expect(second).not.toContain('Monday');
    } finally {
      await talk[Symbol.asyncDispose]();
    }
    expect(await readNotes(note)).toMatchObject([
      {hook_event_name: 'SessionStart', source: 'startup'},
      {hook_event_name: 'BeforeAgent', prompt: 'go'},
      {hook_event_name: 'BeforeAgent', prompt: 'again'},
      {hook_event_name: 'SessionEnd', reason: 'exit'},
    ]);
  });

  test('SessionStart and SessionEnd say why a conversation begins and ends [hooking.session]', async () => {
    await using folder = await makeFolder();
    const note = join(folder.path, 'notes');
    const noted = [{hooks: [hook(answer('', note))]}];
    const hooks = {SessionStart: noted, SessionEnd: noted};
    const talk = await converse(hooks, [say('ok')], {live: false, more: ['secrets', 'hooks', 'shell', 'sessions']});
    try {
      const conversations = await talk.kernel.service('conversations');
      const {id, session} = await conversations.open();
      await conversations.send(id, {kind: 'prompt', text: 'go'});
      await conversations.begin(id);
      await conversations.resume(id, session);
      await conversations.close(id);
    } finally {
      await talk[Symbol.asyncDispose]();
    }
    const runs = (await readNotes(note)).map(({hook_event_name: event, source, reason}) => [event, source ?? reason]);
    expect(runs).toEqual([
      ['SessionStart', 'startup'],
      ['SessionStart', 'clear'],
      ['SessionEnd', 'clear'],
      ['SessionStart', 'resume'],
      ['SessionEnd', 'other'],
      ['SessionEnd', 'exit'],
    ]);
  });

  test('a matcher chooses the reason of SessionStart and SessionEnd [hooking.session]', async () => {
    await using folder = await makeFolder();
    const note = join(folder.path, 'notes');
    const only = (matcher: string): object[] => [{matcher, hooks: [hook(answer('', note))]}];
    const talk = await converse({SessionStart: only('clear'), SessionEnd: only('other')}, [], {
      live: false,
      more: ['secrets', 'hooks'],
    });
    try {
      const conversations = await talk.kernel.service('conversations');
      const {id} = await conversations.open();
      await conversations.begin(id);
      await conversations.close(id);
    } finally {
      await talk[Symbol.asyncDispose]();
    }
    expect(await readNotes(note)).toMatchObject([{hook_event_name: 'SessionStart', source: 'clear'}]);
  });

  test('AfterAgent asks for one more round, and knows that it did [hooking.events]', async () => {
    const command =
      `if grep -q '"stop_hook_active":true'; then exit 0; ` +
      `else printf '{"decision":"block","reason":"Run the tests."}'; fi`;
    await using talk = await converse({AfterAgent: [{hooks: [hook(command)]}]}, [say('Done.'), say('Tested.')]);
    expect(await talk.send('go')).toMatchObject({status: 'done', text: 'Tested.'});
    expect(JSON.stringify(talk.server.requests[1]?.messages.at(-1))).toContain('Run the tests.');
  });

  test('AfterAgent clears the history before the round that it asks for [hooking.events]', async () => {
    const command =
      `if grep -q '"stop_hook_active":true'; then exit 0; else ` +
      answer({decision: 'block', reason: 'Begin again.', ...specific({clearContext: true})}) +
      '; fi';
    await using talk = await converse({AfterAgent: [{hooks: [hook(command)]}]}, [say('A secret.'), say('Done.')]);
    expect(await talk.send('my question')).toMatchObject({status: 'done', text: 'Done.'});
    const [first, second] = talk.server.requests.map(({messages}) => JSON.stringify(messages));
    expect(first).toContain('my question');
    expect(second).toContain('Begin again.');
    expect(second).not.toMatch(/my question|A secret/);
    // The context of the session is still there.
    expect(second).toContain('session_context');
  });

  test('a hook of AfterAgent that must not fail ends the prompt [hooking.failure]', async () => {
    const hooks = {AfterAgent: [{hooks: [hook('exit 2', {failure: 'closed'})]}]};
    await using talk = await converse(hooks, [say('Done.'), say('never')]);
    expect(await talk.send('go')).toMatchObject({status: 'failed', error: {code: 'HOOK_STOPPED'}});
    expect(talk.server.requests).toHaveLength(1);
  });
});

describe('the model', () => {
  test('BeforeModel changes a request [hooking.events]', async () => {
    const hooks = {
      BeforeModel: [
        {
          hooks: [
            hook(
              answer(
                specific({llm_request: {config: {temperature: 0.5}, messages: [{role: 'user', content: 'hidden'}]}}),
              ),
            ),
          ],
        },
      ],
    };
    await using talk = await converse(hooks, [say('ok')]);
    await talk.send('my password');
    expect(JSON.stringify(talk.server.requests[0]?.messages)).toContain('hidden');
    expect(JSON.stringify(talk.server.requests[0]?.messages)).not.toContain('my password');
  });

  test('BeforeModel answers in place of the model, with or without a deny [hooking.events]', async () => {
    const canned = specific({llm_response: {candidates: [{content: {role: 'model', parts: ['Canned.']}}]}});
    for (const decision of [undefined, 'deny']) {
      await using talk = await converse({BeforeModel: [{hooks: [hook(answer({...canned, decision}))]}]}, []);
      expect(await talk.send('go')).toMatchObject({status: 'done', text: 'Canned.'});
      expect(talk.server.requests).toEqual([]);
    }
  });

  test('BeforeModel stops the agent [hooking.events]', async () => {
    const again = hook(answer({decision: 'block', reason: 'again'}));
    const hooks = {BeforeModel: [{hooks: [hook('echo no budget; exit 2')]}], AfterAgent: [{hooks: [again]}]};
    await using talk = await converse(hooks, []);
    expect(await talk.send('go')).toMatchObject({status: 'done', text: 'Agent execution stopped by hook: no budget'});
    expect(talk.server.requests).toEqual([]);
  });

  test('AfterModel replaces a part of the answer, and stops it [hooking.events]', async () => {
    const shout = answer(specific({llm_response: {text: 'LOUD'}}));
    await using talk = await converse({AfterModel: [{hooks: [hook(shout)]}]}, [say('quiet')]);
    expect(await talk.send('go')).toMatchObject({text: 'LOUD'});
    await using stopped = await converse(
      {AfterModel: [{hooks: [hook(answer({continue: false, stopReason: 'rude'}))]}]},
      [say('x')],
    );
    expect(await stopped.send('go')).toMatchObject({
      error: {code: 'HOOK_STOPPED', message: 'A hook stopped the agent: rude'},
    });
  });

  test('BeforeToolSelection joins the choices of several hooks; NONE leaves no tool [hooking.events]', async () => {
    const allow = (...names: string[]): Record<string, unknown> =>
      hook(answer(specific({toolConfig: {mode: 'ANY', allowedFunctionNames: names}})));
    await using talk = await converse(
      {BeforeToolSelection: [{hooks: [allow('read_file'), allow('list_directory', 'made_up')]}]},
      [say('ok')],
    );
    await talk.send('go');
    expect(talk.server.requests[0]?.tools.map(({name}) => name).sort()).toEqual(['list_directory', 'read_file']);
    expect(talk.server.requests[0]?.body).toMatchObject({toolConfig: {functionCallingConfig: {mode: 'ANY'}}});
    const none = hook(answer(specific({toolConfig: {mode: 'NONE'}})));
    await using quiet = await converse({BeforeToolSelection: [{hooks: [allow('read_file'), none]}]}, [say('ok')]);
    await quiet.send('go');
    expect(quiet.server.requests[0]?.tools).toEqual([]);
    expect(quiet.server.requests[0]?.body).not.toHaveProperty('toolConfig');
  });

  test('PreCompress and Notification observe [hooking.events]', async () => {
    await using folder = await makeFolder();
    const note = join(folder.path, 'notes');
    const observe = [{hooks: [hook(answer({decision: 'deny', reason: 'no'}, note))]}];
    await using talk = await converse({PreCompress: observe}, [
      ...['a', 'b', 'c', 'd'].map((text) => say(`- ${text}\n`.repeat(2000))),
      say('A summary.'),
    ]);
    for (const text of ['one', 'two', 'three', 'four']) await talk.send(text);
    expect(await talk.agent.compress({signal: new AbortController().signal, onEvent: () => undefined})).toMatchObject({
      status: 'compressed',
    });
    await using kernel = await startHooks({hooks: {Notification: observe}, confirm: 'no'});
    expect(await kernel.call('write_file', {file_path: 'b.txt', content: 'x'})).toMatchObject({status: 'refused'});
    await kernel.close();
    expect(await readNotes(note)).toMatchObject([
      {hook_event_name: 'PreCompress', trigger: 'manual'},
      {
        hook_event_name: 'Notification',
        notification_type: 'ToolPermission',
        details: {type: 'edit', fileName: 'b.txt', tool_name: 'write_file'},
      },
    ]);
  });
});
