import {KernelCommand} from '@gemini-kernel/command';
import type {InboxDone} from '../../contract.js';

export default class InboxUndo extends KernelCommand {
  static override summary = 'Take back what was applied or dismissed last.';
  static override description = 'Files that have been changed since are left as they are, and nothing is taken back.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override slash = true;

  async run(): Promise<InboxDone> {
    await this.parse(InboxUndo);
    const done = await (await this.service('inbox')).undo();
    this.log(`Took back ${done.id}; it waits in the inbox again.`);
    return done;
  }
}
