import {Threads} from '../agent/threads.js';
import {PausedCalls} from './paused-calls.js';
import type {Setup} from './setup.js';
import {Tasks} from './tasks.js';

/** What belongs to one client, or to all clients of the stateless protocol at one address. */
export interface ClientParts {
  readonly threads: Threads;
  readonly paused: PausedCalls;
  readonly tasks: Tasks;
  /** Ends what runs or waits for a client. */
  close(): Promise<void>;
}

export function createClientParts({sdk}: Setup): ClientParts {
  const [threads, paused, tasks] = [new Threads(), new PausedCalls(sdk), new Tasks(sdk)];
  const close = async (): Promise<void> => {
    paused.close();
    tasks.close();
    await threads.close();
  };
  return {threads, paused, tasks, close};
}
