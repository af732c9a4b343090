import {KernelCommand} from '@gemini-kernel/command';
import type {Entry, RequestFrame} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {ContextReport} from './contract.js';

/** What a command knows of one conversation. */
export interface Looked extends ContextReport {
  /** The session, if it is not the one that asks. */
  readonly session?: {readonly id: string; readonly title: string};
  readonly frame: RequestFrame;
  /** What the model counted at its last request. */
  readonly counted?: number;
}

/** A command about what a request contains. */
export abstract class ContextCommand extends KernelCommand {
  /** Throws KernelError SESSION_UNKNOWN or SESSION_BROKEN. */
  protected async look(name: string | undefined): Promise<Looked> {
    const agent = await this.service('agent');
    const frame = await agent.frame();
    const isOwn = this.session.live && (name === undefined || name === 'current');
    const stored = isOwn ? undefined : await (await this.service('sessions')).open(name ?? 'latest');
    const entries = stored?.entries ?? (await agent.history());
    const graph = await this.service('history-graph');
    const history = {
      ...{entries, sizes: await agent.measure(entries)},
      ...{inputLimit: frame.inputLimit, compressAt: frame.compressAt},
    };
    const report = await graph.describe(history, stored?.id);
    const counted = lastCount(entries);
    return {
      ...(stored ? {session: {id: stored.id, title: stored.title}} : {}),
      ...report,
      frame,
      ...(counted === undefined ? {} : {counted}),
    };
  }
}

function lastCount(entries: readonly Entry[]): number | undefined {
  return entries.findLast(({usage}) => usage !== undefined)?.usage?.input;
}
