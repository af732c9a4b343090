import {provide} from '@gemini-kernel/kernel';
import {PersonAtSeat} from '@gemini-kernel/plugin-agent/front';
import type {} from '../contract.js';

/** A conversation in a terminal, one at a time in a place. */
export default provide('ui:terminal', {
  version: '1.0.0',
  scope: 'place',
  // It holds the terminal.
  local: true,
  // The parts of a conversation are loaded when it starts.
  create: (context) =>
    new PersonAtSeat(async (seat) => (await import('../open-conversation.js')).openConversation(seat, context)),
});
