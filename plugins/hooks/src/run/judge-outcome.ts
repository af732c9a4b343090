import {isEvent, events} from '../events.js';
import {outcomes} from '../outcomes.js';
import type {ConfiguredHook} from '../config/configured-hook.js';
import type {OutcomeName} from '../contract.js';
import {isTable} from '../is-table.js';
import type {HookAnswer, ReadOutcome} from './read-output.js';

/** What one run of one hook comes to. */
export interface HookResult extends ReadOutcome {
  readonly hook: ConfiguredHook;
  readonly exitCode?: number;
  readonly ms: number;
  /** What the person hears of a run that did not go well. */
  readonly sentence?: string;
  /** The run failed, and the hook must not fail. */
  readonly isClosed: boolean;
  readonly decision?: 'allow' | 'ask' | 'deny';
  readonly reason?: string;
  readonly stop?: string;
  readonly context?: string;
  readonly message?: string;
  readonly specific: Readonly<Record<string, unknown>>;
}

/** Text of a hook that is kept for people and reasons. */
const MOST_TEXT = 10_000;

type Ended = ReadOutcome & {readonly exitCode?: number; readonly ms: number; readonly detail?: string};

/** Judges an outcome by the table of outcomes. */
export function judgeOutcome(hook: ConfiguredHook, {detail, ...ended}: Ended): HookResult {
  const {outcome, answer} = ended;
  const {isFailure} = outcomes[outcome];
  const hasFailed = isFailure === true || (isFailure === 'if-declared' && hook.isDeclared);
  const text = cut(ended.text);
  const common = {...ended, hook, text, isClosed: hasFailed && hook.failure === 'closed', specific: {}};
  if (answer) return {...common, ...readAnswer(answer, hook.name)};
  if (!hasFailed && outcome !== 'warned') return {...common, ...readText(hook, outcome, text)};
  const sentence = describe(hook, {...ended, text}, detail);
  return common.isClosed
    ? {...common, sentence, decision: 'deny', reason: `${sentence} It must not fail.`}
    : {...common, sentence};
}

/** What text without JSON means. */
function readText(hook: ConfiguredHook, outcome: OutcomeName, text: string): Partial<HookResult> {
  if (outcome === 'refused')
    return isEvent(hook.event) && events[hook.event].failure === 'never'
      ? {message: text}
      : {decision: 'deny', reason: text};
  if (outcome !== 'text') return {};
  // Claude Code gives the model what these print.
  const isContext = hook.shape === 'claude' && ['BeforeAgent', 'SessionStart'].includes(hook.event);
  return isContext ? {context: text} : {message: text};
}

function readAnswer(answer: HookAnswer, name: string): Partial<HookResult> {
  const specific = answer.hookSpecificOutput ?? {};
  const input = specific['tool_input'] ?? specific['updatedInput'];
  const decision = decisionOf(textOf(specific['permissionDecision']) ?? answer.decision);
  const reason = textOf(specific['permissionDecisionReason']) ?? answer.reason;
  const context = textOf(specific['additionalContext']);
  return {
    specific: {...specific, ...(isTable(input) ? {tool_input: input} : {})},
    ...(decision ? {decision} : {}),
    ...(reason === undefined ? {} : {reason: cut(reason)}),
    ...(context === undefined ? {} : {context}),
    ...(answer.systemMessage ? {message: cut(answer.systemMessage)} : {}),
    ...(answer.continue === false ? {stop: stopOf(answer, name)} : {}),
  };
}

function stopOf({stopReason, reason}: HookAnswer, name: string): string {
  return cut(stopReason || reason || `The hook ${JSON.stringify(name)} stopped the agent.`);
}

function decisionOf(word: string | undefined): HookResult['decision'] {
  if (word === 'block' || word === 'deny') return 'deny';
  if (word === 'approve' || word === 'allow') return 'allow';
  return word === 'ask' ? 'ask' : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} [${text.length - MOST_TEXT} characters omitted]` : text;
}

/** What a run did, as the end of a sentence. */
const DONE: Readonly<Partial<Record<OutcomeName, (ended: Ended, timeoutMs: number, detail: string) => string>>> = {
  warned: ({text}) => (text === '' ? 'ended with exit code 1.' : `warns: ${text}`),
  mute: ({exitCode}) => `ended with exit code ${exitCode ?? 2} and gave no reason.`,
  unstarted: ({text}, _, detail) => `could not start: ${detail || text.slice(0, 300) || 'the shell did not find it'}`,
  late: (_, timeoutMs) => `gave no answer within ${timeoutMs / 1000} s.`,
  killed: (_, __, detail) => `was ended by ${detail}.`,
  garbled: ({text}) =>
    text === '' ? 'printed binary data.' : `printed no valid answer: ${JSON.stringify(text.slice(0, 100))}.`,
  excessive: () => 'printed more than 1 MB.',
};

function describe(hook: ConfiguredHook, ended: Ended, detail = ''): string {
  const {name, event, timeoutMs, layer} = hook;
  const done = DONE[ended.outcome]?.(ended, timeoutMs, detail) ?? `ended as ${ended.outcome}.`;
  return `The hook ${JSON.stringify(name.slice(0, 100))} (${event}, ${layer}) ${done}`;
}
