import {KernelCommand} from '@gemini-kernel/command';
import {sinceThen} from '../../../session-texts.js';

/** Prints the conversations that were saved under a name. */
export default class ResumeList extends KernelCommand {
  static override summary = 'List the conversations that were saved under a name.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override aliases = ['/chat:list', '/resume:list'];
  static override slash = true;

  async run(): Promise<{readonly saved: readonly {readonly tag: string; readonly saved: string}[]}> {
    await this.parse(ResumeList);
    const saved = await (await this.service('sessions')).tags();
    for (const {tag, saved: time} of saved)
      this.log(`  ${tag} ${this.style('dim', `(${sinceThen(time, Date.now())})`)}`);
    if (saved.length === 0)
      this.log('There are no saved conversations. To save one, use /chat save <name> in a conversation.');
    return {saved};
  }
}
