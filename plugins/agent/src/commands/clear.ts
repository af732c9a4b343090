import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {ConversationState} from '../contract.js';

export default class Clear extends KernelCommand {
  static override summary = 'Begin a new conversation; the one before is kept, and /resume continues it.';
  static override description =
    'The mode, the model that was chosen and directories that were added stay. What was allowed for the session, and ' +
    'what runs in the background, ends with it.';
  static override examples = ['/clear'];
  static override aliases = ['/new'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<ConversationState> {
    await this.parse(Clear);
    const conversations = await this.service('conversations');
    const current = await conversations.find(this.session.id);
    if (!current)
      throw new KernelError('CONVERSATION_NEEDED', 'There is no conversation that could begin again.', {
        hint: 'Type /clear in one.',
      });
    return conversations.begin(current.id);
  }
}
