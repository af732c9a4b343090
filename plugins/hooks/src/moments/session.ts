import {basename} from 'node:path';
import type {ToolCall} from '@gemini-kernel/kernel';
import type {SessionChoice} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {HookSession} from '../hook-session.js';
import {describeCall} from './before-tool.js';

/** Runs SessionStart; what it adds for the model waits for the first prompt. */
export async function begin(hooks: HookSession, signal: AbortSignal): Promise<void> {
  const isNew = (await findChoice(hooks))?.kind === 'new';
  const source = isNew ? 'clear' : (await isResumed(hooks)) ? 'resume' : 'startup';
  const {context = ''} = await hooks.fire('SessionStart', {subject: source, input: {source}, signal});
  hooks.state.startContext = context;
}

/** Why this session begins or ends in a conversation that continues; undefined when the conversation does too. */
async function findChoice({context}: HookSession): Promise<SessionChoice | undefined> {
  const {names, service, session} = context;
  if (names('conversations').length === 0) return undefined;
  return (await service('conversations')).choice(session.id);
}

/** Whether this conversation was recorded before. */
async function isResumed({context}: HookSession): Promise<boolean> {
  const {names, service, session} = context;
  if (names('sessions').length === 0) return false;
  const {sessions} = await (await service('sessions')).list();
  return sessions.some(({id}) => id === session.id);
}

export async function end(hooks: HookSession, signal: AbortSignal): Promise<void> {
  const choice = await findChoice(hooks);
  const reason = choice ? (choice.kind === 'new' ? 'clear' : 'other') : 'exit';
  await hooks.fire('SessionEnd', {subject: reason, input: {reason}, signal});
}

/** Tells hooks that a person is asked about a call. */
export async function notify(
  hooks: HookSession,
  {call, reason, signal}: {readonly call: ToolCall; readonly reason: string; readonly signal: AbortSignal},
): Promise<void> {
  const {tool_name: name, ...rest} = describeCall(call, call.input);
  const type = 'ToolPermission';
  await hooks.fire('Notification', {
    subject: type,
    input: {
      notification_type: type,
      message: `${String(name)} needs your approval.`,
      details: {...detailsOf(call), title: reason, tool_name: name, ...rest},
    },
    signal,
  });
}

/** What is asked about, in the names of Gemini CLI. */
function detailsOf({tool, server, touches}: ToolCall): Readonly<Record<string, unknown>> {
  const valuesOf = (kind: string, access: string): readonly string[] =>
    touches.filter((one) => one.kind === kind && one.access === access).map(({value}) => value);
  const [command] = valuesOf('command', 'run');
  const [file] = valuesOf('path', 'write');
  if (server !== undefined) return {type: 'mcp', serverName: server, toolName: tool};
  if (command !== undefined) return {type: 'exec', command};
  if (file !== undefined) return {type: 'edit', fileName: basename(file), filePath: file};
  return {type: 'info', urls: touches.filter(({kind}) => kind === 'url').map(({value}) => value)};
}

export async function beforeCompress(hooks: HookSession, isAsked: boolean, signal: AbortSignal): Promise<void> {
  const trigger = isAsked ? 'manual' : 'auto';
  await hooks.fire('PreCompress', {subject: trigger, input: {trigger}, signal});
}
