import {KernelError} from '@gemini-kernel/kernel';
import type {ModelEvent, OutgoingRequest} from '@gemini-kernel/plugin-agent/contract';
import type {HookVerdict} from '../contract.js';
import type {HookSession, Stop} from '../hook-session.js';
import {isTable} from '../is-table.js';
import {chooseTools, mergeRequest, textOfResponse, toLlmRequest, toLlmResponse, toPlain} from './llm.js';

/** The error that ends a prompt. */
export function stopped({reason}: Stop): KernelError {
  return new KernelError('HOOK_STOPPED', `A hook stopped the agent: ${reason}`, {
    hint: '`gemini hooks list` shows the hooks; `gemini hooks disable <hook>` disables one of yours.',
  });
}

/**
 * The request that is not sent. What a hook decides is an end like others, as in Gemini CLI: its reason takes the place
 * of the answer. A hook that must not fail and did is an error. Throws KernelError HOOK_STOPPED.
 */
export function stopRequest(value: OutgoingRequest, stop: Stop): OutgoingRequest {
  if (stop.isFailure) throw stopped(stop);
  return answerWith(value, `Agent execution stopped by hook: ${stop.reason}`);
}

function answerWith(value: OutgoingRequest, text: string): OutgoingRequest {
  return {
    ...value,
    answer: [
      {kind: 'text', text},
      {kind: 'end', reason: 'stop'},
    ],
  };
}

function stopOf({stop, decision, reason = 'It gave no reason.', isFailure}: HookVerdict): Stop | undefined {
  if (stop !== undefined) return {reason: stop};
  return decision === 'deny' ? {reason, ...(isFailure ? {isFailure} : {})} : undefined;
}

/** The request that hooks want, or an answer in its place. Throws KernelError HOOK_STOPPED. */
export async function changeRequest(
  hooks: HookSession,
  value: OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingRequest> {
  const verdict = await hooks.fire('BeforeModel', {input: {llm_request: toLlmRequest(value)}, signal});
  const {llm_request: changed, llm_response: response} = verdict.specific;
  const text = textOfResponse(response);
  if (verdict.stop === undefined && !verdict.isFailure && text !== undefined) return answerWith(value, text);
  const stop = stopOf(verdict);
  if (stop !== undefined) {
    hooks.state.stop = stop;
    return stopRequest(value, stop);
  }
  return isTable(changed) ? mergeRequest(value, changed) : value;
}

/** The request with what hooks of BeforeToolSelection want of its answer. */
export function withChoice(value: OutgoingRequest): OutgoingRequest {
  const {request} = value;
  if (request.tools.length === 0) return value;
  return {...value, request: {...request, config: {...request.config, mustCall: true}}};
}

/** A part of an answer as hooks want it. Throws KernelError HOOK_STOPPED. */
export async function changeResponse(hooks: HookSession, value: ModelEvent, signal: AbortSignal): Promise<ModelEvent> {
  const part = toLlmResponse(value);
  if (!part) return value;
  const {lastRequest} = hooks.state;
  const request = lastRequest ? toLlmRequest(lastRequest) : {};
  const verdict = await hooks.fire('AfterModel', {input: {llm_request: request, llm_response: part}, signal});
  const stop = stopOf(verdict);
  if (stop !== undefined) throw stopped(stop);
  const text = textOfResponse(verdict.specific['llm_response']);
  return value.kind === 'text' && text !== undefined ? {...value, text} : value;
}

/** The names of the tools that hooks leave. */
export async function chooseOffered(
  hooks: HookSession,
  value: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const {context, state} = hooks;
  const history = await (await context.service('agent')).history();
  const messages = toPlain(history.filter(({kind}) => kind !== 'note').map(({message}) => message));
  const model = state.lastRequest?.model.replace(/^[^:]*:/, '') ?? 'auto';
  const request = {model, messages, toolConfig: {mode: 'AUTO', allowedFunctionNames: value}};
  const {specific, isFailure} = await hooks.fire('BeforeToolSelection', {input: {llm_request: request}, signal});
  const {toolConfig} = specific;
  state.mustCall = !isFailure && isTable(toolConfig) && toolConfig['mode'] === 'ANY';
  if (isFailure) return [];
  if (!isTable(toolConfig)) return value;
  return chooseTools(
    value.map((name) => ({name})),
    toolConfig,
  ).map(({name}) => name);
}
