import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {SessionSummary} from '../../contract.js';
import {listLine} from '../../session-texts.js';

/** Takes the conversation to a recorded session. */
export default class SessionsResume extends KernelCommand {
  static override summary = 'Continue with a recorded session, in the conversation that is open.';
  static override description =
    'Without a session it lists them. The session before is kept. From a shell, gemini --resume does the same.';
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
      throw new KernelError('RESUME_NEEDS_CONVERSATION', 'There is no conversation that could continue elsewhere.', {
        hint: `From a shell: gemini --resume ${args.session}`,
      });
    const {session} = await conversations.resume(current.id, args.session);
    return {session};
  }

  async #list(): Promise<readonly SessionSummary[]> {
    const {sessions} = await (await this.service('sessions')).list();
    for (const session of sessions) this.log(listLine(session, Date.now()));
    this.log(
      sessions.length === 0 ? 'No previous sessions found for this project.' : 'Continue with one: /resume <number>',
    );
    return sessions;
  }
}
