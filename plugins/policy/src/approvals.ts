import type {ApprovalChoice, ServiceContext, ToolCall} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {choicesOf, readApproval, type Approval, type Approved} from './approval.js';
import {narrowRules} from './narrow-rules.js';
import {appendApprovals, autoSavedFileOf, textOfRules} from './read/auto-saved.js';
import type {Rule} from './rule.js';

type Circumstances = Pick<Approval, 'mode' | 'roots' | 'reader'>;

/** Calls that a person narrowed the rules of, and is still asked about, or has refused. */
const MOST_NARROWED = 100;

/** What a call is approved for, in one session. */
export class Approvals {
  /** Beginnings of commands that the person chose, by the ids of the calls. */
  readonly #narrowed = new Map<string, readonly string[]>();

  constructor(
    private readonly context: ServiceContext,
    private readonly circumstances: (call: ToolCall) => Promise<Circumstances>,
  ) {}

  /** The answers that keep something. */
  async choices(call: ToolCall): Promise<readonly ApprovalChoice[]> {
    return choicesOf(await this.#read(call), this.#file);
  }

  /** The same with rules that allow less. Throws KernelError RULE_NOT_NARROWER. */
  async narrow(call: ToolCall, prefixes: readonly string[]): Promise<readonly ApprovalChoice[]> {
    const approved = await this.#read(call);
    const rules = narrowRules(approved.rules, prefixes, approved.commands);
    const [oldest] = this.#narrowed.size < MOST_NARROWED ? [] : this.#narrowed.keys();
    if (oldest !== undefined) this.#narrowed.delete(oldest);
    this.#narrowed.set(call.id, prefixes);
    return choicesOf({...approved, rules}, this.#file);
  }

  /** Keeps an approval as `Policy.remember` says; the rules that hold from now on. */
  async keep(call: ToolCall, until: 'session' | 'always', shown: string | undefined): Promise<readonly Rule[]> {
    const {rules: proposed, commands, refusal, passing} = await this.#read(call);
    if (refusal !== undefined) return this.#holdOnce(refusal);
    if (shown !== undefined && shown !== textOfRules(proposed))
      return this.#holdOnce('its rule is no longer the one that was shown.');
    const prefixes = this.#narrowed.get(call.id);
    this.#narrowed.delete(call.id);
    const rules = prefixes ? narrowRules(proposed, prefixes, commands) : proposed;
    if (until === 'always' && passing === undefined)
      await appendApprovals(this.#file, rules, await this.context.service('config-files'));
    return rules;
  }

  get #file(): string {
    return autoSavedFileOf(this.context.environment.home);
  }

  #holdOnce(reason: string): readonly Rule[] {
    this.context.tell({code: 'APPROVAL_NOT_KEPT', sentence: `The approval holds this once only: ${reason}`});
    return [];
  }

  async #read(call: ToolCall): Promise<Approved> {
    const {environment, service} = this.context;
    const [settings, circumstances] = await Promise.all([service('settings'), this.circumstances(call)]);
    return readApproval({call, home: environment.home, settings, ...circumstances});
  }
}
