import {provide} from '@gemini-kernel/kernel';
import type {Caller} from '../contract.js';

/** The sessions in which another agent answers. */
export default provide('a2a-clients', {
  version: '1.0.0',
  scope: 'program',
  // Attaching means answering for a person.
  reserved: true,
  local: true,
  create() {
    const callers = new Map<string, Caller>();
    return {
      async attach(session, caller) {
        callers.set(session, caller);
        return () => void callers.delete(session);
      },
      find: async (session) => callers.get(session),
    };
  },
});
