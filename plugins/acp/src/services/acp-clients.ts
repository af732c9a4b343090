import {provide} from '@gemini-kernel/kernel';
import type {SourcedServer} from '@gemini-kernel/plugin-mcp/contract';
import type {EditorPerson} from '../contract.js';

/** The sessions that editors have open. */
export default provide('acp-clients', {
  version: '1.0.0',
  scope: 'program',
  // Attaching means answering for a person.
  reserved: true,
  local: true,
  create() {
    const people = new Map<string, EditorPerson>();
    /** Keys by content: sessions with the same servers share a place. */
    const keys = new Map<string, string>();
    const kept = new Map<string, readonly SourcedServer[]>();
    return {
      async attach(session, person) {
        people.set(session, person);
        return () => void (people.get(session) === person && people.delete(session));
      },
      find: async (session) => people.get(session),
      async keep(servers) {
        const content = JSON.stringify(servers);
        const key = keys.get(content) ?? `editor-${keys.size + 1}`;
        keys.set(content, key);
        kept.set(key, servers);
        return key;
      },
      servers: async (key) => kept.get(key) ?? [],
    };
  },
});
