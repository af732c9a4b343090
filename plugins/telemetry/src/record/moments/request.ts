import type {EndedRequest} from '@gemini-kernel/plugin-agent/contract';
import {describeError, describeResponse, plainModel, spanOfRequest, tokensOf} from '../describe-request.js';
import type {Meter} from '../meter.js';
import type {Recording} from '../recording.js';
import type {SessionTrace} from '../session-trace.js';

/** One request to a model: the events of Gemini CLI, measurements and a span. */
export async function recordRequest(recording: Recording, ended: EndedRequest): Promise<void> {
  const {parts, trace} = recording;
  const {isBeside, failure, status} = ended;
  if (!isBeside) trace.turns += 1;
  const model = plainModel(ended.model);
  const error = status === 'answered' || status === 'cut' ? undefined : (failure?.kind ?? status);
  measure(parts.out.meter, ended, error);
  recording.log('gemini_cli.api_request', `A request to ${model}.`, {
    model,
    request_text: textOf(trace, ended),
  });
  if (error === undefined) recording.log('gemini_cli.api_response', `${model} answered.`, describeResponse(ended));
  else {
    const message = failure && (await parts.content.text(failure.message));
    const attributes = {...describeError(ended), error: message, error_message: message};
    recording.log('gemini_cli.api_error', `${model} gave no answer.`, attributes);
  }
  const heard = isBeside ? [] : trace.heard.splice(0);
  const span = {
    name: 'llm_call',
    kind: 'client' as const,
    began: ended.began,
    ended: ended.began + ended.ms,
    attributes: {...spanOfRequest(ended), 'gen_ai.input.messages': heard.length > 0 ? heard : undefined},
    ...(error === undefined ? {} : {error}),
  };
  if (isBeside) recording.span(span);
  else recording.hold(span);
}

function textOf({asked}: SessionTrace, {isBeside}: EndedRequest): string | undefined {
  return isBeside || asked.length === 0 ? undefined : `[${asked.join(',')}]`;
}

function measure(meter: Pick<Meter, 'add'>, ended: EndedRequest, error: string | undefined): void {
  const {ms, attempt, usage} = ended;
  const model = plainModel(ended.model);
  const named = {'gen_ai.request.model': model};
  const outcome = error === undefined ? {status_code: 200} : {error_type: error};
  meter.add('gemini_cli.api.request.count', 1, {model, ...outcome});
  meter.add('gemini_cli.api.request.latency', ms, {model});
  meter.add('gen_ai.client.operation.duration', ms / 1000, named);
  if (attempt > 1) meter.add('gemini_cli.network_retry.count', 1, {model, attempt});
  if (!usage) return;
  for (const [type, tokens] of Object.entries(tokensOf(usage)))
    if (tokens > 0) meter.add('gemini_cli.token.usage', tokens, {model, type});
  meter.add('gen_ai.client.token.usage', usage.input, {...named, 'gen_ai.token.type': 'input'});
  meter.add('gen_ai.client.token.usage', usage.output + usage.thoughts, {...named, 'gen_ai.token.type': 'output'});
}
