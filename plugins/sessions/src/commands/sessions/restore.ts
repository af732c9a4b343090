import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {askGuarded} from '../../ask-guarded.js';
import type {Checkpoint, Restored} from '../../contract.js';
import {describeRestored, isPartial} from '../../rewind-session.js';
import {shorten} from '../../session-texts.js';

/** Restores files to their state before a call. */
export default class SessionsRestore extends KernelCommand {
  static override summary = 'Restore files to their state before a tool call.';
  static override description =
    'Without a checkpoint, lists the checkpoints and what cannot be restored. Undoes the file changes of ' +
    'the call and of all later ones; the conversation stays. To undo a restore, restore the checkpoint ' +
    'that it creates.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> 4'];
  static override args = {checkpoint: Args.string({description: 'Number or id of a checkpoint.', ignoreStdin: true})};
  static override flags = {
    session: Flags.string({description: 'Number, id or latest. Default in a conversation: the current one.'}),
    force: Flags.boolean({description: 'Also overwrite files that someone else has changed since.', default: false}),
  };
  static override aliases = ['/restore'];
  static override slash = true;

  async run(): Promise<{readonly checkpoints: readonly Checkpoint[]} | Restored> {
    const {args, flags} = await this.parse(SessionsRestore);
    const name = flags.session ?? (this.session.live ? 'current' : 'latest');
    const sessions = await this.service('sessions');
    if (args.checkpoint === undefined) {
      const checkpoints = await sessions.checkpoints(name);
      for (const {number, time, tool, files, gaps} of checkpoints) {
        this.log(`  ${number}. ${tool} ${this.style('dim', time)} ${shorten(files.join(', '))}`);
        for (const gap of gaps) this.log(`     ${this.style('warn', gap)}`);
      }
      if (checkpoints.length === 0) this.log('No call has changed files in this session.');
      return {checkpoints};
    }
    const {checkpoint} = args;
    const restore = (approved: readonly string[]): Promise<Restored> =>
      sessions.restore(name, checkpoint, {force: flags.force, approved});
    const restored = await askGuarded(await restore([]), {ask: (form) => this.ask(form), again: restore});
    for (const line of describeRestored(restored)) this.log(line);
    if (isPartial(restored)) this.host.end(1);
    return restored;
  }
}
