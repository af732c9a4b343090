import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Lets a running session change only to a mode that settings and its parent allow. */
export default listen('session:mode', {
  critical: true,
  async run({value}, {service}) {
    return (await service('policy')).changeMode(value);
  },
});
