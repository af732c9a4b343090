import {provide} from '@gemini-kernel/kernel';
import type {ClientPerson} from '../contract.js';

/** The sessions that are served to MCP clients. */
export default provide('mcp-clients', {
  version: '1.0.0',
  scope: 'program',
  // Who attaches answers for a person.
  reserved: true,
  local: true,
  create() {
    const people = new Map<string, ClientPerson>();
    return {
      async attach(session, person) {
        people.set(session, person);
        return () => void (people.get(session) === person && people.delete(session));
      },
      find: async (session) => people.get(session),
    };
  },
});
