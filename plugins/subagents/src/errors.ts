import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  AGENT_DEPTH: {when: 'An agent called an agent deeper than three levels.'},
  AGENT_EXISTS: {when: 'A new agent would replace a file.', exit: 42},
  AGENT_FAILED: {when: 'An agent could not end its work: its model failed, or it repeated itself.'},
  AGENT_INVALID: {when: 'The file of an agent is not what an agent requires.', exit: 42},
  AGENT_NO_LOGIN: {when: 'An agent has no login with which a person could log in.', exit: 42},
  AGENT_REFUSED: {when: 'The prompt for an agent was refused.'},
  AGENT_UNKNOWN: {when: 'There is no agent of this name, or it is disabled or not acknowledged.', exit: 42},
  DOCS_UNKNOWN: {when: 'There is no page of this name in the documentation.'},
  WORKTREE_FAILED: {when: 'A git worktree could not be made, read or removed.'},
  WORKTREE_IN_USE: {when: 'Another process works in a worktree.', exit: 42},
  WORKTREE_NAME: {when: 'The name of a worktree is not made of letters, digits, - and _.', exit: 42},
  WORKTREE_UNKNOWN: {when: 'There is no worktree of this name.', exit: 42},
  WORKTREE_UNMERGED: {when: 'A worktree to be removed has work that is in no other branch.'},
} as const satisfies ErrorTable;
