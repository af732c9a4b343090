import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {Args, Flags} from '@oclif/core';
import {chooseModel} from '../choose-model.js';
import type {CurrentModel} from '../contract.js';

export default class ModelCommand extends KernelCommand {
  static override summary = 'Show the current model, or choose another one.';
  static override description =
    'In a conversation, the choice applies from the next prompt, and without a name you choose from a list. With ' +
    '--persist, it is saved in your user settings for all later conversations.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    {
      description: 'For all conversations',
      command: '<%= config.bin %> <%= command.id %> openai:qwen3-coder --persist',
    },
    {description: 'For the rest of a conversation', command: '/model flash'},
    {description: 'Think more before each answer', command: '/model --thinking high'},
  ];
  static override args = {name: Args.string({description: 'A model, or provider:model.', ignoreStdin: true})};
  static override flags = {
    persist: Flags.boolean({description: 'Save it in your user settings.'}),
    thinking: Flags.string({description: 'How much it thinks in this conversation: auto, or a level that it has.'}),
  };
  static override slash = true;

  async run(): Promise<CurrentModel> {
    const {args, flags} = await this.parse(ModelCommand);
    const agent = await this.service('agent');
    const {name, isKept} =
      args.name === undefined && flags.thinking === undefined && this.session.live
        ? await chooseModel(agent, {ask: (form) => this.ask(form), signal: this.host.signal})
        : {name: args.name, isKept: flags.persist};
    if (name !== undefined) await this.#choose(name, isKept);
    if (flags.thinking !== undefined) await this.#think(flags.thinking);
    const shown = await agent.model();
    const {chosen, model, inputLimit, tokens, thoughtLevels, thoughtLevel} = shown;
    const limit = inputLimit > 0 ? `, which takes ${inputLimit.toLocaleString('en')} tokens` : '';
    this.log(`${this.style('strong', model)}${chosen === model ? '' : ` (asked for as ${chosen})`}${limit}.`);
    if (thoughtLevels.length > 0)
      this.log(`Thinking: ${thoughtLevel}. --thinking takes auto, ${thoughtLevels.join(', ')}.`);
    if (this.session.live) this.log(`The conversation has about ${tokens.toLocaleString('en')} tokens.`);
    return shown;
  }

  async #choose(name: string, isKept: boolean): Promise<void> {
    if (!this.session.live && !isKept) {
      throw new KernelError('CONVERSATION_NEEDED', `There is no conversation to switch to ${name}.`, {
        hint: `Pass --persist to save it, or start a conversation with gemini --model ${name}.`,
      });
    }
    if (this.session.live) await this.#setModel(name);
    else await (await this.service('agent')).setModel(name);
    if (!isKept) return;
    const {path} = await (await this.service('settings')).set('model.name', name, {scope: 'user'});
    this.log(`Saved in ${path}.`);
  }

  async #think(level: string): Promise<void> {
    if (!this.session.live)
      throw new KernelError('CONVERSATION_NEEDED', `There is no conversation in which to think at ${level}.`, {
        hint: 'Use /model --thinking in a conversation, or set thinkingConfig in modelConfigs of your settings.',
      });
    const conversations = await this.service('conversations');
    const {id} = this.session;
    await ((await conversations.find(id))
      ? conversations.setThoughtLevel(id, level)
      : (await this.service('agent')).setThoughtLevel(level));
  }

  /**
   * Sets the model of the conversation, so that it also applies to its next session; a run without a front end has the
   * agent only.
   */
  async #setModel(name: string): Promise<void> {
    const conversations = await this.service('conversations');
    const {id} = this.session;
    await ((await conversations.find(id))
      ? conversations.setModel(id, name)
      : (await this.service('agent')).setModel(name));
  }
}
