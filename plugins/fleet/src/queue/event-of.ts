import type {QueueEvent} from '../contract.js';
import type {ChangeRecord} from './records.js';

/** What others hear of a change. */
export function eventOf(record: ChangeRecord): QueueEvent {
  const {number, at, kind} = record;
  if (kind === 'added' || kind === 'changed') return {number, at, kind, count: record.tasks.length};
  if (kind === 'set') return {number, at, kind};
  return {
    ...{number, at, kind, id: record.id},
    ...(kind === 'started' ? {worker: record.worker, attempt: record.attempt} : {}),
    ...('spent' in record && record.spent ? {spent: record.spent} : {}),
    ...('fault' in record ? {fault: record.fault} : {}),
  };
}
