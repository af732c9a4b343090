import {parentPort, workerData, type MessagePort} from 'node:worker_threads';
import {createBatchMatcher} from './match-batch.js';
import type {MatchTask} from './match-task.js';

function answerBatches(port: MessagePort, task: MatchTask): void {
  const match = createBatchMatcher(task);
  port.on('message', (paths: readonly string[]) => port.postMessage(match(paths)));
}

// This is where a thread begins: it is imported to work, and does nothing elsewhere.
// eslint-disable-next-line house/no-work-on-import
if (parentPort) answerBatches(parentPort, workerData as MatchTask);
