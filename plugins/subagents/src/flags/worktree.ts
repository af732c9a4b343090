import {defineFlag} from '@gemini-kernel/kernel';

export default defineFlag('worktree', {
  description:
    'Work in a git worktree of its own, on the branch worktree-<name>; continues in one of this name that is there.',
  type: 'string',
  commands: ['chat'],
  char: 'w',
  bare: '',
  setting: 'worktree.name',
});
