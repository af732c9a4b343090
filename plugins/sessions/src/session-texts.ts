import type {Entry, Piece} from '@gemini-kernel/plugin-agent/contract';
import type {SessionSummary} from './contract.js';
import {entryToLine} from './entry-to-line.js';
import type {Loose} from './records.js';

const MOST_TITLE = 100;

/** The age of a time, for lists. */
export function sinceThen(time: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(time)) / 60_000);
  const [count, unit] =
    minutes >= 1440
      ? [Math.floor(minutes / 1440), 'day']
      : minutes >= 60
        ? [Math.floor(minutes / 60), 'hour']
        : [minutes, 'minute'];
  return minutes < 1 ? 'Just now' : `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** A text, shortened to fit one line of a list. */
export function shorten(text: string, most = MOST_TITLE): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 3)}...` : line;
}

/** A session's line in the list. */
export function listLine({number, title, updated, isCurrent, id}: SessionSummary, now: number): string {
  return `  ${number}. ${shorten(title)} (${sinceThen(updated, now)}${isCurrent ? ', current' : ''}) [${id}]`;
}

/** The text of an entry for a person: a prompt or an answer. */
export function textOfEntry({message, shown}: Entry): string {
  return shown ?? message.pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('');
}

/** Whether an entry is a prompt. */
export function isPrompt({kind, origin}: Entry): boolean {
  return kind === 'user' && (origin === undefined || origin === 'person');
}

/** A conversation as Markdown. */
export function toMarkdown(entries: readonly Entry[]): string {
  return entries
    .flatMap((entry) => {
      if (entry.kind === 'note') return [`> ${textOfEntry(entry).replaceAll('\n', '\n> ')}`];
      if (entry.kind === 'user') return isPrompt(entry) ? [`## USER 🧑‍💻\n\n${textOfEntry(entry)}`] : [];
      const texts = [textOfEntry(entry), ...entry.message.pieces.flatMap((piece) => callText(piece, entry))];
      return [`## MODEL ✨\n\n${texts.filter((text) => text !== '').join('\n\n')}`];
    })
    .map((text) => `${text.trimEnd()}\n`)
    .join('\n');
}

function callText(piece: Piece, {calls = []}: Entry): readonly string[] {
  if (piece.kind !== 'call') return [];
  const record = calls.find(({id}) => id === piece.id);
  const outcome = record ? record.status : 'no result';
  const input = JSON.stringify(piece.input, null, 2) ?? '';
  const output =
    record?.display ?? record?.output.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') ?? '';
  return [
    `**${piece.name}** (${outcome})\n\n${fence(input, 'json')}${output === '' ? '' : `\n\n${fence(output, '')}`}`,
  ];
}

/** A fence that is longer than any in the text. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({length}) => length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

/** A conversation to start from again: one object, the older session format, which every release reads. */
export function toJson(metadata: Loose, entries: readonly Entry[]): string {
  const {kernel: _, ...rest} = metadata;
  return `${JSON.stringify({...rest, messages: entries.map(entryToLine)}, null, 2)}\n`;
}
