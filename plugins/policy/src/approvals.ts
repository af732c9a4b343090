import type {ApprovalChoice, ServiceContext, ToolCall} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {choicesOf, readApproval, type Approval, type Approved} from './approval.js';
import {appendApprovals, autoSavedFileOf, textOfRules} from './read/auto-saved.js';
import type {Rule} from './rule.js';

type Circumstances = Pick<Approval, 'mode' | 'roots' | 'reader'>;

/** What a call is approved for, in one session. */
export class Approvals {
  constructor(
    private readonly context: ServiceContext,
    private readonly circumstances: (call: ToolCall) => Promise<Circumstances>,
  ) {}

  /** The answers that keep something. */
  async choices(call: ToolCall): Promise<readonly ApprovalChoice[]> {
    return choicesOf(await this.#read(call), this.#file);
  }

  /** Keeps an approval as `Policy.remember` says; the rules that hold from now on. */
  async keep(call: ToolCall, until: 'session' | 'always', shown: string | undefined): Promise<readonly Rule[]> {
    const {rules, refusal, passing} = await this.#read(call);
    if (refusal !== undefined) return this.#holdOnce(refusal);
    if (shown !== undefined && shown !== textOfRules(rules))
      return this.#holdOnce('its rule is no longer the one that was shown.');
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
