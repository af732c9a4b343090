import type {Session} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {} from '@gemini-kernel/plugin-todos/contract';
import type {SessionUpdate} from '#sdk';
import {listCommands} from '../serve/session-commands.js';
import {findOptions, listModels, type SessionOptions} from '../serve/session-options.js';
import {toPlan} from './plan-entries.js';

interface Parts {
  session(): Session;
  /** Whether a plugin provides a service. */
  has(service: string): boolean;
  update(update: SessionUpdate): void;
}

/** What an editor shows of a session beside its messages: each is sent when it may have changed. */
export class SessionFacts {
  #models: readonly string[] = [];
  #plan = '[]';
  #title = '';

  constructor(private readonly parts: Parts) {}

  options(): Promise<SessionOptions> {
    return findOptions(this.parts.session(), this.#models);
  }

  /** Asks providers for their models. */
  async learnModels(signal: AbortSignal): Promise<void> {
    this.#models = await listModels(this.parts.session(), signal);
    if (this.#models.length > 0) await this.tellOptions();
  }

  async tellOptions(): Promise<void> {
    this.parts.update({sessionUpdate: 'config_option_update', configOptions: (await this.options()).configOptions});
  }

  async tellMode(): Promise<void> {
    this.parts.update({sessionUpdate: 'current_mode_update', currentModeId: this.parts.session().info.mode});
    await this.tellOptions();
  }

  async tellCommands(): Promise<void> {
    const commands = await (await this.parts.session().service('slash-commands')).list();
    this.parts.update({sessionUpdate: 'available_commands_update', availableCommands: listCommands(commands)});
  }

  async tellUsage(): Promise<void> {
    const agent = await this.parts.session().service('agent');
    const [{tokens, inputLimit}, {models}] = await Promise.all([agent.model(), agent.stats()]);
    const prices = models.flatMap(({cost}) => (cost === undefined ? [] : [cost]));
    const cost = prices.length > 0 ? {amount: prices.reduce((sum, one) => sum + one, 0), currency: 'USD'} : undefined;
    this.parts.update({sessionUpdate: 'usage_update', used: tokens, size: inputLimit, ...(cost ? {cost} : {})});
  }

  /** The steps of the model, when they are others. */
  async tellPlan(): Promise<void> {
    if (!this.parts.has('todos')) return;
    const entries = toPlan(await (await this.parts.session().service('todos')).list());
    const plan = JSON.stringify(entries);
    if (plan === this.#plan) return;
    this.#plan = plan;
    this.parts.update({sessionUpdate: 'plan', entries});
  }

  /** The title of the session, as lists show it, and when it was last used. */
  async tellInfo(): Promise<void> {
    if (!this.parts.has('sessions')) return;
    const {sessions} = await (await this.parts.session().service('sessions')).list();
    const own = sessions.find(({isCurrent}) => isCurrent);
    if (!own) return;
    const title = own.title === this.#title ? {} : {title: own.title};
    this.#title = own.title;
    this.parts.update({sessionUpdate: 'session_info_update', ...title, updatedAt: own.updated});
  }
}
