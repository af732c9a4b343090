import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {SessionMatch} from '../../contract.js';
import {listLine} from '../../session-texts.js';

/** Finds words in the recorded conversations of this project. */
export default class SessionsSearch extends KernelCommand {
  static override summary = 'Find the sessions in which something was said.';
  static override description =
    'Looks for the text as it is, in either case, in what people and models said; not in what tools gave.';
  static override examples = ['<%= config.bin %> <%= command.id %> "rate limit"'];
  static override args = {text: Args.string({description: 'What to look for.', required: true, ignoreStdin: true})};
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
    if (matches.length === 0) this.log('It was said in no session of this project.');
    return {matches};
  }
}
