import {memoryUsage} from 'node:process';
import type {EndedPrompt, Entry} from '@gemini-kernel/plugin-agent/contract';
import {describeContent} from '../describe-content.js';
import type {RunningPrompt} from '../session-trace.js';
import type {Recording} from '../recording.js';

export async function beginPrompt(recording: Recording, prompt: string): Promise<void> {
  const {parts, trace} = recording;
  const began = parts.now();
  trace.begin({began, text: await parts.messages.text(prompt)});
  if (trace.session.subagent !== undefined) return;
  recording.log('gemini_cli.user_prompt', `A prompt of ${prompt.length} characters.`, {
    prompt_length: prompt.length,
    prompt: await parts.content.text(prompt),
  });
}

/** Keeps the input of the model for the span of the next request, and gives the last one its answer. */
export async function hearEntry(recording: Recording, {id, kind, message}: Entry): Promise<void> {
  const {parts, trace} = recording;
  // The same entry is put again when its calls have ended.
  if (kind === 'note' || trace.last === id) return;
  trace.last = id;
  const text = await parts.messages.json(message);
  const said = await describeContent(message, parts.requests);
  if (said !== undefined) trace.asked = kind === 'model' ? [said] : [...trace.asked, said];
  if (kind === 'model') {
    trace.said = text;
    recording.release(text);
  } else if (text !== undefined) trace.heard.push(text);
}

export function endPrompt(recording: Recording, ended: EndedPrompt): void {
  recording.release();
  const {trace, parts} = recording;
  const {prompt} = trace;
  if (!prompt) return;
  const {meter} = parts.out;
  const {status, error} = ended;
  if (error !== undefined) meter.add('gemini_cli.exit.fail.count', 1, {error_code: error});
  if (status === 'loop') recording.log('gemini_cli.loop_detected', 'The model repeated itself.', {});
  if (trace.session.subagent === undefined) endConversation(recording, ended);
  else endAgent(recording, trace.session.subagent, ended);
  spanOfPrompt(recording, prompt, ended);
  trace.end();
  meter.add('gemini_cli.memory.usage', memoryUsage.rss(), {memory_type: 'rss'});
}

function endConversation(recording: Recording, {status, error, ms}: EndedPrompt): void {
  const {session, turns} = recording.trace;
  recording.log('gemini_cli.conversation_finished', `A prompt ended: ${status}.`, {
    approvalMode: session.mode,
    turnCount: turns,
    status,
    error_code: error,
    duration_ms: Math.round(ms),
  });
}

function endAgent(recording: Recording, name: string, {status, ms}: EndedPrompt): void {
  const {turns, session} = recording.trace;
  const {meter} = recording.parts.out;
  meter.add('gemini_cli.agent.run.count', 1, {agent_name: name, terminate_reason: status});
  meter.add('gemini_cli.agent.duration', ms, {agent_name: name});
  meter.add('gemini_cli.agent.turns', turns, {agent_name: name});
  recording.log('gemini_cli.agent.finish', `Agent ${name} has ended.`, {
    agent_id: session.id,
    duration_ms: Math.round(ms),
    turn_count: turns,
    terminate_reason: status,
  });
}

function spanOfPrompt(
  recording: Recording,
  {place, parentId, began, text}: RunningPrompt,
  {status, error}: EndedPrompt,
): void {
  const {parts, trace} = recording;
  const name = trace.session.subagent === undefined ? 'user_prompt' : 'agent_call';
  parts.out.span({
    ...place,
    ...(parentId === undefined ? {} : {parentId}),
    name,
    kind: 'internal',
    began,
    ended: parts.now(),
    attributes: {
      ...recording.common(name),
      'gen_ai.input.messages': text,
      'gen_ai.output.messages': trace.said,
    },
    ...(status === 'done' ? {} : {error: error ?? status}),
  });
  trace.said = undefined;
}
