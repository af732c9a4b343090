import type {Script, ScriptedAnswer, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import type {} from '@gemini-kernel/plugin-subagents/contract';
import {callsTools, says} from '../../helpers/run-agent.js';
import {startConversation, type Conversation} from '../agent/conversation.js';

export type Options = Omit<Parameters<typeof startConversation>[0], 'script'>;

/** The file of an agent. */
export function agentFile(name: string, head = '', body = `You are ${name}.`): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n${head}---\n${body}\n`;
}

/** A conversation in which agents can be called. */
export function openAgents(script: Script, options: Options = {}): Promise<Conversation> {
  return startConversation({
    confirm: 'yes',
    ...options,
    script,
    more: ['search', ...(options.more ?? []), 'subagents'],
  });
}

/** Whether a request is one of an agent: its instruction says who it is. */
export function isOf(request: SeenRequest, agent: string): boolean {
  return request.system.startsWith(`You are ${agent}.`);
}

/** The main agent calls an agent, gets its report, and says `Done.`; the agent answers as `act` says. */
export function delegates(
  agent: string,
  act: (turn: number, request: SeenRequest) => ScriptedAnswer | Promise<ScriptedAnswer>,
): Script {
  let turn = 0;
  let asked = false;
  return (request) => {
    if (isOf(request, agent)) return act((turn += 1), request);
    if (asked) return says('Done.');
    asked = true;
    return callsTools(['invoke_agent', {agent_name: agent, prompt: 'Look around.'}]);
  };
}

/** What the main agent got of its call. */
export function heard({server}: Conversation): string {
  return JSON.stringify(server.requests.at(-1)?.messages.at(-1)?.pieces);
}
