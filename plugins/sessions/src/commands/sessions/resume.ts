import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {SessionSummary} from '../../contract.js';
import {listLine} from '../../session-texts.js';

/** Switches the conversation to a recorded session. */
export default class SessionsResume extends KernelCommand {
  static override summary = 'Continue a recorded session in the open conversation.';
  static override description =
    'Without a session, lists them. The current session is kept. From a shell, use `gemini --resume`.';
  static override examples = ['/resume', '/resume 2', '/resume latest'];
  static override args = {
    session: Args.string({description: 'Number, id or latest.', ignoreStdin: true}),
  };
  static override aliases = ['/resume', '/chat'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<{readonly session: string} | {readonly sessions: readonly SessionSummary[]}> {
    const {args} = await this.parse(SessionsResume);
    if (args.session === undefined) return {sessions: await this.#list()};
    const conversations = await this.service('conversations');
    const current = await conversations.find(this.session.id);
    if (!current)
      throw new KernelError('RESUME_NEEDS_CONVERSATION', 'There is no open conversation to switch.', {
        hint: `From a shell, run: gemini --resume ${args.session}`,
      });
    const {session} = await conversations.resume(current.id, args.session);
    return {session};
  }

  async #list(): Promise<readonly SessionSummary[]> {
    const {sessions} = await (await this.service('sessions')).list();
    for (const session of sessions) this.log(listLine(session, Date.now()));
    this.log(
      sessions.length === 0 ? 'No previous sessions found for this project.' : 'Continue one with: /resume <number>',
    );
    return sessions;
  }
}
