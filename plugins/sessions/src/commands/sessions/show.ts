import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {StoredSession} from '../../contract.js';
import {toMarkdown} from '../../session-texts.js';

/** Prints one conversation. */
export default class SessionsShow extends KernelCommand {
  static override summary = 'Show the conversation of a session.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> 3 --json'];
  static override args = {
    session: Args.string({description: 'Number, id or latest.', default: 'latest', ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<StoredSession> {
    const {args} = await this.parse(SessionsShow);
    const session = await (await this.service('sessions')).open(args.session);
    this.print(toMarkdown(session.entries));
    if (session.notice) this.log(this.style('warn', `\n${session.notice}`));
    return session;
  }
}
