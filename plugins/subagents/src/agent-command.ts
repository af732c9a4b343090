import {resolve} from 'node:path';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {AgentInfo} from './contract.js';

/** A command about agents. */
export abstract class AgentCommand extends KernelCommand {
  /** Throws KernelError AGENT_UNKNOWN. */
  protected async find(name: string): Promise<AgentInfo> {
    const {agents} = await (await this.service('subagents')).list();
    const found = agents.find((agent) => agent.name === name.trim());
    if (found) return found;
    throw new KernelError('AGENT_UNKNOWN', `There is no agent "${name}".`, {
      hint: '`gemini agents list` shows which there are.',
    });
  }

  /** An agent in a file that need not be installed. Throws KernelError AGENT_INVALID. */
  protected async lend(file: string): Promise<AgentInfo> {
    return (await this.service('subagents')).lend(resolve(this.kernel.environment.cwd, file));
  }

  /** In a conversation, the next prompt knows of the change. */
  protected async refresh(): Promise<void> {
    if (this.session.live) await (await this.service('subagents')).refresh();
  }
}

/** Who wrote an agent, in words. */
export function describeOrigin({origin, owner}: Pick<AgentInfo, 'origin' | 'owner'>): string {
  if (origin === 'extension') return `of the extension ${owner ?? 'without a name'}`;
  return {'built-in': 'built in', user: 'yours', project: 'of this project'}[origin];
}
