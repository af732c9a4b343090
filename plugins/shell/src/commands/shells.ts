import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import {Args} from '@oclif/core';
import {endText} from '../command-text.js';
import type {BackgroundProcess} from '../contract.js';
import {endSentence} from '../background-commands.js';

interface Shown {
  readonly processes: readonly BackgroundProcess[];
}

const LINES = 200;

export default class Shells extends KernelCommand {
  static override summary = 'Show the commands in the background, read what one prints, or stop it.';
  static override description =
    'Ctrl+B sends a running command to the background; the model can start one there. All end with the session.';
  static override examples = ['/shells', '/shells read 4711', '/shells stop 4711'];
  static override args = {
    action: Args.string({description: 'What to do with one of them.', options: ['read', 'stop'], ignoreStdin: true}),
    pid: Args.integer({description: 'Its process id.', min: 1, ignoreStdin: true}),
  };
  static override aliases = ['/bashes'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<Shown> {
    const {args} = await this.parse(Shells);
    if (!this.session.live)
      throw new KernelError(
        'SHELLS_NEED_CONVERSATION',
        'There is no conversation, so nothing runs in its background.',
        {
          hint: 'Type /shells in a conversation.',
        },
      );
    const processes = await this.service('processes');
    if (args.action === undefined) {
      const all = await processes.list();
      if (all.length === 0) this.log('No command runs in the background. Ctrl+B sends a running one there.');
      for (const {pid, command, end} of all)
        this.log(`${pid}  ${end ? `ended: ${endText(end)}` : 'running'}  ${command}`);
      return {processes: all};
    }
    const pid = args.pid ?? 0;
    if (args.action === 'stop') {
      const stopped = await processes.stop(pid);
      this.log(endSentence(stopped));
      return {processes: [stopped]};
    }
    const {output, ...read} = await processes.read(pid, {lines: LINES});
    this.log(output.text.trimEnd() || '(no output)');
    return {processes: [read]};
  }
}
