import {describe, expect, test} from '@jest/globals';
import type {Form, FormReply, ToolOutcome} from '@gemini-kernel/kernel';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startConversation, type Conversation} from '../agent/conversation.js';
import {scripted, textOf} from './scene.js';

const says = (text: string): ScriptedAnswer => ({
  pieces: [{kind: 'text', text}],
  usage: {input: 10, output: 2, total: 12},
});

interface Scene extends Conversation {
  readonly forms: Form[];
  sample(tool?: string, input?: object): Promise<ToolOutcome>;
}

/** A conversation with a server that may ask the model as these settings say. */
async function place({
  sampling,
  script = [],
  reply,
  workspace,
}: {
  sampling?: unknown;
  script?: readonly ScriptedAnswer[];
  reply?: (form: Form) => FormReply;
  workspace?: Readonly<Record<string, unknown>>;
}): Promise<Scene> {
  const forms: Form[] = [];
  const server = {...scripted(), ...(sampling === undefined ? {} : {sampling})};
  const talk = await startConversation({
    script,
    confirm: 'yes',
    more: ['mcp'],
    settings: {mcpServers: {far: server}},
    variables: {PATH: process.env['PATH']},
    ...(workspace ? {files: {'.gemini/settings.json': JSON.stringify(workspace)}} : {}),
    ...(reply
      ? {
          answer: (form: Form) => {
            forms.push(form);
            return reply(form);
          },
        }
      : {}),
  });
  return {
    ...talk,
    forms,
    sample: (tool = 'sample', input = {}) => talk.kernel.call(`mcp_far_${tool}`, input),
    [Symbol.asyncDispose]: () => talk[Symbol.asyncDispose](),
  };
}

const choose = (answer: string) => (): FormReply => ({outcome: 'answered', values: {answer}});

/** What the server was answered. */
function answerOf(outcome: ToolOutcome): Record<string, unknown> {
  return JSON.parse(textOf(outcome).split('\n')[1] ?? '') as Record<string, unknown>;
}

describe('a server that asks the model', () => {
  test('is answered by the model of the session [mcp.sampling]', async () => {
    await using scene = await place({sampling: true, script: [says('42')], reply: choose('once')});
    expect(answerOf(await scene.sample())).toEqual({
      model: expect.stringMatching(/^gemini:/) as unknown,
      role: 'assistant',
      stopReason: 'endTurn',
      content: {type: 'text', text: '42'},
    });
    const [request] = scene.server.requests;
    expect([request?.system, JSON.stringify(request?.messages), scene.server.requests.length]).toEqual([
      'Be brief.',
      expect.stringContaining('What is the answer?'),
      1,
    ]);
    expect(scene.forms.map(({title, text}) => [title, text])).toEqual([
      [
        'The MCP server "far" wants to ask your model.',
        'Request 1 of 20; 0 of 100000 tokens used, at most 100 more for this answer.\n' +
          'system: Be brief.\nuser: What is the answer?',
      ],
    ]);
    const {models} = await scene.agent.stats();
    expect(models.map(({requests, usage}) => [requests, usage.total])).toEqual([[1, 12]]);
    expect(await scene.agent.history()).toEqual([]);
  });

  test('calls its tools on its own, the session does not [mcp.sampling]', async () => {
    const call: ScriptedAnswer = {pieces: [{kind: 'call', id: 'c1', name: 'warmth', input: {place: 'here'}}]};
    await using scene = await place({sampling: true, script: [call, says('21')]});
    const [first, second] = answerOf(await scene.sample('sample_tools')) as unknown as readonly unknown[];
    expect(first).toMatchObject({
      stopReason: 'toolUse',
      content: [{type: 'tool_use', name: 'warmth', input: {place: 'here'}}],
    });
    expect(second).toMatchObject({stopReason: 'endTurn', content: {type: 'text', text: '21'}});
    const sent = scene.server.requests.map(({messages, tools}) => [JSON.stringify(messages), JSON.stringify(tools)]);
    expect(sent[0]?.[1]).toContain('warmth');
    expect(sent[1]?.[0]).toContain('21 degrees');
    expect(sent[1]?.[1] ?? '').not.toContain('warmth');
  });

  test.each([
    ['without the setting', {}, /Method not found|sampling/i],
    ['refused by the person', {sampling: true, reply: choose('no')}, /rejected/],
    ['closed by the person', {sampling: true, reply: (): FormReply => ({outcome: 'closed'})}, /rejected/],
  ])('gets an error, and nothing is sent: %s [mcp.sampling]', async (_, options, sentence) => {
    await using scene = await place(options);
    expect(JSON.stringify(answerOf(await scene.sample()))).toMatch(sentence);
    expect(scene.server.requests).toEqual([]);
  });

  test('gets so many answers, and a notice says that there are no more [mcp.sampling]', async () => {
    await using scene = await place({
      sampling: {requests: 2},
      script: [says('1'), says('2')],
      reply: choose('session'),
    });
    const outcomes = await Promise.all([scene.sample(), scene.sample(), scene.sample()]);
    const refused = outcomes.map(answerOf).filter((one) => 'error' in one);
    expect(refused).toEqual([
      {error: {code: -1, message: expect.stringMatching(/used up its budget.*2 of 2 requests/) as unknown}},
    ]);
    expect(scene.kernel.notices.map(({code}) => code)).toContain('MCP_SAMPLING_LIMIT');
  });

  test('is asked about once where the person allows the session [mcp.sampling]', async () => {
    await using scene = await place({sampling: true, script: [says('1'), says('2')], reply: choose('session')});
    await scene.sample();
    await scene.sample();
    expect(scene.forms).toHaveLength(1);
  });

  test('gets no more tokens than are left [mcp.sampling]', async () => {
    await using scene = await place({sampling: {tokens: 50}, script: [says('1'), says('2')]});
    await scene.sample('sample', {maxTokens: 1000});
    await scene.sample('sample', {maxTokens: 1000});
    expect(scene.server.requests.map(({config}) => config?.['maxOutputTokens'])).toEqual([50, 38]);
  });

  test.each([
    ['a word', 'yes', /sampling must be true, false or an object/],
    ['a negative number', {tokens: -1}, /must be positive numbers/],
  ])('is left out when the setting is %s', async (_, sampling, sentence) => {
    await using scene = await place({sampling});
    const [server] = await (await scene.kernel.service('mcp')).list();
    expect(server?.leftOut).toMatchObject({reason: 'invalid', sentence: expect.stringMatching(sentence) as unknown});
  });

  test('cannot be allowed by a project [mcp.sampling]', async () => {
    await using scene = await place({workspace: {mcpServers: {far: {...scripted(), sampling: true}}}});
    const [server] = await (await scene.kernel.service('mcp')).list();
    expect(server?.leftOut?.sentence).toContain('sampling can be switched on only in user or system settings');
  });
});
