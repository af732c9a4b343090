import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  FLEET_PLAN_INVALID: {when: 'A plan of a fleet, or a file that it names, cannot be used.', exit: 42},
  FLEET_UNKNOWN: {when: 'There is no fleet of this name, or no such task in it.', exit: 42},
  FLEET_UNREADABLE: {when: 'What a fleet keeps cannot be read.', exit: 42},
  FLEET_UNWRITABLE: {when: 'What a fleet keeps, or what is made of it, cannot be written.', exit: 1},
  FLEET_TOKENS_EXHAUSTED: {when: 'A run of a fleet has used the tokens that it was given.', exit: 53},
  FLEET_NOT_AGREED: {when: 'A plan needs what you did not agree to.', exit: 1},
  REPOSITORY_FAILED: {when: 'A repository of a fleet cannot be fetched, checked out or committed to.', exit: 1},
  QUEUE_FENCE_LOST: {when: 'A worker speaks about a task that another attempt has by now.', exit: 1},
  QUEUE_TASK_INVALID: {when: 'A queue is given a task that it cannot keep.', exit: 42},
  QUEUE_BUSY: {when: 'Another process works on the queue of this fleet.', exit: 42},
  QUEUE_ABSENT: {when: 'There is no queue at an address, or no engine for it.', exit: 42},
  QUEUE_UNREADABLE: {when: 'The journal of a queue cannot be read.', exit: 42},
  QUEUE_UNWRITABLE: {when: 'A queue cannot keep what happens, such as on a full disk.', exit: 1},
} as const satisfies ErrorTable;
