import {provide} from '@gemini-kernel/kernel';
import type {CurrentPrompts} from '../contract.js';

/** Which prompt each session of a place is at. */
export default provide('current-prompts', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  methods: ['note', 'of'],
  create(): CurrentPrompts {
    const prompts = new Map<string, string>();
    return {
      async note(session, prompt) {
        if (prompt === undefined) prompts.delete(session);
        else prompts.set(session, prompt);
      },
      of: async (session) => prompts.get(session),
    };
  },
});
