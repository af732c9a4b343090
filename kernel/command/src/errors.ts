import type {ErrorTable} from '@gemini-kernel/kernel';

/** The codes that commands throw themselves. A host adds them to its own. */
export const commandErrors: ErrorTable = {
  FLAGS_CONFLICT: {when: 'Two flags that set the same thing were given together.'},
};
