import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  PEER_SERVE_INVALID: {
    when: 'gemini a2a serve cannot listen this way, or has no token that could let anyone in.',
    exit: 42,
  },
  PEER_TOKEN_INVALID: {
    when: 'A token for another agent cannot be made this way, or no token has this id.',
    exit: 42,
  },
  REMOTE_AGENT_FAILED: {when: 'A remote agent did not do what it was asked.'},
  REMOTE_CARD_INVALID: {when: 'The card of a remote agent cannot be read, or names addresses elsewhere.', exit: 42},
} as const satisfies ErrorTable;
