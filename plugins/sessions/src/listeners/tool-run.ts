import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Keeps what files are before a call changes them, whoever approved it. */
export default listen('tool:run', {
  filter: {effect: ['edit', 'delete', 'move', 'execute']},
  phase: 'pre',
  async run(call, {next, service, session}) {
    if (!session.live) return next();
    const checkpoints = await service('checkpoints');
    await checkpoints.before(call);
    try {
      return await next();
    } finally {
      await checkpoints.after(call);
    }
  },
});
