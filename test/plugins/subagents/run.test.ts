import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../../helpers/make-plugin.js';
import {callsTools, says} from '../../helpers/run-agent.js';
import type {Conversation} from '../agent/conversation.js';
import {agentFile, delegates, heard, isOf, openAgents} from './scene.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const home = (name: string, head = '', body?: string): Readonly<Record<string, string>> => ({
  [`.gemini/agents/${name}.md`]: agentFile(name, head, body),
});
const read = callsTools(['read_file', {file_path: 'a.txt'}]);
const isWritten = ({kernel}: Conversation): boolean => existsSync(join(kernel.project, 'b.txt'));
const files = {'a.txt': 'the content\n'};

describe('an agent', () => {
  test('works in its own conversation, and the caller gets its report only [agents.run]', async () => {
    const script = delegates('helper', (turn) => (turn === 1 ? read : says('It says: the content.')));
    await using conversation = await openAgents(script, {homeFiles: home('helper'), files});
    expect(await conversation.send('go')).toMatchObject({status: 'done', text: 'Done.'});
    expect(heard(conversation)).toContain(
      "Subagent 'helper' finished.\\nTermination Reason: GOAL\\nResult:\\nIt says: the content.",
    );
    const [, first] = conversation.server.requests;
    expect(first?.system).toContain('an agent that another agent called');
    expect(JSON.stringify(first?.messages)).not.toContain('go');
    expect(JSON.stringify(await conversation.agent.history())).not.toContain('the content\\n');
  });

  test('costs what it costs: its requests count for the caller [agents.cost]', async () => {
    await using conversation = await openAgents(
      delegates('helper', () => says('Yes.')),
      {homeFiles: home('helper')},
    );
    await conversation.send('go');
    const {models, agents} = await conversation.agent.stats();
    expect(models).toMatchObject([{requests: 3, usage: {input: 30}, byAgents: {requests: 1, usage: {input: 10}}}]);
    expect(agents).toMatchObject([{agent: 'helper', runs: 1, requests: 1, errors: 0, usage: {input: 10, output: 2}}]);
  });

  test('has the tools of its definition, and no agents [agents.tools]', async () => {
    const script = delegates('helper', (turn) =>
      turn === 1 ? callsTools(['write_file', {file_path: 'b.txt', content: 'x'}], ['invoke_agent', {}]) : says('No.'),
    );
    await using conversation = await openAgents(script, {homeFiles: home('helper', 'tools: [read_file]\n')});
    await conversation.send('go');
    const [, first, second] = conversation.server.requests;
    expect(first?.tools.map(({name}) => name)).toEqual(['read_file']);
    expect(JSON.stringify(second?.messages.at(-1))).toContain('write_file is not a tool of this agent.');
    expect(JSON.stringify(second?.messages.at(-1))).toContain('invoke_agent is not a tool of this agent.');
    expect(isWritten(conversation)).toBe(false);
  });

  test('has all tools but agents where its definition names none [agents.tools]', async () => {
    await using conversation = await openAgents(
      delegates('helper', () => says('Yes.')),
      {homeFiles: home('helper')},
    );
    await conversation.send('go');
    const [main, agent] = conversation.server.requests.map(({tools}) => tools.map(({name}) => name));
    expect(main).toContain('invoke_agent');
    expect(agent).toEqual(main?.filter((name) => name !== 'invoke_agent'));
  });

  test('reports when its turns are used up, with every call answered [agents.limit]', async () => {
    const script = delegates('helper', (turn, {tools}) => (tools.length > 0 ? read : says(`After ${turn} turns.`)));
    await using conversation = await openAgents(script, {homeFiles: home('helper', 'max_turns: 2\n'), files});
    await conversation.send('go');
    expect(heard(conversation)).toContain('Termination Reason: MAX_TURNS\\nResult:\\nAfter 3 turns.');
  });

  test('reports when its time is used up [agents.limit]', async () => {
    const script = delegates('helper', (_, {tools}) => (tools.length > 0 ? {stall: 'headers'} : says('In time.')));
    await using conversation = await openAgents(script, {homeFiles: home('helper', 'timeout_mins: 0.01\n')});
    await conversation.send('go');
    expect(heard(conversation)).toContain('Termination Reason: TIMEOUT\\nResult:\\nIn time.');
  });

  test('reports when its tokens are used up, and does what one answer needs before [agents.limit]', async () => {
    const script = delegates('helper', (turn, {tools}) => (tools.length > 0 ? read : says(`After ${turn} turns.`)));
    await using conversation = await openAgents(script, {homeFiles: home('helper', 'max_tokens: 20\n'), files});
    await conversation.send('go');
    expect(heard(conversation)).toContain('Termination Reason: MAX_TOKENS\\nResult:\\nAfter');
    const asked = conversation.server.requests.filter((request) => isOf(request, 'helper'));
    expect(asked.length).toBeLessThanOrEqual(4);
    const pieces = asked.at(-1)?.messages.flatMap((message) => message.pieces) ?? [];
    const count = (kind: string): number => pieces.filter((piece) => piece.kind === kind).length;
    expect(count('call')).toBeGreaterThan(0);
    expect(count('call')).toBe(count('result'));
  });

  test('is done when its report uses up the tokens [agents.limit]', async () => {
    const script = delegates('helper', (turn) => says(`After ${turn} turns.`));
    await using conversation = await openAgents(script, {homeFiles: home('helper', 'max_tokens: 1\n'), files});
    await conversation.send('go');
    expect(heard(conversation)).toContain('Termination Reason: GOAL\\nResult:\\nAfter');
    expect(conversation.server.requests.filter((request) => isOf(request, 'helper'))).toHaveLength(1);
  });

  test('stops at its tokens and its cost when an agent that it called used them [agents.limit]', async () => {
    const prices = {'gemini-3.1-pro-preview': {input: 100_000, output: 0}};
    const run = async (limit: string) => {
      const outer = agentFile('outer', `tools: [invoke_agent, read_file]\n${limit}\n`);
      await using conversation = await openAgents(
        delegates('outer', () => callsTools(['invoke_agent', {agent_name: 'inner', prompt: 'Look.'}])),
        {
          ...{files, settings: {model: {prices}}},
          homeFiles: {'.gemini/agents/outer.md': outer, '.gemini/agents/inner.md': agentFile('inner')},
        },
      );
      await conversation.send('go');
      return heard(conversation);
    };
    expect(await run('max_tokens: 20')).toContain('Termination Reason: MAX_TOKENS');
    expect(await run('max_cost: 2')).toContain('Termination Reason: MAX_COST');
  });

  test('stops at its cost, and at that of the settings if it is lower [agents.limit]', async () => {
    const prices = {'gemini-3.1-pro-preview': {input: 100_000, output: 0}};
    const requests = async (maxCost: number, maxSessionCost: number): Promise<number> => {
      const script = delegates('helper', () => read);
      const settings = {model: {prices, maxSessionCost}};
      const options = {homeFiles: home('helper', `max_cost: ${maxCost}\n`), files, settings};
      await using conversation = await openAgents(script, options);
      await conversation.send('go');
      return conversation.server.requests.filter((request) => isOf(request, 'helper')).length;
    };
    // Each request costs a dollar.
    expect([await requests(2, 9), await requests(9, 2)]).toEqual([2, 2]);
  });

  test('that is cancelled ends alone: another one beside it finishes [agents.cancel]', async () => {
    const stop = new AbortController();
    await using conversation = await openAgents(
      (request) => {
        if (isOf(request, 'helper')) return {stall: 'headers'};
        stop.abort(new Error('Enough.'));
        return says('Still here.');
      },
      {homeFiles: {...home('helper'), ...home('second')}},
    );
    const subagents = await conversation.kernel.service('subagents');
    const begin = (name: string, signal: AbortSignal) =>
      subagents.run({name, prompt: 'Go.'}, {signal, onProgress: () => undefined, onEvent: () => undefined});
    const cancelled = expect(begin('helper', stop.signal)).rejects.toThrow('Enough.');
    const other = await begin('second', new AbortController().signal);
    await cancelled;
    expect(other).toMatchObject({status: 'done', text: 'Still here.'});
  });

  test('that fails is a failed call with what it had found [agents.failure]', async () => {
    const script = delegates('helper', () => ({refusal: {status: 400, message: 'No such thing.'}}));
    await using conversation = await openAgents(script, {homeFiles: home('helper')});
    expect(await conversation.send('go')).toMatchObject({status: 'done'});
    expect(heard(conversation)).toContain("Subagent 'helper' failed. Error: ");
    expect(heard(conversation)).toContain('"failed":true');
  });

  test('ends with the prompt of its caller [agents.cancel]', async () => {
    const stop = new AbortController();
    const script = delegates('helper', () => {
      stop.abort(new Error('Enough.'));
      return says('Late.');
    });
    await using conversation = await openAgents(script, {homeFiles: home('helper')});
    expect(await conversation.send('go', stop.signal)).toMatchObject({status: 'aborted'});
    expect(await (await conversation.kernel.service('subagents')).runs()).toEqual([]);
  });

  test('that is unknown, disabled or broken is named [agents.unknown]', async () => {
    await using conversation = await openAgents([], {
      settings: {agents: {overrides: {generalist: {enabled: false}}}},
      homeFiles: home('broken', 'max_turns: x\n'),
    });
    const say = async (name: string): Promise<string> => {
      const outcome = await conversation.kernel.call('invoke_agent', {agent_name: name, prompt: 'x'});
      return outcome.status === 'failed' ? outcome.error.message : outcome.status;
    };
    expect(await say('nobody')).toBe('There is no agent "nobody".');
    expect(await say('generalist')).toBe('The agent "generalist" is disabled.');
    expect(await say('broken')).toContain('sets max_turns to "x"');
  });
});

test('agents of one answer work at the same time [agents.parallel]', async () => {
  let count = 0;
  let asked = false;
  let arrive = (): void => undefined;
  const all = new Promise<void>((resolve) => (arrive = resolve));
  await using conversation = await openAgents(
    async (request) => {
      if (!isOf(request, 'helper')) {
        const calls = [1, 2, 3, 4].map(
          (at) => ['invoke_agent', {agent_name: 'helper', prompt: `Part ${at}.`}] as const,
        );
        if (asked) return says('Done.');
        asked = true;
        return callsTools(...calls);
      }
      // None is answered before all have asked.
      if ((count += 1) === 4) arrive();
      await all;
      return says('Yes.');
    },
    {homeFiles: home('helper')},
  );
  expect(await conversation.send('go')).toMatchObject({status: 'done', text: 'Done.'});
});

test('an agent may call agents if its definition says so, three levels deep [agents.depth]', async () => {
  const depths: number[] = [];
  let asked = false;
  await using conversation = await openAgents(
    (request) => {
      const can = request.tools.some(({name}) => name === 'invoke_agent');
      const isAgent = isOf(request, 'helper');
      if (isAgent) depths.push(can ? 1 : 0);
      const isAnswered = JSON.stringify(request.messages).includes('Termination Reason');
      if (isAnswered || (isAgent ? !can : asked)) return says('Yes.');
      asked = true;
      return callsTools(['invoke_agent', {agent_name: 'helper', prompt: 'Continue.'}]);
    },
    {homeFiles: home('helper', 'tools: [invoke_agent]\n')},
  );
  await conversation.send('go');
  expect(depths).toEqual([1, 1, 0, 1, 1]);
});

test('what keeps an agent from its work has a code [agents.failure] [agents.depth]', async () => {
  await using conversation = await openAgents(() => ({refusal: {status: 400, message: 'No such thing.'}}), {
    homeFiles: home('helper'),
    others: [
      await makePlugin(folder.path, {
        name: 'refuses',
        listeners: [{hook: 'prompt:submit', module: './refuse.js'}],
        files: {
          'refuse.js': listenerCode(
            'prompt:submit',
            "return payload.prompt === 'bad' ? {decision: 'deny', reason: 'Not that.'} : undefined;",
          ),
        },
      }),
    ],
  });
  const {kernel} = conversation;
  const call = (prompt: string) => kernel.call('invoke_agent', {agent_name: 'helper', prompt});
  expect(await call('go')).toMatchObject({status: 'failed', error: {code: 'AGENT_FAILED'}});
  expect(await call('bad')).toMatchObject({status: 'failed', error: {code: 'AGENT_REFUSED'}});
  const running = await kernel.service('running-agents');
  await running.put(kernel.session.info.id, {agent: 'deep', depth: 3, isEnding: false});
  expect(await call('go')).toMatchObject({status: 'failed', error: {code: 'AGENT_DEPTH'}});
});
