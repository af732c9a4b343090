import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {SessionSummary} from '../../contract.js';
import {shorten} from '../../session-texts.js';

/** Gives a recorded conversation a name. */
export default class SessionsRename extends KernelCommand {
  static override summary = 'Give a session a name, which lists show instead of its first prompt.';
  static override description =
    'Gemini CLI shows the name too. A session that another process records cannot be renamed.';
  static override examples = ['<%= config.bin %> <%= command.id %> 3 "the login bug"'];
  static override args = {
    session: Args.string({description: 'Number, id, latest or current.', required: true, ignoreStdin: true}),
    name: Args.string({description: 'The name, at most 200 characters.', required: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<{readonly session: SessionSummary}> {
    const {args} = await this.parse(SessionsRename);
    const session = await (await this.service('sessions')).rename(args.session, args.name);
    this.log(`Session ${session.number} is now called: ${shorten(session.title)}`);
    return {session};
  }
}
