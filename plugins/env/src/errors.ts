import type {ErrorTable} from '@gemini-kernel/kernel';

/** It throws nothing of its own: a file that cannot be read is a warning. */
export default {} as const satisfies ErrorTable;
