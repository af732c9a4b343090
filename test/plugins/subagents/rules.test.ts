import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import type {Conversation} from '../agent/conversation.js';
import {agentFile, delegates, isOf, openAgents} from './scene.js';

const write = callsTools(['write_file', {file_path: 'b.txt', content: 'x'}]);
const isWritten = ({kernel}: Conversation): boolean => existsSync(join(kernel.project, 'b.txt'));

interface Case {
  readonly says: string;
  /** The lines of each rule. */
  readonly rules: readonly (readonly string[])[];
  readonly main: boolean;
  readonly helper: boolean;
  readonly other: boolean;
  /** Of the conversation. */
  readonly mode?: string;
}

const ALLOW = 'decision = "allow"';
const DENY = 'decision = "deny"';
const WRITE = 'toolName = "write_file"';
const HELPER = 'subagent = "helper"';
const high = 'priority = 900';
const low = 'priority = 100';
const none = {main: false, helper: false, other: false};

/** There is no person to ask, so what no rule allows is refused. */
const cases: readonly Case[] = [
  {says: 'without rules no one writes', rules: [], ...none},
  {says: 'a rule without subagent opens to all', rules: [[WRITE, ALLOW, high]], main: true, helper: true, other: true},
  {says: 'a rule with subagent opens to that agent only', rules: [[WRITE, HELPER, ALLOW, high]], ...none, helper: true},
  {
    says: 'a rule with subagent closes to that agent only',
    rules: [
      [WRITE, ALLOW, low],
      [WRITE, HELPER, DENY, high],
    ],
    ...{main: true, helper: false, other: true},
  },
  {
    says: 'a rule that closes to all holds against a lower one that opens to an agent',
    rules: [
      [WRITE, DENY, high],
      [WRITE, HELPER, ALLOW, low],
    ],
    ...none,
  },
  {
    says: 'a rule that opens to an agent holds against a lower one that closes to all',
    rules: [
      [WRITE, DENY, low],
      [WRITE, HELPER, ALLOW, high],
    ],
    ...{...none, helper: true},
  },
  {
    says: 'a rule for another agent opens nothing',
    rules: [[WRITE, 'subagent = "nobody"', ALLOW, high]],
    ...none,
  },
  {
    says: 'a rule for modes opens to an agent in the mode of its caller only',
    rules: [[WRITE, HELPER, ALLOW, high, 'modes = ["plan"]']],
    ...none,
  },
  {
    says: 'the mode of the caller counts for an agent too',
    rules: [[WRITE, HELPER, DENY, high, 'modes = ["autoEdit"]']],
    mode: 'auto_edit',
    ...{main: true, helper: false, other: true},
  },
];

describe('rules with and without subagent [agents.policy]', () => {
  test.each(cases)('$says', async ({rules, main, helper, other, mode}) => {
    const own = rules.map((lines) => ['[[rule]]', ...lines].join('\n')).join('\n\n');
    const open = (agent: string) =>
      openAgents(
        delegates(agent, (turn) => (turn === 1 ? write : says('Yes.'))),
        {
          ...{
            interactive: false,
            confirm: 'no',
            ...(mode ? {mode, settings: {general: {defaultApprovalMode: mode}}} : {}),
          },
          homeFiles: {
            '.gemini/agents/helper.md': agentFile('helper'),
            '.gemini/agents/other.md': agentFile('other'),
            '.gemini/policies/own.toml': own,
          },
        },
      );
    const byAgent = async (agent: string): Promise<boolean> => {
      await using conversation = await open(agent);
      await conversation.send('go');
      return isWritten(conversation);
    };
    await using direct = await open('helper');
    await direct.kernel.call('write_file', {file_path: 'b.txt', content: 'x'});
    expect({main: isWritten(direct), helper: await byAgent('helper'), other: await byAgent('other')}).toEqual({
      ...{main, helper, other},
    });
  });
});

test('the mode of an agent is that of its caller [agents.mode]', async () => {
  await using conversation = await openAgents(
    delegates('helper', (turn) => (turn === 1 ? write : says('Yes.'))),
    {mode: 'plan', homeFiles: {'.gemini/agents/helper.md': agentFile('helper')}},
  );
  await conversation.send('go');
  expect(isWritten(conversation)).toBe(false);
});

test('what agents side by side change, they change one after the other [agents.order]', async () => {
  const AGENTS = 4;
  const ROUNDS = 3;
  // Between reading and writing, another one would read the same count.
  const count = 'n=$(cat count)\nsleep 0.05\necho $((n + 1)) > count\n';
  let asked = false;
  const turns = new Map<string, number>();
  await using conversation = await openAgents(
    (request) => {
      if (!isOf(request, 'helper')) {
        if (asked) return says('Done.');
        asked = true;
        return callsTools(
          ...Array.from(
            {length: AGENTS},
            (_, at) => ['invoke_agent', {agent_name: 'helper', prompt: `${at}.`}] as const,
          ),
        );
      }
      const mine = JSON.stringify(request.messages[0]);
      const turn = (turns.get(mine) ?? 0) + 1;
      turns.set(mine, turn);
      return turn <= ROUNDS ? callsTools(['run_shell_command', {command: 'sh count.sh'}]) : says('Counted.');
    },
    {
      ...{mode: 'yolo', more: ['secrets', 'shell'], files: {count: '0\n', 'count.sh': count}},
      homeFiles: {
        '.gemini/agents/helper.md': agentFile('helper'),
        '.gemini/policies/own.toml': '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 900\n',
      },
      variables: {PATH: process.env['PATH']},
    },
  );
  expect(await conversation.send('go')).toMatchObject({status: 'done'});
  expect(turns.size).toBe(AGENTS);
  const counted = await readFile(join(conversation.kernel.project, 'count'), 'utf8');
  expect(Number(counted)).toBe(AGENTS * ROUNDS);
});
