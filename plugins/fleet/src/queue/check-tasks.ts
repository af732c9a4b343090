import {KernelError} from '@gemini-kernel/kernel';
import type {QueueTask, Spending} from '../contract.js';

const LARGEST = 64 * 1024;
const ID = /^[\w.:-]{1,128}$/;

const DEFAULTS = {priority: 0, attempts: 1, group: '', reserve: {}};

/** Throws KernelError QUEUE_TASK_INVALID for a task that a queue cannot keep. */
export function checkTasks(tasks: readonly QueueTask[]): void {
  for (const task of tasks) {
    const fault = faultOf(task);
    if (fault === undefined) continue;
    throw new KernelError('QUEUE_TASK_INVALID', `The task ${JSON.stringify(String(task.id).slice(0, 80))} ${fault}.`, {
      hint: 'No task of this call was added.',
    });
  }
}

function faultOf(task: QueueTask): string | undefined {
  const {id, payload, priority, attempts, group, reserve} = {...DEFAULTS, ...task};
  if (typeof id !== 'string' || !ID.test(id)) return 'has an id that is not of letters, digits and . : _ -';
  const size = Buffer.byteLength(JSON.stringify(payload) ?? 'null');
  if (size > LARGEST) return `has a payload of ${size} bytes, and ${LARGEST} are allowed`;
  if (!Number.isSafeInteger(priority)) return `has the priority ${priority}, which is not a whole number`;
  if (!Number.isSafeInteger(attempts) || attempts < 1) return `has ${attempts} attempts, and at least 1 is needed`;
  if (typeof group !== 'string' || group.length > 1024) return 'has a group that is not a short text';
  return isReserve(reserve) ? undefined : 'reserves what is not a number of tokens and dollars';
}

function isReserve({tokens = 0, cost = 0}: Partial<Spending>): boolean {
  return Number.isFinite(tokens) && tokens >= 0 && Number.isFinite(cost) && cost >= 0;
}
