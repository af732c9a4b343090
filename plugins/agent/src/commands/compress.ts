import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {Agent} from '../contract.js';

const outcomes: Readonly<Record<Awaited<ReturnType<Agent['compress']>>['status'], string>> = {
  compressed: 'Replaced the older part with a summary',
  nothing: 'There is nothing to compress',
  larger: 'A summary would be longer; nothing was changed',
  failed: 'Could not compress the conversation; nothing was changed',
};

export default class Compress extends KernelCommand {
  static override summary = 'Replace the older part of this conversation with a summary.';
  static override description =
    'The newest three tenths stay as they are. Compression runs automatically when the conversation nears half of ' +
    "the model's input limit (model.compressionThreshold).";
  static override examples = ['/compress'];
  static override aliases = ['/compact', '/summarize'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<Awaited<ReturnType<Agent['compress']>>> {
    await this.parse(Compress);
    if (!this.session.live)
      throw new KernelError('CONVERSATION_NEEDED', 'There is no conversation to compress.', {
        hint: 'Type /compress in a conversation.',
      });
    const agent = await this.service('agent');
    const done = await agent.compress({signal: this.host.signal, onEvent: () => undefined});
    if (done.message) this.log(this.style('warn', done.message));
    this.log(
      `${outcomes[done.status]}: about ${done.before.toLocaleString('en')} tokens before, ` +
        `${done.after.toLocaleString('en')} now.`,
    );
    return done;
  }
}
