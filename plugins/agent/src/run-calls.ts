import type {CallOptions, SessionTools, ToolInfo, ToolOutcome} from '@gemini-kernel/kernel';
import type {ModelCall} from './answer.js';
import {cutOff, endOf, type Ending} from './call-ending.js';
import type {AgentWatch, CallRecord, CallTimes} from './contract.js';
import type {Statistics} from './statistics.js';

interface Parts {
  readonly tools: SessionTools;
  /** The tools offered to the model, by name. */
  readonly offered: ReadonlyMap<string, ToolInfo>;
  readonly statistics: Statistics;
  /** Ids of earlier calls of this conversation. */
  readonly seen: Set<string>;
  readonly times: Pick<CallTimes, 'take'>;
  /** Whether no tool runs that was not offered: an agent has the tools of its definition. */
  readonly onlyOffered: boolean;
}

const READING = new Set(['read', 'search', 'fetch', 'think']);

/** The most calls of one answer that run; the model learns which did not. */
const MOST_CALLS = 500;
/** The most read-only calls that run at once. */
const MOST_AT_ONCE = 32;

/**
 * Runs the calls of one answer: read-only calls in parallel, the others alone and in order. Never throws; an abort is
 * an outcome.
 */
export async function runCalls(
  parts: Parts,
  calls: readonly ModelCall[],
  watch: AgentWatch,
): Promise<readonly CallRecord[]> {
  const records: CallRecord[] = [];
  for (const group of groupCalls(calls.slice(0, MOST_CALLS), parts.offered))
    records.push(...(await Promise.all(group.map((call) => runCall(parts, call, watch)))));
  const rest = calls.slice(MOST_CALLS);
  if (rest.length > 0)
    watch.onEvent({
      kind: 'note',
      severity: 'warning',
      text: `The model asked for ${calls.length} calls at once; ${MOST_CALLS} of them ran.`,
    });
  return [...records, ...rest.map((call) => refuseCall(parts, call))];
}

function refuseCall({seen}: Parts, call: ModelCall): CallRecord {
  const message = `This call was not run: one answer may ask for ${MOST_CALLS} calls.`;
  const ending: Ending = {status: 'failed', output: [{text: message}], error: {code: 'CALLS_EXCESSIVE', message}};
  return {
    id: call.id,
    callId: nameCall(seen, call),
    name: call.name,
    input: call.input ?? {},
    ms: 0,
    time: new Date().toISOString(),
    ...ending,
  };
}

/** Groups adjacent read-only calls; each other call is a group of its own. */
function groupCalls(calls: readonly ModelCall[], offered: Parts['offered']): readonly (readonly ModelCall[])[] {
  const groups: ModelCall[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const isReading = READING.has(offered.get(call.name)?.effect ?? 'other');
    if (isReading && isOpen && (groups.at(-1)?.length ?? 0) < MOST_AT_ONCE) groups.at(-1)?.push(call);
    else groups.push([call]);
    isOpen = isReading;
  }
  return groups;
}

async function runCall(parts: Parts, call: ModelCall, watch: AgentWatch): Promise<CallRecord> {
  const id = nameCall(parts.seen, call);
  watch.onEvent({kind: 'call', id, tool: call.name, input: call.input});
  const started = performance.now();
  const record = await finishCall(parts, {call, id}, watch);
  const whole: CallRecord = {
    id: call.id,
    callId: id,
    name: call.name,
    input: call.input ?? {},
    ms: performance.now() - started,
    time: new Date().toISOString(),
    ...record,
  };
  watch.onEvent({kind: 'result', id, call: whole});
  return whole;
}

/** The id of a call in this program: the tool and the model's own id, made unique. */
function nameCall(seen: Set<string>, {name, id}: ModelCall): string {
  let own = `${name}__${id}`;
  for (let count = 2; seen.has(own); count += 1) own = `${name}__${id}-${count}`;
  seen.add(own);
  return own;
}

async function finishCall(
  parts: Parts,
  {call, id}: {call: ModelCall; id: string},
  watch: AgentWatch,
): Promise<Ending & {readonly ms?: number}> {
  const {tools, statistics, offered, times} = parts;
  if (watch.signal.aborted) return cutOff(watch.signal);
  if (call.malformed !== undefined) {
    const message = `The arguments of ${call.name} are not JSON: ${call.malformed.slice(0, 500)}`;
    return {status: 'failed', output: [{text: message}], error: {code: 'CALL_MALFORMED', message}};
  }
  if (parts.onlyOffered && !offered.has(call.name)) {
    const message = `${call.name} is not a tool of this agent.`;
    return {status: 'failed', output: [{text: message}], error: {code: 'TOOL_NOT_OFFERED', message}};
  }
  const onProgress: CallOptions['onProgress'] = (update) => watch.onEvent({kind: 'progress', id, ...update});
  try {
    const outcome = await tools.call({tool: call.name, input: call.input, id}, {signal: watch.signal, onProgress});
    // The time in which a person thinks is not the call's.
    const ms = (await times.take(id)) ?? outcome.ms;
    statistics.countCall(call.name, {...outcome, ms});
    return {ms, ...endOf(outcome), ...changedBy(outcome, offered.get(call.name)?.effect)};
  } catch (error) {
    // The path of a call throws no other errors.
    if (!watch.signal.aborted) throw error;
    await times.take(id);
    return cutOff(watch.signal);
  }
}

const CHANGING = new Set(['edit', 'delete', 'move']);

/** The file of a tool that changes files, or the files that an agent changed. */
function changedBy(outcome: ToolOutcome, effect: string | undefined): Pick<CallRecord, 'changed'> {
  if (outcome.status !== 'done') return {};
  const {path, changed} = (outcome.result.data ?? {}) as {readonly path?: unknown; readonly changed?: unknown};
  if (Array.isArray(changed)) return {changed: changed.filter((one) => typeof one === 'string')};
  return CHANGING.has(effect ?? '') && typeof path === 'string' ? {changed: [path]} : {};
}
