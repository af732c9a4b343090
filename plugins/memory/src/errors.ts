import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {} as const satisfies ErrorTable;
