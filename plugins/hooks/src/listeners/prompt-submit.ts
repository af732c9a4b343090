import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {LISTENER_MS} from '../limit.js';

/** Hooks of BeforeAgent are for the main agent; they may refuse a prompt, or add context to it. */
export default listen('prompt:submit', {
  timeoutMs: LISTENER_MS,
  async run({prompt}, {service, session, signal}) {
    if (session.subagent !== undefined) return undefined;
    return (await service('hooks')).promptSubmit(prompt, signal);
  },
});
