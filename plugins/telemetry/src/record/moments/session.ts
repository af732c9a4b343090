import type {Recording} from '../recording.js';

export function openSession(recording: Recording): void {
  const {parts, trace} = recording;
  const {subagent, mode} = trace.session;
  if (subagent !== undefined) return recording.log('gemini_cli.agent.start', `Agent ${subagent} has started.`, {});
  parts.out.meter.add('gemini_cli.session.count', 1, {});
  recording.log('gemini_cli.config', 'A session has begun.', {...parts.config, approval_mode: mode});
}

export function changeMode(recording: Recording, mode: string): void {
  const {trace} = recording;
  const attributes = {from_mode: trace.mode, to_mode: mode};
  trace.mode = mode;
  recording.log('gemini_cli.plan.approval_mode_switch', `The mode is ${mode} now.`, attributes);
}

export function recordSummary(recording: Recording, entries: number): void {
  recording.parts.out.meter.add('gemini_cli.chat_compression', 1, {});
  const body = 'The older part of the conversation was summarised.';
  recording.log('gemini_cli.chat_compression', body, {entries_after: entries});
}
