import {CANCEL_CASES, endedCancelCases} from './cancel-cases.js';
import {CLAIM_CASES} from './claim-cases.js';
import {clockCases} from './clock-cases.js';
import {END_CASES} from './end-cases.js';
import {FAULT_CASES} from './fault-cases.js';
import {fenceCases} from './fence-cases.js';
import {LEASE_CASES} from './lease-cases.js';
import {LIMIT_CASES} from './limit-cases.js';
import {ORDER_CASES} from './order-cases.js';
import {OTHER_CASES} from './other-cases.js';
import {PUT_CASES, refusedCases} from './put-cases.js';
import type {QueueCase} from './queue-place.js';
import {RESERVE_CASES} from './reserve-cases.js';
import {endedRetryCases, RETRY_CASES} from './retry-cases.js';
import {WATCH_CASES} from './watch-cases.js';

export type {QueueCase, QueuePlace} from './queue-place.js';

/** The cases that every engine of queues passes. */
export const queueCases = (): readonly QueueCase[] => [
  ...[...PUT_CASES, ...refusedCases(), ...ORDER_CASES, ...CLAIM_CASES],
  ...[...END_CASES, ...fenceCases(), ...LEASE_CASES, ...clockCases()],
  ...[...CANCEL_CASES, ...endedCancelCases(), ...RETRY_CASES, ...endedRetryCases()],
  ...[...LIMIT_CASES, ...RESERVE_CASES, ...WATCH_CASES, ...OTHER_CASES, ...FAULT_CASES],
];
