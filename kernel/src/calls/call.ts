import type {CallOptions, CallRequest, ToolOutcome} from '../contract/call.js';
import {isKernelError, isToolError, messageOf} from '../contract/error.js';
import type {EndedCall} from '../contract/moments/tool-end.js';
import {toolEnd} from '../contract/moments/tool-end.js';
import type {ToolCall} from '../contract/tool-call.js';
import {toJson} from '../hooks/to-json.js';
import type {Turn} from '../scopes/write-order.js';
import type {Caller, CallPath} from './call-path.js';
import {findTool} from './find-tool.js';
import {Walk, type Walked} from './walk.js';

const ordered: ReadonlySet<string> = new Set(['edit', 'delete', 'move', 'execute']);

/** The one path of every tool call, for all callers. */
export async function callTool(
  path: CallPath,
  request: CallRequest,
  options: CallOptions,
  caller: Caller,
): Promise<ToolOutcome> {
  const call = new Ending(path, request);
  try {
    options.signal?.throwIfAborted();
    await path.begin();
    const found = await findTool(path, request.tool, options.signal);
    const within = caller.turn ?? path.order.find(caller.services);
    const go = (turn: Turn | undefined): Promise<Walked> => {
      const walk = new Walk({path, found, request: {...request, id: call.id}, options, turn});
      call.walk = walk;
      return walk.go(request.input);
    };
    const outcome = await path.running.during(request.tool, options.signal, () =>
      ordered.has(found.effect) ? (within?.inner ?? path.order).run(go) : go(within),
    );
    const {reason, by} = outcome.status === 'refused' ? outcome : {};
    return {...(await call.end(outcome.status, {reason, by})), ...outcome};
  } catch (error) {
    if (options.signal?.aborted) await call.end('aborted', {});
    options.signal?.throwIfAborted();
    const fault = describe(error, request.tool);
    const ended = await call.end('failed', {reason: fault.message});
    return {...ended, status: 'failed', error: {...fault, cause: error}};
  }
}

/** The call that a request would become. Throws as the call would fail. */
export async function describeCall(path: CallPath, request: CallRequest): Promise<ToolCall> {
  const found = await findTool(path, request.tool, undefined);
  const id = request.id ?? path.nextId(request.tool);
  const walk = new Walk({path, found, request: {...request, id}, options: {}, turn: undefined});
  return (await walk.prepare(request.input)).call;
}

function describe(error: unknown, tool: string): Omit<Extract<ToolOutcome, {status: 'failed'}>['error'], 'cause'> {
  if (!isToolError(error) && !isKernelError(error))
    return {code: 'TOOL_CRASHED', message: `${tool} crashed: ${messageOf(error)}`};
  const {code, message, hint, model} = error;
  return {code, message, ...(hint ? {hint} : {}), ...(model ? {model} : {})};
}

/** An input that is not JSON fails its call, and is named in what is said of it. */
function jsonOrName(input: unknown): unknown {
  try {
    return toJson(input, 'input');
  } catch (error) {
    return messageOf(error);
  }
}

/** What is said of a call when it is over, to listeners of `tool:end` and to the caller. */
class Ending {
  readonly id: string;
  walk: Walk | undefined;
  readonly #began = Date.now();
  readonly #started = performance.now();

  constructor(
    private readonly path: CallPath,
    private readonly request: CallRequest,
  ) {
    this.id = request.id ?? path.nextId(request.tool);
  }

  async end(
    status: EndedCall['status'],
    {reason, by}: {readonly reason?: string | undefined; readonly by?: string | undefined},
  ): Promise<{callId: string; ms: number}> {
    const ms = performance.now() - this.#started;
    const {path, request, id} = this;
    if ((path.catalog.listeners.get(toolEnd.name)?.length ?? 0) > 0) {
      const call = this.walk?.call;
      const ended: EndedCall = {
        id,
        tool: request.tool,
        began: this.#began,
        ms,
        status,
        given: jsonOrName(request.input),
        ...(call ? {call} : {}),
        ...(reason ? {reason} : {}),
        ...(by ? {by} : {}),
        spans: path.trace.of(id),
      };
      // Listeners hear of an aborted call as well, so the caller's signal does not count.
      await path.dispatch('tool:end', ended, {...path.stage, subject: call ?? {tool: request.tool}, callId: id});
    }
    return {callId: id, ms};
  }
}
