import type {AgentParts} from './agent-parts.js';
import type {CallRecord, TurnEnd} from './contract.js';
import type {Ended} from './run-stop.js';

/** Collects what the end of a prompt lists of its calls and warnings. */
export class TurnRecord {
  readonly #warnings: string[] = [];
  readonly #refused: TurnEnd['refused'][number][] = [];
  readonly #changed = new Set<string>();
  readonly #calls: string[] = [];
  /** Whether the last message is incomplete, because the model reached its output limit. */
  isCut = false;

  warn(text: string): void {
    this.#warnings.push(text);
  }

  add(calls: readonly CallRecord[]): void {
    for (const {status, name: tool, id, callId = id, input, error, changed = []} of calls) {
      this.#calls.push(callId);
      for (const path of changed) this.#changed.add(path);
      if (status === 'refused') this.#refused.push({tool, id: callId, input, reason: error?.message ?? ''});
    }
  }

  /** Gives the end of the prompt; asks other plugins for files that its calls changed. */
  async end(
    {text, ended}: {readonly text: string; readonly ended: Ended},
    context: AgentParts['context'],
  ): Promise<TurnEnd> {
    const calls = this.#calls;
    const found = calls.length === 0 ? [] : await context.dispatch('changes:collect', {calls});
    for (const file of found) this.#changed.add(file);
    const warnings = [...this.#warnings, ...(ended.warnings ?? [])];
    const cut = this.isCut ? {isCut: true as const} : {};
    return {text, refused: this.#refused, changed: [...this.#changed], ...cut, ...ended, warnings};
  }
}
