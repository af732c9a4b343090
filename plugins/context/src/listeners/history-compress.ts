import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** Keeps the tool output that a summary replaces. Hooks of the person are asked first. */
export default listen('history:compress', {
  phase: 'post',
  async run({entries}, {service}) {
    return (await service('history-graph')).compress(entries);
  },
});
