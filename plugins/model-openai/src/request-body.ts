import type {ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import {toChatMessages} from './chat-messages.js';

/**
 * The parts of a model's `generateContentConfig` that are sent, in the words of these servers. A project writes
 * settings too, and must not change the conversation, the tools or the routing, so everything not listed here is
 * dropped.
 */
const PARAMETERS = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'typical_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'repeat_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'reasoning',
  'reasoning_effort',
  'thinking',
  'verbosity',
  'parallel_tool_calls',
  'service_tier',
  'chat_template_kwargs',
  'cache_prompt',
  'keep_alive',
];

/** The body of a request, streamed. */
export function toBody(request: ModelRequest, baseUrl: string): Readonly<Record<string, unknown>> {
  const {model, tools, config} = request;
  const {temperature, topP, maxOutputTokens, answer, mustCall, thoughtLevel, own = {}} = config;
  // OpenAI's own models refuse the name that all others know.
  const limit = new URL(baseUrl).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
  return {
    ...Object.fromEntries(PARAMETERS.flatMap((name) => (Object.hasOwn(own, name) ? [[name, own[name]]] : []))),
    model,
    messages: toChatMessages(request),
    stream: true,
    stream_options: {include_usage: true},
    ...(temperature === undefined ? {} : {temperature}),
    ...(topP === undefined ? {} : {top_p: topP}),
    ...(thoughtLevel === undefined ? {} : {reasoning_effort: thoughtLevel}),
    ...(maxOutputTokens === undefined ? {} : {[limit]: maxOutputTokens}),
    ...(answer ? {response_format: {type: 'json_schema', json_schema: {name: 'answer', schema: answer}}} : {}),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({name, description, input}) => ({
            type: 'function',
            function: {name, description, parameters: input},
          })),
          ...(mustCall ? {tool_choice: 'required'} : {}),
        }),
  };
}
