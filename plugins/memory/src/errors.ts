import type {ErrorTable} from '@gemini-kernel/kernel';

/** It throws nothing of its own: what cannot be read is said beside what can. */
export default {} as const satisfies ErrorTable;
