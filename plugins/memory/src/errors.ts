import type {ErrorTable} from '@gemini-kernel/kernel';

/** This plugin throws no errors of its own: it reports files that cannot be read beside those that can. */
export default {} as const satisfies ErrorTable;
