import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {CallOptions, Session} from '@gemini-kernel/kernel';
import {says} from '../../helpers/run-agent.js';
import type {Conversation} from '../agent/conversation.js';
import {openAgents} from './scene.js';

const rule = (lines: string): Readonly<Record<string, string>> => ({
  '.gemini/policies/own.toml': `[[rule]]\n${lines}\n`,
});

interface Asked {
  readonly session: Session;
  readonly remember?: 'session';
}

/** Calls in a session, and says whether a person was asked. */
async function write({session, remember}: Asked, path = 'a.txt'): Promise<string> {
  let asked = 0;
  const confirm: NonNullable<CallOptions['confirm']> = async () => {
    asked += 1;
    return {decision: 'yes', ...(remember ? {remember} : {})};
  };
  const {status} = await session.call({tool: 'write_file', input: {file_path: path, content: 'x'}}, {confirm});
  return `${status}, asked ${asked}`;
}

function agentOf({kernel}: Conversation, subagent: string, parent: Session = kernel.session): Session {
  return kernel.kernel.open({parent, subagent, live: true});
}

test('what a person allows an agent for the session holds for the conversation and its other agents [agents.approval]', async () => {
  await using scene = await openAgents(() => says('x'));
  const {session} = scene.kernel;
  const helper = agentOf(scene, 'helper');
  expect(await write({session: helper})).toBe('done, asked 1');
  expect(await write({session})).toBe('done, asked 1');
  expect(await write({session: helper, remember: 'session'})).toBe('done, asked 1');
  expect(await write({session: helper})).toBe('done, asked 0');
  await helper.close();
  expect(await write({session})).toBe('done, asked 0');
  const other = agentOf(scene, 'other');
  expect(await write({session: other})).toBe('done, asked 0');
  expect(await write({session: agentOf(scene, 'deep', other)})).toBe('done, asked 0');
  // Another conversation in the same program was not asked.
  const stranger = scene.kernel.kernel.open({live: true});
  expect(await write({session: stranger})).toBe('done, asked 1');
});

test('a rule about an agent holds against what was allowed for the session [agents.approval] [agents.policy]', async () => {
  const table = [
    ['toolName = "write_file"\nsubagent = "helper"\ndecision = "deny"\npriority = 10', 'refused, asked 0'],
    ['toolName = "write_file"\nsubagent = "helper"\ndecision = "ask_user"\npriority = 10', 'done, asked 1'],
    ['toolName = "write_file"\nsubagent = "other"\ndecision = "deny"\npriority = 10', 'done, asked 0'],
  ] as const;
  for (const [lines, expected] of table) {
    await using scene = await openAgents(() => says('x'), {homeFiles: rule(lines)});
    const {session} = scene.kernel;
    expect(await write({session, remember: 'session'})).toBe('done, asked 1');
    expect(await write({session})).toBe('done, asked 0');
    expect(await write({session: agentOf(scene, 'helper')})).toBe(expected);
  }
});

const opens = 'toolName = "write_file"\nsubagent = "helper"\ndecision = "allow"\npriority = 900';
const closes = 'toolName = "write_file"\nsubagent = "helper"\ndecision = "deny"\npriority = 900';
const every = 'toolName = "write_file"\ndecision = "deny"\npriority = 100';

test.each([
  ['no rule', '', {main: 'done, asked 1', helper: 'done, asked 1', other: 'done, asked 1'}],
  ['one that opens', opens, {main: 'done, asked 1', helper: 'done, asked 0', other: 'done, asked 1'}],
  ['one that closes', closes, {main: 'done, asked 1', helper: 'refused, asked 0', other: 'done, asked 1'}],
  [
    'one that opens, and one that closes to all',
    `${opens}\n[[rule]]\n${every}`,
    {main: 'refused, asked 0', helper: 'done, asked 0', other: 'refused, asked 0'},
  ],
])('with %s about an agent, the main agent and agents may do this [agents.policy]', async (_, lines, expected) => {
  await using scene = await openAgents(() => says('x'), lines === '' ? {} : {homeFiles: rule(lines)});
  const sessions = {main: scene.kernel.session, helper: agentOf(scene, 'helper'), other: agentOf(scene, 'other')};
  const found: Record<string, string> = {};
  for (const [name, session] of Object.entries(sessions)) found[name] = await write({session});
  expect(found).toEqual(expected);
});

test('an agent is judged by the rules that its caller has read, and a new conversation by those of now [agents.rules]', async () => {
  const homeFiles = rule('toolName = "write_file"\ndecision = "allow"\npriority = 300');
  await using scene = await openAgents(() => says('x'), {homeFiles});
  expect(await write({session: scene.kernel.session})).toBe('done, asked 0');
  await rm(join(scene.kernel.kernel.environment.home, '.gemini/policies/own.toml'));
  const helper = agentOf(scene, 'helper');
  expect(await write({session: helper})).toBe('done, asked 0');
  expect(await write({session: agentOf(scene, 'deep', helper)})).toBe('done, asked 0');
  const stranger = scene.kernel.kernel.open({live: true});
  expect(await write({session: stranger})).toBe('done, asked 1');
  await stranger.close();
});
