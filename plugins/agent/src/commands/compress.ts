import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {Agent} from '../contract.js';

const outcomes: Readonly<Record<Awaited<ReturnType<Agent['compress']>>['status'], string>> = {
  compressed: 'The older part is a summary now',
  nothing: 'There is nothing to compress yet',
  larger: 'A summary would have been longer; nothing was changed',
  failed: 'It could not be compressed; nothing was changed',
};

export default class Compress extends KernelCommand {
  static override summary = 'Put a summary in the place of the older part of this conversation.';
  static override description =
    'The newest three tenths stay as they are. It happens by itself when the conversation nears half of what the ' +
    'model takes (model.compressionThreshold).';
  static override examples = ['/compress'];
  static override aliases = ['/compact', '/summarize'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<Awaited<ReturnType<Agent['compress']>>> {
    await this.parse(Compress);
    if (!this.session.live)
      throw new KernelError('CONVERSATION_NEEDED', 'There is no conversation that could be compressed.', {
        hint: 'Type /compress in one.',
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
