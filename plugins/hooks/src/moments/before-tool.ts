import type {ToolCall, Verdict} from '@gemini-kernel/kernel';
import type {HookVerdict} from '../contract.js';
import type {HookSession, JudgedCall} from '../hook-session.js';
import {isTable} from '../is-table.js';

/** More calls than this are not remembered at once. */
const MOST_CALLS = 500;

/** Asks the hooks before a call is judged. Gives the input that they want, and remembers what they decided. */
export async function changeInput(
  hooks: HookSession,
  {call, value, signal}: {readonly call: ToolCall; readonly value: unknown; readonly signal: AbortSignal},
): Promise<unknown> {
  const verdict = await askHooks(hooks, call, value, signal);
  const wanted = verdict.specific['tool_input'];
  const input = isTable(wanted) && isTable(value) ? {...value, ...wanted} : value;
  const text = JSON.stringify(input);
  remember(hooks, call.id, {input: text, verdict, isChanged: text !== JSON.stringify(value)});
  return input;
}

/** What the hooks decided about a call. They are asked again about an input that they have not seen. */
export async function judgeCall(hooks: HookSession, call: ToolCall, signal: AbortSignal): Promise<Verdict | undefined> {
  const input = JSON.stringify(call.input);
  const known = hooks.state.calls.get(call.id);
  if (known?.input === input) return toVerdict(hooks, known.verdict);
  const verdict = await askHooks(hooks, call, call.input, signal);
  const wanted = verdict.specific['tool_input'];
  const changed = isTable(wanted) && isTable(call.input) ? JSON.stringify({...call.input, ...wanted}) : input;
  remember(hooks, call.id, {input, verdict, isChanged: false});
  if (changed === input) return toVerdict(hooks, verdict);
  return {
    decision: 'deny',
    reason:
      'A hook wants to change the arguments of this call, which is too late: a person has edited them, or it was not ' +
      'made in a conversation.',
  };
}

async function askHooks(hooks: HookSession, call: ToolCall, input: unknown, signal: AbortSignal): Promise<HookVerdict> {
  const verdict = await hooks.fire('BeforeTool', {
    subject: call.tool,
    call: call.id,
    input: describeCall(call, input),
    signal,
  });
  if (verdict.stop !== undefined) hooks.state.stop = {reason: verdict.stop};
  return verdict;
}

/** A hook that allows something has no opinion here: policy and you decide. */
function toVerdict({state}: HookSession, {decision, reason, by, stop}: HookVerdict): Verdict | undefined {
  if (stop !== undefined) {
    state.stop = {reason: stop};
    return {decision: 'deny', reason: stop};
  }
  if (decision === undefined || decision === 'allow') return undefined;
  return {
    decision,
    reason: `${reason ?? 'It gave no reason.'} (hook ${by.map((one) => one.slice(0, 100)).join(', ')})`,
  };
}

function remember({state}: HookSession, id: string, judged: JudgedCall): void {
  state.calls.delete(id);
  state.calls.set(id, judged);
  if (state.calls.size > MOST_CALLS) state.calls.delete(state.calls.keys().next().value ?? '');
}

/** A call as hooks get it. */
export function describeCall({tool, server}: ToolCall, input: unknown): Readonly<Record<string, unknown>> {
  const prefix = `mcp_${server ?? ''}_`;
  const name = server !== undefined && tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
  return {
    tool_name: tool,
    tool_input: input,
    ...(server === undefined ? {} : {mcp_context: {server_name: server, tool_name: name}}),
  };
}
