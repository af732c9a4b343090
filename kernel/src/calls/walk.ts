import type {CallOptions, CallRequest} from '../contract/call.js';
import {messageOf, ToolError} from '../contract/error.js';
import type {FoldOf, PayloadOf} from '../contract/hook.js';
import type {MomentName} from '../contract/registry.js';
import type {ServiceLookup} from '../contract/service.js';
import type {SessionInfo} from '../contract/session.js';
import type {PreparingContext, Tool, ToolContext} from '../contract/tool.js';
import {
  resultSchema,
  type Preview,
  type Progress,
  type ToolCall,
  type ToolResult,
  type Touch,
} from '../contract/tool-call.js';
import {isOurs} from '../catalog/catalog-plugin.js';
import {findViolations} from '../catalog/schema.js';
import type {DispatchOptions} from '../hooks/dispatch.js';
import {toJson} from '../hooks/to-json.js';
import type {Turn} from '../scopes/write-order.js';
import type {CallPath} from './call-path.js';
import {checkTouches} from './check-touches.js';
import {confirmCall} from './confirm-call.js';
import type {Found} from './find-tool.js';
import {obtainCapabilities} from './obtain-capabilities.js';
import {reviseInput} from './revise-input.js';
import {settlePlain} from './settle-plain.js';

type Confirmed = {readonly confirmed?: 'given' | 'edited'};
type Refused = {readonly reason: string; readonly by: string | undefined};
type Ruling = ({readonly refused: false; readonly call: ToolCall} & Confirmed) | ({readonly refused: true} & Refused);

/** How far a call came. */
export type Walked = ({status: 'done'; result: ToolResult} & Confirmed) | ({status: 'refused'} & Refused);

interface WalkParts {
  readonly path: CallPath;
  readonly found: Found;
  readonly request: CallRequest & {readonly id: string};
  readonly options: CallOptions;
  /** The turn that it has, or that of the call which made it. */
  readonly turn: Turn | undefined;
}

/** One call on its way. */
export class Walk {
  #signal: AbortSignal | undefined;
  readonly #stage: DispatchOptions;
  readonly #lookup: ServiceLookup;
  /** As it was last judged. */
  call: ToolCall | undefined;

  constructor(private readonly parts: WalkParts) {
    const {path, options, turn, request} = parts;
    const {session, lookup} = path.stage;
    this.#signal = options.signal;
    this.#lookup = (name, plugin) => {
      turn?.hold(path.keyOf(name));
      return lookup(name, plugin);
    };
    this.#stage = {
      ...path.stage,
      session: viewOf(session, options.confirm !== undefined),
      lookup: this.#lookup,
      signal: options.signal,
      callId: request.id,
    };
  }

  /** The call as judges see it. Nothing is judged or run. */
  async prepare(given: unknown): Promise<{readonly tool: Tool; readonly call: ToolCall}> {
    this.#signal?.throwIfAborted();
    const tool = await this.parts.found.open();
    const input = await this.#validate(given);
    const call = this.#describe(input, []);
    const changed = await this.#announce('tool:input', {call, value: input}, call);
    const same = changed === input ? call : this.#describe(await this.#validate(changed), []);
    return {tool, call: await this.#touch(tool, same)};
  }

  async go(given: unknown): Promise<Walked> {
    const {tool, call: prepared} = await this.prepare(given);
    const ruling = await this.#judge(tool, prepared, this.parts.options.asker === 'person');
    if (ruling.refused) return {status: 'refused', reason: ruling.reason, by: ruling.by};
    const {call, confirmed} = ruling;
    const inner = (): Promise<ToolResult> => this.#run(tool, call, confirmed !== undefined);
    const result = await this.parts.path.dispatch('tool:run', call, {...this.#stage, subject: call, inner});
    const seen = await this.#announce('tool:result', {call, value: result}, call);
    return {status: 'done', result: settlePlain(result, seen), ...(confirmed ? {confirmed} : {})};
  }

  async #run(tool: Tool, call: ToolCall, isConfirmed: boolean): Promise<ToolResult> {
    const {options, found, path} = this.parts;
    const context: ToolContext = Object.assign(this.#context(call), {
      permits: (touches: readonly Touch[]) => this.#permits(call, touches, isConfirmed),
      tools: this.#tools(),
      progress: (update: Progress) => options.onProgress?.(update),
    });
    await obtainCapabilities({path, found, stage: this.#stage, call, touches: call.touches});
    const given = await tool.run(call.input, context);
    const result = path.border.value(toJson(given, 'the result'));
    const faults = [
      ...(await findViolations(resultSchema, result, 'the result')),
      ...(found.output ? await findViolations(found.output, result.data, 'the data of the result') : []),
    ];
    if (faults[0]) throw new TypeError(faults[0]);
    return result;
  }

  /** The input as frozen JSON. Throws ToolError TOOL_INPUT_INVALID. */
  async #validate(given: unknown): Promise<unknown> {
    const {name, input: schema} = this.parts.found;
    const [input, fault] = attempt(() => toJson(given, 'input'));
    const faults = fault ? [fault] : await findViolations(schema, input, 'input');
    if (faults.length === 0) return input;
    throw new ToolError('TOOL_INPUT_INVALID', `${name} cannot take this input: ${faults.join(' ')}`, {
      hint: 'Compare it with the input schema of the tool.',
    });
  }

  #describe(input: unknown, touches: readonly Touch[]): ToolCall {
    const {found, request, options} = this.parts;
    const {name: tool, effect, annotations, plugin, server} = found;
    const {session} = this.#stage;
    const {id} = request;
    const subagent = session.subagent ?? request.subagent;
    return toJson(
      {
        id,
        tool,
        effect,
        annotations,
        input,
        touches,
        session,
        plugin,
        server,
        subagent,
        asker: options.asker,
      } as ToolCall,
      'the call',
    );
  }

  #context(call: ToolCall): PreparingContext {
    const {plugin} = this.parts.found;
    // Most tools never ask for the signal, and making one is dear.
    const signal = (): AbortSignal => (this.#signal ??= new AbortController().signal);
    return {
      get signal() {
        return signal();
      },
      call,
      service: (name) => this.#lookup(name, plugin),
    };
  }

  /** Calls that the tool makes belong to this one. */
  #tools(): ToolContext['tools'] {
    const {path, turn, found, request, options} = this.parts;
    const caller = {services: [], turn};
    const mayName = isOurs(path.catalog, found.plugin);
    return {
      call: ({subagent: named, ...rest}, {asker, ...given} = {}) => {
        const subagent = (mayName ? named : undefined) ?? request.subagent;
        return path.call(
          {...rest, ...(subagent ? {subagent} : {})},
          {...(options.signal ? {signal: options.signal} : {}), ...given, ...(asker && mayName ? {asker} : {})},
          caller,
        );
      },
      offered: () => path.offered(),
    };
  }

  async #touch(tool: Tool, call: ToolCall): Promise<ToolCall> {
    const touches = await tool.touches?.(call.input, this.#context(call));
    if (!touches) return call;
    const {path, found} = this.parts;
    const {home} = this.#stage.environment;
    checkTouches(path.catalog.plugins.get(found.plugin), {tool: call.tool, touches, home});
    return this.#describe(call.input, touches);
  }

  /** Not in the trace, for a search finds thousands; and one after the other, for a judge may start a process. */
  async #permits(call: ToolCall, touches: readonly Touch[], isConfirmed: boolean): Promise<readonly boolean[]> {
    const {path, found} = this.parts;
    const answers: boolean[] = [];
    const {callId: _, ...stage} = this.#stage;
    await obtainCapabilities({path, found, stage: this.#stage, call, touches});
    for (const touch of touches) {
      const subject = toJson({...call, touches: [touch]}, 'the call');
      const {decision} = await path.dispatch('tool:judge', subject, {...stage, subject});
      answers.push(decision === 'allow' || (decision === 'ask' && isConfirmed));
    }
    return answers;
  }

  /**
   * What a person edited is a new input: it is checked and judged like the first, but not confirmed again.
   */
  async #judge(tool: Tool, call: ToolCall, isAnswered: boolean, isEdited = false): Promise<Ruling> {
    this.call = call;
    const {decision, reason, by} = await this.#announce('tool:judge', call, call);
    if (decision === 'deny') return {refused: true, reason, by};
    if (decision === 'allow') return {refused: false, call, ...(isEdited ? {confirmed: 'edited'} : {})};
    if (isAnswered) return {refused: false, call, confirmed: isEdited ? 'edited' : 'given'};
    const {answer, preview, kept} = await this.#confirm(tool, call, reason);
    if (answer.decision !== 'yes')
      return {refused: true, reason: answer.reason ?? 'The person refused.', by: 'tool:confirm'};
    const input = await reviseInput(tool, {call, preview, answer});
    if (input !== undefined) {
      const edited = this.#describe(await this.#validate(input), []);
      return this.#judge(tool, await this.#touch(tool, edited), true, true);
    }
    const {remember} = answer;
    if (remember && kept) await this.#announce('tool:approved', {call, remember, choice: kept}, call);
    return {refused: false, call, confirmed: 'given'};
  }

  #confirm(tool: Tool, call: ToolCall, reason: string): ReturnType<typeof confirmCall> {
    const {path, options} = this.parts;
    const show = async (): Promise<Preview | undefined> => tool.preview?.(call.input, this.#context(call));
    return confirmCall({path, stage: {...this.#stage, subject: call}, call, reason, show, host: options.confirm});
  }

  #announce<N extends MomentName>(moment: N, payload: PayloadOf<N>, subject: ToolCall): Promise<FoldOf<N>> {
    return this.parts.path.dispatch(moment, payload, {...this.#stage, subject});
  }
}

function attempt<T>(act: () => T): readonly [T | undefined, string | undefined] {
  try {
    return [act(), undefined];
  } catch (error) {
    return [undefined, messageOf(error)];
  }
}

/** What calls see of each session, by its mode: made once, as most calls of a session see the same. */
const views = new WeakMap<SessionInfo, Map<string, SessionInfo>>();

function viewOf(session: SessionInfo, isAnswered: boolean): SessionInfo {
  const known = views.get(session) ?? new Map<string, SessionInfo>();
  const key = `${session.id} ${session.mode} ${isAnswered}`;
  const view = known.get(key) ?? toJson({...session, interactive: session.interactive || isAnswered}, 'the session');
  views.set(session, known.set(key, view));
  return view;
}
