import {messageOf} from '@gemini-kernel/kernel';
import type {GuardProof} from '@gemini-kernel/plugin-doctor/contract';
import type {HookInfo, HookProbe, HookTrial, Hooks} from './contract.js';
import {isEvent} from './events.js';
import {isAboutTools, makeInput} from './make-input.js';
import {selectHooks} from './match.js';

type State = Pick<GuardProof, 'state' | 'reason'>;

/** Whether a hook is to be proven: one that must not fail, or that declares a probe. */
export function isGuard({failure, probe, probeFault}: HookInfo): boolean {
  return failure === 'closed' || probe !== undefined || probeFault !== undefined;
}

/** Gives a hook the event that its probe declares. One that does not run in a conversation does not run here. */
export async function proveHook(hook: HookInfo, hooks: Pick<Hooks, 'test'>, signal: AbortSignal): Promise<State> {
  const {leftOut, probe, probeFault, event, matcher} = hook;
  if (leftOut) return {state: 'off', reason: leftOut.sentence};
  if (probeFault !== undefined) return {state: 'down', reason: `Its probe is invalid: ${probeFault}.`};
  if (!probe) return {state: 'unproven', reason: 'It declares no probe.'};
  const {tool = '', input} = probe;
  if (isAboutTools(event) && isEvent(event) && selectHooks([hook], event, tool).length === 0)
    return {state: 'down', reason: `Its matcher ${JSON.stringify(matcher)} is not for ${tool}, which its probe names.`};
  try {
    return judgeTrial(hook, await hooks.test(hook.id, makeInput(hook, tool, input), signal));
  } catch (error) {
    signal.throwIfAborted();
    return {state: 'down', reason: messageOf(error)};
  }
}

/** What a trial says about the probe of a hook. */
export function judgeTrial({probe}: HookInfo, {runs, verdict}: HookTrial): State {
  if (!probe) return {state: 'unproven', reason: 'It declares no probe.'};
  const failed = runs.find(({sentence}) => sentence !== undefined)?.sentence;
  if (failed !== undefined) return {state: 'down', reason: failed};
  const said = verdict.stop === undefined ? verdict.decision : 'deny';
  const wanted = probe.decision;
  const isSo = wanted === 'allow' ? said === undefined || said === 'allow' : said === wanted;
  const about = [probe.tool, JSON.stringify(probe.input)].filter((one) => one !== undefined).join(' ');
  const [must, did] = WORDS[wanted];
  if (!isSo) return {state: 'down', reason: `It must ${must(about)}, and said ${said ?? 'nothing'}.`};
  return {state: 'proven', reason: `It ${did(about)}.`};
}

type Say = (about: string) => string;

/** What a hook must do with an event, and what it did. */
const WORDS: Readonly<Record<HookProbe['decision'], readonly [must: Say, did: Say]>> = {
  deny: [(about) => `refuse ${about}`, (about) => `refused ${about}`],
  ask: [(about) => `ask you about ${about}`, (about) => `asks you about ${about}`],
  allow: [(about) => `let ${about} through`, (about) => `let ${about} through`],
};
