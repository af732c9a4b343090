import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveWorktrees} from '../worktrees/live-worktrees.js';

/** Worktrees of the repository that this place is in. */
export default provide('worktrees', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  capability: 'process',
  methods: ['make', 'enter', 'finish', 'leave', 'list', 'note', 'find', 'remove'],
  create: (context) => new LiveWorktrees(context),
});
