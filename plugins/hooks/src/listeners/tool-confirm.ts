import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Hooks of Notification hear that a person is asked; they do not answer. */
export default listen('tool:confirm', {
  async run({call, reason}, {service}) {
    await (await service('hooks')).toolConfirm(call, reason);
    return undefined;
  },
});
