import {provide} from '@gemini-kernel/kernel';
import type {Enclosure} from '@gemini-kernel/plugin-sandbox/contract';
import {HANDLED} from '../worktrees/handled.js';

/** Starts conversations with `--worktree`, and those that were in a worktree, in that worktree. */
export default provide('enclosure:worktree', {
  version: '1.0.0',
  scope: 'session',
  capability: 'process',
  // Its signal and the terminal belong to this process.
  local: true,
  reserved: true,
  create: (context): Enclosure => ({
    isOuter: true,
    async enter(words, signal, run) {
      const {flags, variables, cwd} = context.environment;
      if (flags['worktree.name'] === undefined && flags['session.resume'] === undefined) return undefined;
      if (variables[HANDLED] === cwd) return undefined;
      const {enterWorktree} = await import('../worktrees/enter-worktree.js');
      return enterWorktree(context, words, {signal, isConversation: run?.isConversation === true});
    },
  }),
});
