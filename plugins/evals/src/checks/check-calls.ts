import type {CallCheck, Count, Expectation, RefusalCheck} from '../format/eval.js';
import type {Conversation, MadeCall, RefusedCall} from '../run/conversation.js';

/** Why the calls of a conversation are not as expected, as sentences. */
export function checkCalls({calls, refusals}: Expectation, made: Conversation): readonly string[] {
  const faults = [
    ...calls.map((check) =>
      countFault(check, made.calls.filter((call) => fits(check, call)).length, describeCall(check)),
    ),
    ...refusals.map((check) =>
      countFault(check, made.refused.filter((one) => isRefused(check, one)).length, describeRefusal(check)),
    ),
  ];
  return faults.filter((fault) => fault !== undefined);
}

function fits({tool, input, status, agent}: CallCheck, call: MadeCall): boolean {
  if (call.tool !== tool || (status !== undefined && call.status !== status)) return false;
  if (agent !== undefined && call.agent !== agent) return false;
  return Object.entries(input).every(([name, pattern]) => {
    const value = call.input[name];
    return value !== undefined && pattern.test(typeof value === 'string' ? value : JSON.stringify(value));
  });
}

function isRefused({tool, reason}: RefusalCheck, refused: RefusedCall): boolean {
  return (tool === undefined || tool === refused.tool) && (reason === undefined || reason.test(refused.reason));
}

function countFault({least, most}: Count, count: number, what: string): string | undefined {
  const found = `The number of ${what} is ${count}`;
  if (count < least) return `${found}, not ${least === most ? '' : 'at least '}${least}.`;
  if (count > most) return `${found}, not ${most === 0 ? '0' : `at most ${most}`}.`;
  return undefined;
}

function describeCall({tool, input, status, agent}: CallCheck): string {
  const patterns = Object.entries(input).map(([name, pattern]) => `${name} like ${JSON.stringify(pattern.source)}`);
  const end = status === undefined ? '' : ` that ended as ${status}`;
  const by = agent === undefined ? '' : ` by the agent ${agent}`;
  return `calls of ${tool}${patterns.length > 0 ? ` with ${patterns.join(' and ')}` : ''}${by}${end}`;
}

function describeRefusal({tool, reason}: RefusalCheck): string {
  const why = reason === undefined ? '' : ` with a reason like ${JSON.stringify(reason.source)}`;
  return `refused calls${tool === undefined ? '' : ` of ${tool}`}${why}`;
}
