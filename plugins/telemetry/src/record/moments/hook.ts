import {basename} from 'node:path';
import type {EndedHook} from '@gemini-kernel/plugin-hooks/contract';
import type {Recording} from '../recording.js';

export async function recordHook(recording: Recording, ended: EndedHook): Promise<void> {
  const {event, hook, ms, exitCode, output, isError, input, sentence} = ended;
  const {content, out} = recording.parts;
  const success = exitCode === 0;
  // A hook without a name goes by its command, which can have anything in it.
  const plain = basename(hook.trim().split(/\s/)[0] ?? '');
  out.meter.add('gemini_cli.hook_call.count', 1, {hook_event_name: event, hook_name: plain, success});
  out.meter.add('gemini_cli.hook_call.latency', ms, {hook_event_name: event});
  const printed = await content.text(output);
  const empty = printed === undefined ? undefined : '';
  recording.log('gemini_cli.hook_call', `A hook of ${event} has run.`, {
    hook_event_name: event,
    hook_name: (await content.text(hook)) ?? plain,
    success,
    duration_ms: Math.round(ms),
    exit_code: exitCode ?? undefined,
    hook_input: await content.json(input),
    hook_output: printed,
    stdout: isError ? empty : printed,
    stderr: isError ? printed : empty,
    error: sentence === undefined ? undefined : await content.text(sentence),
  });
}
