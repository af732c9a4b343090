import {randomUUID} from 'node:crypto';
import type {CallToolResult, Server, ServerContext} from '#sdk';
import {capabilitiesOf} from './client-link.js';
import type {PausableCall} from './pausable-call.js';
import {toInputRequests, type Late} from './paused-calls.js';
import type {Sdk} from './setup.js';

/** The extension of the protocol by which a client polls for the result of a call that takes long. */
export const TASKS = 'io.modelcontextprotocol/tasks';
/** A call that takes longer becomes a task, for clients that declare the extension. */
const AFTER_MS = 2000;
const POLL_MS = 500;
/** How long a task can be asked about after its last change. */
const KEPT_MS = 60 * 60_000;
const MOST_TASKS = 100;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

interface Task {
  readonly call: PausableCall<CallToolResult>;
  readonly createdAt: string;
  lastUpdatedAt: string;
  isCancelled: boolean;
  /** Runs while the call does not: it has ended, or waits for an answer. */
  timer?: NodeJS.Timeout;
}

type Fields = Readonly<Record<string, unknown>>;

/** The calls of one client, or of all clients at one address, that became tasks. Their ids cannot be guessed. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  constructor(private readonly sdk: Sdk) {}

  /** What to do with a call that takes long; undefined for a client that does not know tasks. */
  lateFor(server: Server, context: ServerContext): Late<CallToolResult> | undefined {
    if (!declaresTasks(server, context)) return undefined;
    return {
      afterMs: AFTER_MS,
      take: (call) => (this.#tasks.size < MOST_TASKS ? this.#add(call) : undefined),
    };
  }

  /** Answers requests about tasks. */
  serve(server: Server): void {
    const handle = (method: string, act: (id: string, task: Task, answers: Fields) => Fields): void =>
      server.setRequestHandler(method, {params: anyParams}, (given, context) => {
        if (!declaresTasks(server, context)) {
          const {MissingRequiredClientCapabilityError} = this.sdk;
          throw new MissingRequiredClientCapabilityError({requiredCapabilities: {extensions: {[TASKS]: {}}}});
        }
        const id = String(isTable(given) ? given['taskId'] : undefined);
        const task = this.#tasks.get(id);
        // The SDK takes the answers out of the params.
        if (task) return {...act(id, task, context.mcpReq.inputResponses ?? {})};
        throw new this.sdk.ProtocolError(INVALID_PARAMS, `There is no task ${JSON.stringify(id)}.`);
      });
    handle('tasks/get', (id, task) => ({...describe(id, task), ...this.#standing(task)}));
    handle('tasks/update', (_id, task, answers) => {
      task.call.answer(answers);
      return {};
    });
    handle('tasks/cancel', (id, task) => {
      this.#cancel(id, task);
      return {};
    });
  }

  close(): void {
    for (const {call, timer} of this.#tasks.values()) {
      clearTimeout(timer);
      call.abort(new Error('The server ends.'));
    }
    this.#tasks.clear();
  }

  #add(call: PausableCall<CallToolResult>): CallToolResult {
    const id = randomUUID();
    const now = new Date().toISOString();
    const task: Task = {call, createdAt: now, lastUpdatedAt: now, isCancelled: false};
    this.#tasks.set(id, task);
    call.onChange(() => this.#changed(id, task));
    return {content: [], ...describe(id, task), status: call.standing.status, resultType: 'task'};
  }

  #changed(id: string, task: Task): void {
    if (task.isCancelled) return;
    task.lastUpdatedAt = new Date().toISOString();
    clearTimeout(task.timer);
    if (task.call.standing.status !== 'working') this.#expire(id, task);
  }

  #cancel(id: string, task: Task): void {
    const {status} = task.call.standing;
    if (task.isCancelled || status === 'completed' || status === 'failed') return;
    task.lastUpdatedAt = new Date().toISOString();
    task.isCancelled = true;
    task.call.abort(new Error('The client cancelled the task.'));
    clearTimeout(task.timer);
    this.#expire(id, task);
  }

  #expire(id: string, task: Task): void {
    const drop = (): void => {
      this.#tasks.delete(id);
      task.call.abort(new Error('No answer came in time.'));
    };
    task.timer = setTimeout(drop, KEPT_MS).unref();
  }

  #standing({call, isCancelled}: Task): Fields {
    if (isCancelled) return {status: 'cancelled'};
    const {standing} = call;
    switch (standing.status) {
      case 'working':
        return {status: 'working'};
      case 'input_required':
        return {status: 'input_required', inputRequests: toInputRequests(standing.requests)};
      case 'completed':
        return {status: 'completed', result: standing.result};
      case 'failed':
        return {status: 'failed', error: this.#describeError(standing.error)};
    }
  }

  #describeError(error: unknown): Fields {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof this.sdk.ProtocolError)) return {code: INTERNAL_ERROR, message};
    return {code: error.code, message, ...(error.data === undefined ? {} : {data: error.data})};
  }
}

function declaresTasks(server: Server, context: ServerContext): boolean {
  return capabilitiesOf(server, context).extensions?.[TASKS] !== undefined;
}

function describe(taskId: string, {createdAt, lastUpdatedAt}: Task): Fields {
  return {taskId, createdAt, lastUpdatedAt, ttlMs: KEPT_MS, pollIntervalMs: POLL_MS};
}

function isTable(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The SDK wants a schema for methods that it does not know; what is used of them is checked where it is used. */
const anyParams = {
  '~standard': {
    version: 1 as const,
    vendor: 'gemini',
    validate: (value: unknown) => ({value}),
  },
};
