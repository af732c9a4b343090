import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  EVAL_INVALID: {when: 'An evaluation, or a file that it names, cannot be used.', exit: 42},
  EVAL_UNKNOWN: {when: 'There is no evaluation of this name, or none at all.', exit: 42},
  EVAL_UNWRITABLE: {when: 'The evaluations of a suite cannot be written.', exit: 1},
  EVAL_FLAG_INVALID: {when: 'A flag of gemini evals has a value that it does not accept.', exit: 42},
  EVAL_VARIANT_INVALID: {
    when: 'A variant names no component of gemini, or has a value that it cannot have.',
    exit: 42,
  },
  EVAL_TASK_OTHER: {when: 'A queue has a task that is no evaluation of this machine.', exit: 42},
  EVAL_UNTRUSTED: {when: 'Evaluations are in a folder that is not trusted.', exit: 55},
  EVAL_NOT_AGREED: {when: 'Evaluations need tools or commands that you did not agree to.', exit: 1},
  EVAL_RUN_UNKNOWN: {when: 'There is no run of evaluations of this name, or no such result in it.', exit: 42},
  EVAL_RUN_UNREADABLE: {when: 'The results of a run of evaluations cannot be read.', exit: 42},
  EVAL_RUN_BUSY: {when: 'Another process writes to these results of evaluations.', exit: 42},
  EVAL_RUN_UNWRITABLE: {when: 'Results of evaluations, or what is made of them, cannot be written.', exit: 1},
} as const satisfies ErrorTable;
