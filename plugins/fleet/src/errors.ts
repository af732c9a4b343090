import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  QUEUE_FENCE_LOST: {when: 'A worker speaks about a task that another attempt has by now.', exit: 1},
  QUEUE_TASK_INVALID: {when: 'A queue is given a task that it cannot keep.', exit: 42},
  QUEUE_BUSY: {when: 'Another process works on the queue of this fleet.', exit: 42},
  QUEUE_ABSENT: {when: 'There is no queue at an address, or no engine for it.', exit: 42},
  QUEUE_UNREADABLE: {when: 'The journal of a queue cannot be read.', exit: 42},
  QUEUE_UNWRITABLE: {when: 'A queue cannot keep what happens, such as on a full disk.', exit: 1},
} as const satisfies ErrorTable;
