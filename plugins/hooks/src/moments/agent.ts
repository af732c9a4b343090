import type {Verdict} from '@gemini-kernel/kernel';
import type {FinishedTurn} from '@gemini-kernel/plugin-agent/contract';
import type {HookSession} from '../hook-session.js';
import {escapeFrame} from './frame.js';

/** What the hooks say about a prompt, with what those of SessionStart have left for it. */
export async function judgePrompt(
  hooks: HookSession,
  prompt: string,
  signal: AbortSignal,
): Promise<Verdict | undefined> {
  const {state} = hooks;
  const {decision, reason, stop, context = ''} = await hooks.fire('BeforeAgent', {input: {prompt}, signal});
  if (stop !== undefined) return {decision: 'deny', reason: stop};
  if (decision === 'deny' || decision === 'ask') return {decision: 'deny', reason: reason ?? 'A hook gave no reason.'};
  const texts = [state.startContext, context].filter((text) => text !== '');
  state.startContext = '';
  if (texts.length === 0) return undefined;
  return {decision: 'allow', reason: 'Hooks add context.', context: escapeFrame(texts.join('\n\n'))};
}

/** Whether the hooks want one more round. */
export async function judgeEnd(
  hooks: HookSession,
  {prompt, text}: FinishedTurn,
  signal: AbortSignal,
): Promise<Verdict | undefined> {
  const {state} = hooks;
  const input = {prompt, prompt_response: text, stop_hook_active: state.isContinued};
  const {
    decision,
    reason = 'A hook asks for one more round.',
    stop,
    isFailure,
    specific,
  } = await hooks.fire('AfterAgent', {input, signal});
  const isDenied = decision === 'deny';
  if (specific['clearContext'] === true && (isDenied || stop !== undefined))
    await (await hooks.context.service('agent')).clear();
  if (stop !== undefined || !isDenied) return undefined;
  if (!isFailure) hooks.context.tell({code: 'HOOK_MESSAGE', sentence: `A hook asks for one more round: ${reason}`});
  state.isContinued = true;
  // A round that a broken hook asks for would not end: the next request is not sent.
  if (isFailure) state.stop = {reason, isFailure};
  return {decision: 'deny', reason};
}
