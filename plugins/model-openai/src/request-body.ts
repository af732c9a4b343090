import type {ModelRequest} from '@gemini-kernel/plugin-agent/contract';
import {toChatMessages} from './chat-messages.js';

/** The body of a request, streamed. */
export function toBody(request: ModelRequest, baseUrl: string): Readonly<Record<string, unknown>> {
  const {model, tools, config} = request;
  const {temperature, topP, maxOutputTokens, answer, own} = config;
  // OpenAI's own models refuse the name that all others know.
  const limit = new URL(baseUrl).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
  return {
    ...own,
    model,
    messages: toChatMessages(request),
    stream: true,
    stream_options: {include_usage: true},
    ...(temperature === undefined ? {} : {temperature}),
    ...(topP === undefined ? {} : {top_p: topP}),
    ...(maxOutputTokens === undefined ? {} : {[limit]: maxOutputTokens}),
    ...(answer ? {response_format: {type: 'json_schema', json_schema: {name: 'answer', schema: answer}}} : {}),
    ...(tools.length === 0 ? {} : {tools: tools.map(({name, description, input}) => ({type: 'function', function: {name, description, parameters: input}}))}),
  };
}
