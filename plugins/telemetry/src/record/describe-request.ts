import type {EndedRequest, TokenUsage} from '@gemini-kernel/plugin-agent/contract';
import type {Attributes} from './records.js';

/** The name of a model without its provider, as Gemini CLI has it. */
export function plainModel(model: string): string {
  return model.slice(model.indexOf(':') + 1);
}

/** The kinds of tokens, in the words of Gemini CLI. */
export function tokensOf({input, output, thoughts, cached, tool}: TokenUsage): Readonly<Record<string, number>> {
  return {input, output, thought: thoughts, cache: cached, tool};
}

export function describeResponse({model, ms, usage, reason, isBeside}: EndedRequest): Attributes {
  return {
    model: plainModel(model),
    'gen_ai.provider.name': model.slice(0, Math.max(0, model.indexOf(':'))),
    duration_ms: Math.round(ms),
    status_code: 200,
    role: isBeside ? 'utility_tool' : 'main',
    ...(reason === undefined ? {} : {finish_reasons: [reason]}),
    ...(usage
      ? {
          input_token_count: usage.input,
          output_token_count: usage.output,
          cached_content_token_count: usage.cached,
          thoughts_token_count: usage.thoughts,
          tool_token_count: usage.tool,
          total_token_count: usage.total,
        }
      : {}),
  };
}

/** A request without a usable answer. The message of an error can have content in it, so that it is left to others. */
export function describeError({model, ms, status, failure, attempt}: EndedRequest): Attributes {
  return {
    model: plainModel(model),
    duration_ms: Math.round(ms),
    error_type: failure?.kind ?? status,
    attempt,
    ...(failure?.status === undefined ? {} : {status_code: failure.status}),
  };
}

export function spanOfRequest({model, usage, reason, firstMs, attempt}: EndedRequest): Attributes {
  return {
    'gen_ai.request.model': plainModel(model),
    'gen_ai.provider.name': model.slice(0, Math.max(0, model.indexOf(':'))),
    'gemini.attempt': attempt,
    ...(firstMs === undefined ? {} : {'gemini.time_to_first_token_ms': Math.round(firstMs)}),
    ...(reason === undefined ? {} : {'gen_ai.response.finish_reasons': [reason]}),
    ...(usage
      ? {'gen_ai.usage.input_tokens': usage.input, 'gen_ai.usage.output_tokens': usage.output + usage.thoughts}
      : {}),
  };
}
