import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {SessionSummary} from '../../contract.js';
import {shorten, sinceThen} from '../../session-texts.js';

/** Deletes one recorded conversation. */
export default class SessionsDelete extends KernelCommand {
  static override summary = 'Delete a session and everything that belongs to it.';
  static override description =
    'Also deletes its subagents, its tool output and its checkpoints. Project files are not touched. ' +
    'Same as --delete-session. A session that is being recorded cannot be deleted.';
  static override examples = ['<%= config.bin %> <%= command.id %> 3', '<%= config.bin %> --delete-session 3'];
  static override args = {
    session: Args.string({description: 'Number, id or latest.', required: true, ignoreStdin: true}),
  };
  static override aliases = ['--delete-session'];
  static override slash = true;

  async run(): Promise<{readonly deleted: SessionSummary}> {
    const {args} = await this.parse(SessionsDelete);
    const deleted = await (await this.service('sessions')).delete(args.session);
    this.log(
      `Deleted session ${deleted.number}: ${shorten(deleted.title)} (${sinceThen(deleted.updated, Date.now())})`,
    );
    return {deleted};
  }
}
