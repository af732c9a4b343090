/**
 * What engines of queues have in common: what a queue decides, and what becomes of a task. An engine keeps the entries,
 * and says what they are. And what those share that work with a queue: whose an address is, what an
 * amount is, and patience.
 */
export {engineOf, shownAddress} from './fleets/engine-of.js';
export {moneyOf, tokensOf} from './plan/read-amount.js';
export {checkTasks} from './queue/check-tasks.js';
export {decideClaim, decideFail, decideLost, orderFor, requireHeld} from './queue/decide.js';
export {eventOf} from './queue/event-of.js';
export {queueAbsent, queueUnwritable} from './queue/queue-faults.js';
export type {QueueView} from './queue/queue-view.js';
export type {Change} from './queue/records.js';
export {NOTHING, plus, rest} from './queue/spending.js';
export {insist} from './work/insist.js';
export {sortPut} from './queue/sort-put.js';
export {entryAfter, itemOf, newEntry, type Entry, type TaskChange} from './queue/tasks.js';
