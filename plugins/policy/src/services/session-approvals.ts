import {provide} from '@gemini-kernel/kernel';
import type {SessionApprovals} from '../contract.js';
import type {Rule} from '../rule.js';

/**
 * What people allowed until a session ends. A conversation and the agents that it called are one for that, wherever
 * they work: the person who answers an agent is that of the conversation.
 */
export default provide('session-approvals', {
  version: '1.0.0',
  scope: 'program',
  reserved: true,
  methods: ['join', 'add', 'list', 'end'],
  create(): SessionApprovals {
    const parents = new Map<string, string>();
    const kept = new Map<string, Rule[]>();
    const topOf = (session: string): string => {
      let top = session;
      for (let parent = parents.get(top); parent !== undefined; parent = parents.get(top)) top = parent;
      return top;
    };
    return {
      async join(session, parent) {
        parents.set(session, parent);
      },
      async add(session, rules) {
        const top = topOf(session);
        kept.set(top, [...(kept.get(top) ?? []), ...rules]);
      },
      list: async (session) => kept.get(topOf(session)) ?? [],
      async end(session) {
        parents.delete(session);
        kept.delete(session);
      },
    };
  },
});
