export {claimName, findNameFault} from './entry-names.js';
export {isDueToday} from './due-today.js';
export {isHeld, ownerOfLock, releaseLock, sweepLock, takeLock, type HeldLock, type LockOptions} from './lock.js';
export type {LockOwner} from './lock-record.js';
export {isProcess, isSelf, machineMark, writerMark, type ProcessMark} from './process-mark.js';
export {sweepBeside, sweepFolder} from './sweep-left.js';
export {writeAtomically, type AtomicWrite, type FileIdentity} from './write-atomically.js';
export {writeHint} from './write-hint.js';
