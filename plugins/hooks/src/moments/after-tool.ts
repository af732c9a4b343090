import type {EndedCall, Part, ToolCall, ToolResult} from '@gemini-kernel/kernel';
import type {HookSession} from '../hook-session.js';
import {isTable} from '../is-table.js';
import {inFrame} from './frame.js';
import {describeCall} from './before-tool.js';

/** What the hooks make of a result. */
export async function changeResult(
  hooks: HookSession,
  {call, value, signal}: {readonly call: ToolCall; readonly value: ToolResult; readonly signal: AbortSignal},
): Promise<ToolResult> {
  const noted = hooks.state.calls.get(call.id)?.isChanged
    ? append(value, `A hook changed the arguments of this call to ${JSON.stringify(call.input)}.`)
    : value;
  if (!(await hooks.has('AfterTool', call.tool))) return noted;
  const response = {llmContent: value.model, returnDisplay: value.display ?? null, error: null};
  const verdict = await hooks.fire('AfterTool', {
    subject: call.tool,
    call: call.id,
    input: {...describeCall(call, call.input), tool_response: response},
    signal,
  });
  const {decision, reason, stop, context, specific, by} = verdict;
  if (stop !== undefined) hooks.state.stop = {reason: stop};
  if (decision === 'deny') {
    const text = `${reason ?? 'A hook withheld the result.'} (hook ${by.join(', ')})`;
    return {model: `Error: ${text}`, display: text};
  }
  const result = await runTail(hooks, specific['tailToolCallRequest'], {value: noted, signal});
  return context === undefined ? result : append(result, context);
}

/** Tells the hooks of a call that failed. There is no result that they could change. */
export async function seeFailure(hooks: HookSession, {call, reason = ''}: EndedCall): Promise<void> {
  if (!call) return;
  const response = {llmContent: reason, returnDisplay: null, error: {message: reason}};
  const {stop} = await hooks.fire('AfterTool', {
    subject: call.tool,
    call: call.id,
    input: {...describeCall(call, call.input), tool_response: response},
    signal: hooks.context.signal,
  });
  if (stop !== undefined) hooks.state.stop = {reason: stop};
}

/** Another call whose result replaces that of the first. It goes down the path of every call. */
async function runTail(
  {context}: HookSession,
  wanted: unknown,
  {value, signal}: {readonly value: ToolResult; readonly signal: AbortSignal},
): Promise<ToolResult> {
  if (!isTable(wanted) || typeof wanted['name'] !== 'string') return value;
  const {name, args = {}} = wanted;
  const outcome = await context.tools.call({tool: String(name), input: args}, {signal});
  if (outcome.status === 'done') return {model: outcome.result.model, ...showOf(outcome.result)};
  const why = outcome.status === 'refused' ? outcome.reason : outcome.error.message;
  return {model: `Error: the call of ${String(name)} that a hook asked for did not run: ${why}`};
}

function showOf({display}: ToolResult): Pick<ToolResult, 'display'> {
  return display === undefined ? {} : {display};
}

function append(value: ToolResult, text: string): ToolResult {
  const added = `\n${inFrame(text)}`;
  if (typeof value.model === 'string')
    return {...value, model: value.model + added, ...(value.plain === undefined ? {plain: value.model} : {})};
  const parts: readonly Part[] = [...value.model, {text: added}];
  return {...value, model: parts};
}
