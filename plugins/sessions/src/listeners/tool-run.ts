import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Saves files before a call changes them, however it was approved. */
export default listen('tool:run', {
  filter: {effect: ['edit', 'delete', 'move', 'execute'], live: true},
  phase: 'pre',
  async run(call, {next, service}) {
    const checkpoints = await service('checkpoints');
    await checkpoints.before(call);
    try {
      return await next();
    } finally {
      await checkpoints.after(call);
    }
  },
});
