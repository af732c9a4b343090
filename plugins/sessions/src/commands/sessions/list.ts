import {KernelCommand} from '@gemini-kernel/command';
import type {BrokenSession, SessionSummary} from '../../contract.js';
import {listLine} from '../../session-texts.js';

/** Prints the recorded conversations of this project. */
export default class SessionsList extends KernelCommand {
  static override summary = 'List the recorded sessions of this project.';
  static override description =
    'Oldest first. Same as --list-sessions. Use the number, the id in brackets, or "latest" to name a ' +
    'session in other commands.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> --list-sessions'];
  static override aliases = ['--list-sessions'];
  static override slash = true;

  async run(): Promise<{readonly sessions: readonly SessionSummary[]; readonly broken: readonly BrokenSession[]}> {
    await this.parse(SessionsList);
    const {sessions, broken} = await (await this.service('sessions')).list();
    if (sessions.length === 0) this.log('No previous sessions found for this project.');
    else this.log(`\nAvailable sessions for this project (${sessions.length}):\n`);
    for (const session of sessions) this.log(listLine(session, Date.now()));
    for (const {file, reason} of broken)
      this.log(this.style('warn', `${file} cannot be read as a session (${reason}); it was not changed.`));
    return {sessions, broken};
  }
}
