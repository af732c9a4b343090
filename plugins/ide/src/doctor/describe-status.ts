import {basename} from 'node:path';
import type {Style} from '@gemini-kernel/command';
import type {IdeStatus, OpenFile} from '../contract.js';

type Paint = (style: Style, text: string) => string;

/**
 * The state of the connection as lines for a person: the editor and its state, or why there is no connection and what
 * to do next. A connection attempt continues only in a conversation.
 */
export function describeStatus(status: IdeStatus, paint: Paint, isLive: boolean): readonly string[] {
  const {state, fault} = status;
  if (state === 'connected') return describeConnected(status, paint);
  if (state === 'connecting' && !isLive)
    return [
      `${paint('bad', 'Not connected')}: the editor did not answer in time.`,
      paint('dim', 'Run gemini ide doctor to see where it fails. If the editor hangs, restart it.'),
    ];
  if (state === 'connecting')
    return [`${paint('warn', 'Connecting …')} It continues in the background; run the command again in a moment.`];
  const word = state === 'disabled' ? paint('warn', 'Off') : paint('bad', 'Disconnected');
  return [
    `${word}: ${fault?.message ?? 'no connection was requested yet.'}`,
    ...(fault ? [paint('dim', fault.hint)] : []),
  ];
}

function describeConnected(
  {editor, server, fault, isTrusted, openFiles, canDiff}: IdeStatus,
  paint: Paint,
): readonly string[] {
  const line = (name: string, text: string): string => `${paint('dim', name.padEnd(10))}  ${text}`;
  const {info, roots = [], overlap} = editor ?? {};
  const distrust = 'The editor does not trust its folders, so gemini does not trust them either.';
  const trust = isTrusted ? 'The editor trusts its folders.' : paint('warn', distrust);
  return [
    `${paint('good', 'Connected')} to ` +
      `${paint('strong', info?.displayName ?? 'the editor')}${server ? paint('dim', ` (${server})`) : ''}.`,
    line('Folders', roots.join(', ') || 'The editor does not list them.'),
    ...(overlap === 'holds-root'
      ? [line('', 'gemini was started in a folder above them, so it can reach more than the editor shows.')]
      : []),
    line('Open files', describeFiles(openFiles)),
    ...(isTrusted === undefined ? [] : [line('Trust', trust)]),
    line('Changes', canDiff ? 'are shown in the editor.' : 'are not shown in the editor.'),
    ...(fault ? [`${paint('warn', fault.message)}`, paint('dim', fault.hint)] : []),
  ];
}

function describeFiles(files: readonly OpenFile[]): string {
  return files.length === 0 ? 'None.' : files.map(describeFile).join(', ');
}

function describeFile({path, isActive, cursor, selectedText}: OpenFile): string {
  const notes = [
    ...(isActive ? ['active'] : []),
    ...(cursor ? [`line ${cursor.line}`] : []),
    ...(selectedText ? [`${selectedText.length} characters selected`] : []),
  ];
  return `${basename(path)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
