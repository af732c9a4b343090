import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {SessionSummary} from '../../contract.js';
import {listLine, shorten, sinceThen} from '../../session-texts.js';

/** The person keeps the current session. */
const STAY = '';

/** Switches the conversation to a recorded session. */
export default class SessionsResume extends KernelCommand {
  static override summary = 'Continue a recorded session in the open conversation.';
  static override description =
    'Without a session, you choose from a list. The current session is kept. From a shell, use `gemini --resume`.';
  static override examples = ['/resume', '/resume 2', '/resume latest'];
  static override args = {
    session: Args.string({description: 'Number, id or latest.', ignoreStdin: true}),
  };
  static override aliases = ['/resume', '/chat'];
  static override slash = true;
  static override hidden = true;

  async run(): Promise<{readonly session: string} | {readonly sessions: readonly SessionSummary[]}> {
    const {args} = await this.parse(SessionsResume);
    const {sessions} = await (await this.service('sessions')).list();
    const wanted = args.session ?? (await this.#choose(sessions));
    if (wanted === undefined) return {sessions: this.#list(sessions)};
    if (wanted === STAY) return {sessions};
    const conversations = await this.service('conversations');
    const current = await conversations.find(this.session.id);
    if (!current)
      throw new KernelError('RESUME_NEEDS_CONVERSATION', 'There is no open conversation to switch.', {
        hint: `From a shell, run: gemini --resume ${wanted}`,
      });
    const {session} = await conversations.resume(current.id, wanted);
    return {session};
  }

  /** The id of the session that the person chooses; undefined if no one can be asked. */
  async #choose(sessions: readonly SessionSummary[]): Promise<string | undefined> {
    const latest = sessions.findLast(({isCurrent}) => !isCurrent);
    if (!latest || !this.session.live) return undefined;
    const answer = await this.ask({
      title: 'Continue a session of this project:',
      about: {kind: 'resume'},
      fields: [
        {
          name: 'session',
          label: 'Which one?',
          kind: 'choice',
          options: sessions.map(({id, title, updated, isCurrent}) => ({
            value: id,
            label: `${shorten(title)} (${sinceThen(updated, Date.now())}${isCurrent ? ', current' : ''})`,
          })),
          default: latest.id,
        },
      ],
    });
    if (answer.outcome === 'nobody') return undefined;
    return answer.outcome === 'answered' ? String(answer.values['session']) : STAY;
  }

  #list(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
    for (const session of sessions) this.log(listLine(session, Date.now()));
    this.log(
      sessions.length === 0 ? 'No previous sessions found for this project.' : 'Continue one with: /resume <number>',
    );
    return sessions;
  }
}
