import type {CallOptions, CallRequest, Question, ToolOutcome} from '../contract/call.js';
import {checkTouches} from './check-touches.js';
import type {Catalog} from '../catalog/catalog.js';
import type {Dispatch, Judgement} from '../hooks/dispatch.js';
import {isKernelError, isToolError, messageOf, ToolError} from '../contract/error.js';
import {freeze} from '../hooks/freeze.js';
import type {Load} from '../hooks/load.js';
import type {ToolEntry} from '../contract/manifest.js';
import type {Confirmation, EndedCall, RuntimeTool} from '../contract/moments/index.js';
import {toolConfirm} from '../contract/moments/tool-confirm.js';
import {toolEnd} from '../contract/moments/tool-end.js';
import {findNearest} from './nearest.js';
import {reviseInput} from './revise-input.js';
import {findViolations} from '../catalog/schema.js';
import type {RunningCalls} from './running-calls.js';
import type {ServiceLookup} from '../contract/service.js';
import {settlePlain} from './settle-plain.js';
import type {SessionInfo} from '../contract/session.js';
import {
  resultSchema,
  type PreparingContext,
  type Preview,
  type Tool,
  type ToolCall,
  type ToolResult,
  type Touch,
} from '../contract/tool.js';
import type {Trace} from '../hooks/trace.js';

export interface CallPath {
  readonly catalog: Catalog;
  readonly session: SessionInfo;
  /** Settles how the session starts out, once. Throws when it may not begin. */
  begin(): Promise<void>;
  readonly dispatch: Dispatch;
  readonly lookup: ServiceLookup;
  readonly load: Load;
  readonly trace: Trace;
  /** Tools that exist only at run time. */
  collect(signal: AbortSignal | undefined): Promise<readonly RuntimeTool[]>;
  nextId(tool: string): string;
  readonly running: RunningCalls;
  /** Runs acts that change things one after the other. */
  inOrder<T>(act: () => Promise<T>): Promise<T>;
}

type Found = Pick<ToolEntry, 'name' | 'effect' | 'annotations' | 'input'> & {
  readonly plugin: string;
  readonly server?: string;
  open(): Promise<Tool>;
};
type Confirmed = {readonly confirmed?: 'given' | 'edited'};
type Ruling =
  | ({readonly refused: false; readonly call: ToolCall} & Confirmed)
  | {readonly refused: true; readonly reason: string; readonly by: string | undefined};

const ordered: ReadonlySet<string> = new Set(['edit', 'delete', 'move', 'execute']);

/** The one path of every tool call, whoever asks. */
export async function callTool(path: CallPath, request: CallRequest, options: CallOptions): Promise<ToolOutcome> {
  const callId = request.id ?? path.nextId(request.tool);
  const [began, started] = [Date.now(), performance.now()];
  let walk: Walk | undefined;
  const end = async (
    status: EndedCall['status'],
    rest: Pick<EndedCall, 'reason' | 'by'>,
  ): Promise<{callId: string; ms: number}> => {
    const ms = performance.now() - started;
    const isHeard = (path.catalog.listeners.get(toolEnd.name)?.length ?? 0) > 0;
    if (isHeard)
      await announceEnd(path, {
        id: callId,
        tool: request.tool,
        began,
        ms,
        status,
        given: request.input,
        ...(walk?.call ? {call: walk.call} : {}),
        ...rest,
      });
    return {callId, ms};
  };
  try {
    options.signal?.throwIfAborted();
    await path.begin();
    const found = await findTool(path, request.tool, options.signal);
    const way = (walk = new Walk(path, found, {id: callId, subagent: request.subagent}, options));
    const go = (): ReturnType<Walk['go']> => way.go(request.input);
    const outcome = await path.running.during(request.tool, options.signal, () =>
      ordered.has(found.effect) ? path.inOrder(go) : go(),
    );
    const {reason, by} = outcome.status === 'refused' ? outcome : {};
    return {...(await end(outcome.status, {...(reason ? {reason} : {}), ...(by ? {by} : {})})), ...outcome};
  } catch (error) {
    if (options.signal?.aborted) await end('aborted', {});
    options.signal?.throwIfAborted();
    const known = isToolError(error) || isKernelError(error);
    const code = known ? error.code : 'TOOL_CRASHED';
    const message = known ? error.message : `${request.tool} crashed: ${messageOf(error)}`;
    return {
      ...(await end('failed', {reason: message})),
      status: 'failed',
      error: {code, message, ...(known && error.hint ? {hint: error.hint} : {}), cause: error},
    };
  }
}

/** The call that a request would become. Throws as the call would fail. */
export async function describeCall(path: CallPath, request: CallRequest): Promise<ToolCall> {
  const found = await findTool(path, request.tool, undefined);
  const walk = new Walk(path, found, {id: request.id ?? path.nextId(request.tool), subagent: request.subagent}, {});
  return (await walk.prepare(request.input)).call;
}

/** Who gave up is told all the same, so the asker's signal does not count. */
async function announceEnd(
  {dispatch, session, lookup, trace}: CallPath,
  ended: Omit<EndedCall, 'spans'>,
): Promise<void> {
  await dispatch(
    toolEnd.name,
    {...ended, spans: trace.of(ended.id)},
    {session, lookup, subject: ended.call ?? {tool: ended.tool}, callId: ended.id},
  );
}

async function findTool(path: CallPath, name: string, signal: AbortSignal | undefined): Promise<Found> {
  const entry = path.catalog.tools.get(name);
  if (entry) return {...entry, open: () => path.load(entry, 'tool') as Promise<Tool>};
  const collected = await path.collect(signal);
  const runtime = collected.find((tool) => tool.name === name);
  if (runtime) {
    const open = (): Promise<Tool> =>
      Promise.resolve({...runtime, run: (input, context) => runtime.run(input, context.signal)});
    return {...runtime, annotations: runtime.annotations ?? {}, plugin: 'tools:collect', open};
  }
  const near = findNearest(name, [...path.catalog.tools.keys(), ...collected.map((tool) => tool.name)]).join(', ');
  throw new ToolError('TOOL_UNKNOWN', `There is no tool ${/^[\w.:@/ -]+$/.test(name) ? name : JSON.stringify(name)}.`, {
    hint: near === '' ? 'List the tools to see which there are.' : `Did you mean ${near}?`,
  });
}

/** One call on its way. */
class Walk {
  readonly #signal: AbortSignal;
  readonly #session: SessionInfo;
  /** As it was last judged. */
  call: ToolCall | undefined;

  constructor(
    private readonly path: CallPath,
    private readonly found: Found,
    private readonly who: {readonly id: string; readonly subagent: string | undefined},
    private readonly options: CallOptions,
  ) {
    this.#signal = options.signal ?? new AbortController().signal;
    this.#session = freeze({...path.session, interactive: path.session.interactive || options.confirm !== undefined});
  }

  /** The call as judges see it. Nothing is judged or run. */
  async prepare(given: unknown): Promise<{readonly tool: Tool; readonly call: ToolCall}> {
    this.#signal.throwIfAborted();
    const tool = await this.found.open();
    let input = freeze(structuredClone(given));
    await this.#validate(input);
    const changed = await this.#dispatch('tool:input', this.#describe(input, []), (call) => ({call, value: input}));
    if (changed !== input) await this.#validate((input = freeze(structuredClone(changed))));
    return {tool, call: await this.#touch(tool, input)};
  }

  async go(
    given: unknown,
  ): Promise<
    ({status: 'done'; result: ToolResult} & Confirmed) | {status: 'refused'; reason: string; by: string | undefined}
  > {
    const {tool, call: prepared} = await this.prepare(given);
    const ruling = await this.#judge(tool, prepared);
    if (ruling.refused) return {status: 'refused', reason: ruling.reason, by: ruling.by};
    const {call, confirmed} = ruling;
    const result = (await this.#dispatch(
      'tool:run',
      call,
      (payload) => payload,
      () => this.#run(tool, call, confirmed !== undefined),
    )) as ToolResult;
    return {
      status: 'done',
      result: settlePlain(result, await this.#dispatch('tool:result', call, () => ({call, value: result}))),
      ...(confirmed ? {confirmed} : {}),
    };
  }

  async #run(tool: Tool, call: ToolCall, isConfirmed: boolean): Promise<ToolResult> {
    const result = await tool.run(call.input, {
      ...this.#context(call),
      permits: (touches) => this.#permits(call, touches, isConfirmed),
      progress: (update) => this.options.onProgress?.(update),
    });
    const [fault] = await findViolations(resultSchema, result, 'the result');
    if (fault) throw new TypeError(fault);
    return result;
  }

  async #validate(input: unknown): Promise<void> {
    const faults = await findViolations(this.found.input, input, 'input');
    if (faults.length === 0) return;
    throw new ToolError('TOOL_INPUT_INVALID', `${this.found.name} cannot take this input: ${faults.join(' ')}`, {
      hint: 'Compare it with the input schema of the tool.',
    });
  }

  #describe(input: unknown, touches: ToolCall['touches']): ToolCall {
    const [{name: tool, effect, annotations, server}, {id, subagent}] = [this.found, this.who];
    return freeze({
      id,
      tool,
      effect,
      annotations,
      input,
      touches,
      session: this.#session,
      ...(server ? {server} : {}),
      ...(subagent ? {subagent} : {}),
    });
  }

  #context(call: ToolCall): PreparingContext {
    return {signal: this.#signal, call, service: (name) => this.path.lookup(name, this.found.plugin)};
  }

  async #touch(tool: Tool, input: unknown): Promise<ToolCall> {
    const call = this.#describe(input, []);
    const touches = await tool.touches?.(input, this.#context(call));
    checkTouches(this.path.catalog.plugins.get(this.found.plugin), this.found.name, touches ?? []);
    return touches ? this.#describe(input, freeze(structuredClone(touches))) : call;
  }

  /** Not in the trace, for a search finds thousands; and one after the other, for a judge may start a process. */
  async #permits(call: ToolCall, touches: readonly Touch[], isConfirmed: boolean): Promise<readonly boolean[]> {
    const answers: boolean[] = [];
    checkTouches(this.path.catalog.plugins.get(this.found.plugin), this.found.name, touches);
    for (const touch of touches) {
      const subject = freeze({...call, touches: [structuredClone(touch)]});
      const {decision} = (await this.path.dispatch('tool:judge', subject, {
        session: this.#session,
        lookup: this.path.lookup,
        signal: this.options.signal,
        subject,
      })) as Judgement;
      answers.push(decision === 'allow' || (decision === 'ask' && isConfirmed));
    }
    return answers;
  }

  /**
   * What a person edited is a new input: it is checked and judged like the first, but nobody is asked about it again.
   */
  async #judge(tool: Tool, call: ToolCall, isConfirmed = false): Promise<Ruling> {
    this.call = call;
    const {decision, reason, by} = (await this.#dispatch('tool:judge', call, (payload) => payload)) as Judgement;
    if (decision === 'allow' || (decision === 'ask' && isConfirmed))
      return {refused: false, call, ...(isConfirmed ? {confirmed: 'edited'} : {})};
    if (decision === 'deny') return {refused: true, reason, by};
    const {
      answer,
      answer: {remember},
      preview,
    } = await this.#confirm(tool, call, reason);
    if (answer.decision !== 'yes')
      return {refused: true, reason: answer.reason ?? 'The person said no.', by: 'tool:confirm'};
    const input = reviseInput(tool, {call, preview, answer});
    if (input === undefined) {
      if (remember) await this.#dispatch('tool:approved', call, () => ({call, remember}));
      return {refused: false, call, confirmed: 'given'};
    }
    const edited = freeze(structuredClone(input));
    await this.#validate(edited);
    return this.#judge(tool, await this.#touch(tool, edited), true);
  }

  async #confirm(
    tool: Tool,
    call: ToolCall,
    reason: string,
  ): Promise<{readonly answer: Confirmation; readonly preview: Preview | undefined}> {
    const {confirm} = this.options;
    const unanswered = toolConfirm.unanswered as Confirmation;
    const nobody = {...unanswered, reason: `${reason} ${unanswered.reason ?? ''}`};
    const asked = (this.path.catalog.listeners.get('tool:confirm')?.length ?? 0) > 0;
    if (!asked && !confirm) return {answer: nobody, preview: undefined};
    const question: Question = {call, reason, preview: await tool.preview?.(call.input, this.#context(call))};
    const first = asked ? ((await this.#dispatch('tool:confirm', call, () => question)) as Confirmation) : unanswered;
    if (first === unanswered && !confirm) return {answer: nobody, preview: undefined};
    const value = first === unanswered && confirm ? await confirm(question) : first;
    const {preview} = question;
    return {
      answer: (await this.#dispatch('tool:confirmed', call, () => ({call, preview, value}))) as Confirmation,
      preview,
    };
  }

  #dispatch<P>(
    hook: string,
    call: ToolCall,
    payloadOf: (call: ToolCall) => P,
    inner?: () => Promise<unknown>,
  ): Promise<unknown> {
    return this.path.dispatch(hook, payloadOf(call), {
      session: this.#session,
      lookup: this.path.lookup,
      signal: this.options.signal,
      subject: call,
      callId: this.who.id,
      inner,
    });
  }
}
