import type {EndedCall} from '@gemini-kernel/kernel';
import type {Happened} from '../../contract.js';
import {describeCall, describeFile} from '../describe-call.js';
import type {Recording} from '../recording.js';

/** One call of a tool: the events of Gemini CLI, measurements and a span. */
export async function recordCall(recording: Recording, ended: EndedCall): Promise<void> {
  recording.release();
  const {parts, trace} = recording;
  const {meter} = parts.out;
  const {id, tool, ms, began, status, reason} = ended;
  const described = describeCall(ended);
  const place = trace.placeOf(id);
  meter.add('gemini_cli.tool.call.count', 1, described);
  meter.add('gemini_cli.tool.call.latency', ms, {function_name: tool});
  recording.log('gemini_cli.tool_call', `${tool}: ${status}.`, {
    ...described,
    function_args: await parts.content.json(ended.call?.input ?? ended.given),
    duration_ms: Math.round(ms),
    start_time: Math.round(began),
    end_time: Math.round(began + ms),
    ...(status === 'done' ? {} : {error_type: status, error: reason && (await parts.content.text(reason))}),
  });
  recordFile(recording, ended);
  recording.span({
    name: 'tool_call',
    kind: 'internal',
    ...(place === undefined ? {} : {spanId: place.spanId}),
    began,
    ended: began + ms,
    attributes: {'gen_ai.tool.name': tool, 'gen_ai.tool.call_id': id, 'gemini.decision': described['decision']},
    ...(status === 'done' ? {} : {error: status}),
  });
}

function recordFile(recording: Recording, ended: EndedCall): void {
  const file = describeFile(ended);
  if (!file) return;
  const {operation, extension} = file;
  recording.parts.out.meter.add('gemini_cli.file.operation.count', 1, {operation, extension});
  recording.log('gemini_cli.file_operation', `A file: ${operation}.`, {tool_name: ended.tool, operation, extension});
}

export function recordLines(
  {parts}: Recording,
  {tool, added, removed}: Extract<Happened, {readonly kind: 'lines'}>,
): void {
  const {meter} = parts.out;
  if (added > 0) meter.add('gemini_cli.lines.changed', added, {function_name: tool, type: 'added'});
  if (removed > 0) meter.add('gemini_cli.lines.changed', removed, {function_name: tool, type: 'removed'});
}
