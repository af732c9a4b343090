import {provide} from '@gemini-kernel/kernel';
import type {LentServers, RunningAgent, RunningAgents} from '../contract.js';

interface Clock {
  readonly running: RunningAgent;
  pausedMs: number;
  /** Questions that wait, and since when at least one does. */
  waiting: number;
  since: number;
}

/** What agents may do that run now, for the listeners in their sessions, which may be in a place of their own. */
export default provide('running-agents', {
  version: '1.0.0',
  scope: 'program',
  reserved: true,
  methods: ['put', 'of', 'delete', 'lendServers', 'servers', 'takeServers', 'pause', 'resume', 'paused'],
  create(): RunningAgents {
    const clocks = new Map<string, Clock>();
    const lent = new Map<string, LentServers>();
    return {
      async put(session, running) {
        const known = clocks.get(session);
        clocks.set(session, {pausedMs: 0, waiting: 0, since: 0, ...known, running});
      },
      of: async (session) => clocks.get(session)?.running,
      async delete(session) {
        clocks.delete(session);
      },
      async lendServers(key, servers) {
        lent.set(key, servers);
      },
      servers: async (key) => lent.get(key),
      async takeServers(key) {
        lent.delete(key);
      },
      async pause(session) {
        const clock = clocks.get(session);
        if (!clock) return;
        if (clock.waiting === 0) clock.since = performance.now();
        clock.waiting += 1;
      },
      async resume(session) {
        const clock = clocks.get(session);
        if (!clock || clock.waiting === 0) return;
        clock.waiting -= 1;
        if (clock.waiting === 0) clock.pausedMs += performance.now() - clock.since;
      },
      async paused(session) {
        const clock = clocks.get(session);
        if (!clock) return 0;
        return clock.pausedMs + (clock.waiting > 0 ? performance.now() - clock.since : 0);
      },
    };
  },
});
