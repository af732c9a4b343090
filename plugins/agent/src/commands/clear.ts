import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {ConversationState} from '../contract.js';

export default class Clear extends KernelCommand {
  static override summary = 'Start a new conversation. The previous one is kept; continue it with /resume.';
  static override description =
    'The mode, the chosen model and added directories stay. Approvals for the session and background processes ' +
    'end with it.';
  static override examples = ['/clear'];
  static override aliases = ['/new'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<ConversationState> {
    await this.parse(Clear);
    const conversations = await this.service('conversations');
    const current = await conversations.find(this.session.id);
    if (!current)
      throw new KernelError('CONVERSATION_NEEDED', 'There is no conversation to clear.', {
        hint: 'Type /clear in a conversation.',
      });
    return conversations.begin(current.id);
  }
}
