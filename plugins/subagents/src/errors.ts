import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  AGENT_DEPTH: {when: 'An agent called an agent deeper than three levels.'},
  AGENT_EXISTS: {when: 'A new agent would replace a file.', exit: 42},
  AGENT_FAILED: {when: 'An agent could not end its work: its model failed, or it repeated itself.'},
  AGENT_INVALID: {when: 'The file of an agent is not what an agent requires.', exit: 42},
  AGENT_REFUSED: {when: 'The prompt for an agent was refused.'},
  AGENT_UNKNOWN: {when: 'There is no agent of this name, or it is disabled or not acknowledged.', exit: 42},
} as const satisfies ErrorTable;
