import type {ErrorTable} from '@gemini-kernel/kernel';

export default {} as const satisfies ErrorTable;
