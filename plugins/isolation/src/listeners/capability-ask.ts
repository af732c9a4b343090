import {listen} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

export default listen('capability:ask', {
  run: async (wish, {service}) => ({granted: await (await service('plugin-grants')).decide(wish)}),
});
