import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {SessionMatch} from '../../contract.js';
import {listLine} from '../../session-texts.js';

/** Finds text in the recorded conversations of this project. */
export default class SessionsSearch extends KernelCommand {
  static override summary = 'Search the sessions of this project for a text.';
  static override description = 'Matches the literal text, ignoring case, in prompts and answers; not in tool results.';
  static override examples = ['<%= config.bin %> <%= command.id %> "rate limit"'];
  static override args = {text: Args.string({description: 'Text to search for.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<{readonly matches: readonly SessionMatch[]}> {
    const {args} = await this.parse(SessionsSearch);
    const matches = await (await this.service('sessions')).search(args.text);
    const shown = new Set<string>();
    for (const {session, role, line} of matches) {
      if (!shown.has(session.id)) this.log(listLine(session, Date.now()));
      shown.add(session.id);
      this.log(`       ${this.style('dim', `${role}:`)} ${line}`);
    }
    if (matches.length === 0) this.log('No session of this project contains it.');
    return {matches};
  }
}
