import type {LineEnd, TokenUsage, TurnEnd} from '@gemini-kernel/plugin-agent/contract';
import type {PromptResponse, StopReason} from '#sdk';
import type {Sdk} from './setup.js';

interface Parts {
  readonly sdk: Sdk;
  readonly usage: ReadonlyMap<string, TokenUsage>;
}

const REASONS: Readonly<Partial<Record<TurnEnd['status'], StopReason>>> = {
  done: 'end_turn',
  refused: 'refusal',
  aborted: 'cancelled',
  limit: 'max_turn_requests',
};

/** How a prompt ended, for the editor. Throws what kept it from an answer. */
export function endOfPrompt(end: LineEnd, {sdk, usage}: Parts): PromptResponse {
  if (end.kind === 'withdrawn') return {stopReason: 'cancelled'};
  if (end.kind !== 'prompt') return {stopReason: 'end_turn'};
  const {status, error, refused, isCut} = end.turn;
  const stopReason = status === 'done' && isCut ? 'max_tokens' : REASONS[status];
  if (stopReason) return {stopReason, _meta: {...metaOf(usage), ...(refused.length > 0 ? {refused} : {})}};
  const {code = 'BUG', message = 'The prompt failed.', hint, status: http} = error ?? {};
  const sentence = hint ? `${message} ${hint}` : message;
  throw new sdk.RequestError(-32603, sentence, {
    code,
    details: sentence,
    ...(http === undefined ? {} : {status: http}),
  });
}

/** As Gemini CLI reports it. */
function metaOf(usage: ReadonlyMap<string, TokenUsage>): Record<string, unknown> {
  if (usage.size === 0) return {};
  const models = [...usage].map(([model, {input, output}]) => ({
    model,
    token_count: {input_tokens: input, output_tokens: output},
  }));
  const sum = (key: 'input_tokens' | 'output_tokens'): number =>
    models.reduce((total, {token_count: count}) => total + count[key], 0);
  return {
    quota: {
      token_count: {input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens')},
      model_usage: models,
    },
  };
}
