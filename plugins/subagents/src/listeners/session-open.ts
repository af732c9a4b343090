import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Which sessions were in a worktree is kept with it, so that `--resume` leads there. */
export default listen('session:open', {
  filter: {live: true, present: ['$GEMINI_CLI_WORKTREE_HANDLED']},
  async run(_, {service, session}) {
    if (session.subagent === undefined) await (await service('worktrees')).note(session.id);
  },
});
