import type {ErrorTable} from '@gemini-kernel/kernel';

/** Context files that cannot be read are no errors: they are reported beside those that can. */
export default {
  CONTEXT_UNCONFIRMED: {when: 'gemini init has a context file to write, and no one can be asked about it.', exit: 42},
  CONTEXT_UNWRITABLE: {when: 'gemini init cannot write the context file, or a rule forbids it.'},
  MEMORY_REFUSED: {
    when: 'A fact is not kept: it is empty or too long, looks like a secret, or its file cannot be used.',
  },
  MEMORY_UNCHANGED: {when: 'A rule refused gemini memory add.'},
  MEMORY_UNCHECKED: {when: 'The model did not say which lines of context files contradict each other.'},
} as const satisfies ErrorTable;
