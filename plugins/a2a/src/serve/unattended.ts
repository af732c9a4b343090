import type {ExecutionEventBus, PushNotificationSender, ServerCallContext, StreamResponse, TaskStore} from '#sdk';
import {messageOf} from '@gemini-kernel/kernel';
import type {Setup} from './setup.js';

interface Parts {
  readonly setup: Pick<Setup, 'sdk' | 'log'>;
  readonly tasks: TaskStore;
  readonly sender: PushNotificationSender;
}

/**
 * Keeps, and tells, what a task does while no request follows it: the SDK stops at a question, and a task that is
 * cancelled, or gets no answer in time, still has an end.
 */
export class Unattended {
  readonly #stops = new Map<string, () => void>();

  constructor(private readonly parts: Parts) {}

  /** Follows a task from now on, until `leave`, or its next question or end. */
  follow(task: string, bus: ExecutionEventBus, context: ServerCallContext): void {
    this.leave(task);
    const {sdk, log} = this.parts.setup;
    const queue = new sdk.ExecutionEventQueue(bus);
    this.#stops.set(task, () => queue.stop());
    const results = new sdk.ResultManager(this.parts.tasks, context);
    const keep = async (): Promise<void> => {
      for await (const event of queue.events()) {
        await results.processEvent(event);
        const payload = {$case: event.kind, value: event.data} as StreamResponse['payload'];
        await this.parts.sender.send({payload}, context, results.getCurrentTask());
      }
    };
    void keep().catch((error: unknown) => log(`The end of task ${task} was not kept: ${messageOf(error)}`));
  }

  /** A request follows the task again. */
  leave(task: string): void {
    this.#stops.get(task)?.();
    this.#stops.delete(task);
  }
}
