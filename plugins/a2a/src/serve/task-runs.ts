import {setTimeout as wait} from 'node:timers/promises';
import type {RunResult, StreamEvent} from '@gemini-kernel/plugin-agent/contract';
import type {AgentExecutor, ExecutionEventBus, Message, Part, RequestContext, TaskState} from '#sdk';
import type {Grant} from '../tokens/tokens.js';
import {Beginnings} from './beginnings.js';
import type {KeptTasks} from './kept-tasks.js';
import {confirmationIn} from './developer/confirmation.js';
import {ToolEvents} from './developer/tool-events.js';
import {DEVELOPMENT_TOOL} from './developer/uri.js';
import type {PushSender} from './push/push-sender.js';
import type {Setup} from './setup.js';
import {dataPart, readText, teller, textPart, type Tell} from './task-messages.js';
import {TaskRun, type TaskListener} from './task-run.js';
import type {Unattended} from './unattended.js';

/** How long the server waits for its tasks to end. */
const LONGEST_END_MS = 10_000;
/** Tasks of one caller that run at once. */
const MOST_OF_ONE = 20;
/** The state of a call of the SDK in which the grant of the caller is. */
export const GRANT = 'grant';

/** Who hears of tasks beside their callers. */
interface Telling {
  readonly sender: PushSender;
  readonly unattended: Unattended;
}

interface Live {
  readonly run: TaskRun;
  readonly owner: string;
  /** Where the caller hears of it now; another message of the same task brings another one. */
  bus: ExecutionEventBus;
}

/** Runs tasks, and publishes what they do. */
export class TaskRuns implements AgentExecutor {
  readonly #live = new Map<string, Live>();
  readonly #beginnings = new Beginnings();
  #tasks: KeptTasks | undefined;
  #telling: Telling | undefined;

  constructor(private readonly setup: Setup) {}

  keepIn(tasks: KeptTasks, telling: Telling): void {
    this.#tasks = tasks;
    this.#telling = telling;
  }

  async execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const {taskId, userMessage, task, context} = request;
    const {sdk} = this.setup;
    const known = this.#live.get(taskId);
    this.#telling?.unattended.leave(taskId);
    this.#open(request, bus);
    const tell = teller(request, this.setup);
    const text = readText(userMessage);
    if (text === undefined)
      return tell(bus, sdk.TaskState.TASK_STATE_REJECTED, {text: 'Only text and data are taken.'});
    if (known) return this.#continue(known, {bus, text: answerIn(userMessage, known.run.asked) ?? text, tell});
    if (task) return tell(bus, sdk.TaskState.TASK_STATE_FAILED, {text: 'The server ended while this task ran.'});
    const grant = context.state.get(GRANT) as Grant;
    if (this.#isFull(grant))
      return tell(bus, sdk.TaskState.TASK_STATE_REJECTED, {
        text: `You have ${MOST_OF_ONE} tasks that run. Wait for one.`,
      });
    await this.#begin(request, {bus, grant, text, tell});
  }

  /** A message of a task that runs is the answer to its question. */
  async #continue(live: Live, {bus, text, tell}: {bus: ExecutionEventBus; text: string; tell: Tell}): Promise<void> {
    live.bus = bus;
    if (!live.run.isAsking)
      return tell(bus, this.setup.sdk.TaskState.TASK_STATE_WORKING, {text: 'The task is running, and asks nothing.'});
    const paused = live.run.pause();
    live.run.answer(text);
    return paused;
  }

  cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    const live = this.#live.get(taskId);
    if (!live) return;
    live.bus = bus;
    this.#telling?.unattended.leave(taskId);
    const paused = live.run.pause();
    live.run.cancel('The calling agent cancelled the task.');
    await paused;
  };

  /** Ends every task. */
  async close(): Promise<void> {
    const ending = [...this.#live].map(([task, {run}]) => {
      const paused = Promise.all([run.pause(), this.#telling?.sender.ending(task)]);
      run.cancel('The server is ending.');
      return paused;
    });
    await Promise.race([Promise.all(ending), wait(LONGEST_END_MS, undefined, {ref: false})]);
  }

  /** The first event of each message is the task. */
  #open({taskId, contextId, userMessage, task}: RequestContext, bus: ExecutionEventBus): void {
    const {AgentEvent, TaskState: states} = this.setup.sdk;
    bus.publish(
      AgentEvent.task({
        ...{id: taskId, contextId, artifacts: task?.artifacts ?? [], metadata: task?.metadata},
        status: {state: states.TASK_STATE_WORKING, message: undefined, timestamp: new Date().toISOString()},
        history: [...(task?.history ?? []), ...(task ? [] : [userMessage])],
      }),
    );
  }

  #isFull({id}: Grant): boolean {
    return [...this.#live.values()].filter(({owner}) => owner === id).length >= MOST_OF_ONE;
  }

  async #begin(
    request: RequestContext,
    {bus, grant, text, tell}: {bus: ExecutionEventBus; grant: Grant; text: string; tell: Tell},
  ): Promise<void> {
    const {taskId, contextId, context} = request;
    const resume = await this.#tasks?.sessionOf(contextId, context);
    const run: TaskRun = new TaskRun({
      ...{setup: this.setup, beginnings: this.#beginnings, grant, text, resume},
      listener: this.#listen(request, tell, () => this.#live.get(taskId)?.bus ?? bus),
      onSession: (session) => this.#tasks?.noteSession(taskId, session),
    });
    this.#live.set(taskId, {run, owner: grant.id, bus});
    const paused = run.pause();
    void run.run();
    await paused;
    await this.#tasks?.prune(context);
  }

  #listen({taskId, contextId, context}: RequestContext, tell: Tell, bus: () => ExecutionEventBus): TaskListener {
    const {sdk} = this.setup;
    const {TASK_STATE_WORKING: working, TASK_STATE_INPUT_REQUIRED: asking} = sdk.TaskState;
    let hasText = false;
    const artifact = (id: string, part: Part, append: boolean): void =>
      bus().publish(
        sdk.AgentEvent.artifactUpdate({
          ...{taskId, contextId, append, lastChunk: false, metadata: undefined},
          artifact: {artifactId: id, name: id, description: '', parts: [part], metadata: undefined, extensions: []},
        }),
      );
    const tools = context.requestedExtensions?.includes(DEVELOPMENT_TOOL) === true ? new ToolEvents() : undefined;
    return {
      event(event: StreamEvent) {
        const shown = tools?.see(event);
        if (shown) tell(bus(), working, shown);
        if (event.type === 'message' && event.role === 'assistant') {
          artifact('response', textPart(event.content), hasText);
          hasText = true;
        } else if (!shown && event.type !== 'message' && event.type !== 'init') {
          const {timestamp: _, ...data} = event;
          tell(bus(), working, {data});
        }
      },
      question: ({text, data, call}) => {
        if (tools && call) tell(bus(), working, tools.ask(call));
        tell(bus(), asking, {text, data, ...tools?.change()});
        // No request is behind the task until it is answered.
        this.#telling?.unattended.follow(taskId, bus(), context);
      },
      allowed: (call) => {
        const started = tools?.start(call);
        if (started) tell(bus(), working, started);
      },
      ended: (end) => {
        if (end.changed_files && end.changed_files.length > 0)
          artifact('changed_files', dataPart({files: end.changed_files}), false);
        const state = this.#stateOf(end);
        const last = bus();
        this.#live.delete(taskId);
        const text = end.error && sentenceOf(end.error);
        tell(last, state, {...(text === undefined ? {} : {text}), data: {type: 'result', ...end}, ...tools?.change()});
      },
    };
  }

  #stateOf({outcome}: RunResult): TaskState {
    const {TASK_STATE_COMPLETED, TASK_STATE_CANCELED, TASK_STATE_REJECTED, TASK_STATE_FAILED} =
      this.setup.sdk.TaskState;
    if (outcome === 'done') return TASK_STATE_COMPLETED;
    if (outcome === 'interrupted') return TASK_STATE_CANCELED;
    return outcome === 'refused' ? TASK_STATE_REJECTED : TASK_STATE_FAILED;
  }
}

/** What a typed answer to a question means; undefined for other messages. */
function answerIn(message: Message, asked: string | undefined): string | undefined {
  const confirmation = confirmationIn(message);
  if (!confirmation) return undefined;
  return confirmation.isYes && confirmation.call === asked ? 'yes' : 'no';
}

function sentenceOf({message, hint}: NonNullable<RunResult['error']>): string {
  return hint ? `${message} ${hint}` : message;
}
