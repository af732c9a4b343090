import type {Graphemes} from './graphemes.js';

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

/** A text being edited. A long paste is one character in it, from `FIRST_PASTE` on; its content is in `pastes`. */
export interface Draft extends Snapshot {
  readonly pastes: readonly string[];
  /** Cut texts, the newest first. */
  readonly kills: readonly string[];
  readonly past: readonly Snapshot[];
  readonly future: readonly Snapshot[];
  /** The last key, where the next one depends on it. */
  readonly last?: 'type' | 'kill' | 'move' | {readonly yanked: number; readonly index: number};
  /** The column that Up and Down return to. */
  readonly column?: number;
}

export type Edit = (draft: Draft, graphemes: Graphemes) => Draft;

const FIRST_PASTE = 0xf0000;
const LONG_PASTE = {lines: 10, characters: 1000};
const MOST_UNDO = 500;
const MOST_KILLS = 20;

export const emptyDraft: Draft = {text: '', cursor: 0, pastes: [], kills: [], past: [], future: []};

/** A draft with `text`, earlier cuts and the undo history. */
export function startFrom(draft: Draft, text: string): Draft {
  return {...change(draft, {text, cursor: text.length}), kills: draft.kills};
}

/** The whole text, including pastes. */
export function textOf({text, pastes}: Pick<Draft, 'text' | 'pastes'>): string {
  return text.replace(/[\u{f0000}-\u{fffff}]/gu, (mark) => pastes[(mark.codePointAt(0) ?? 0) - FIRST_PASTE] ?? '');
}

/** The text shown for a paste, or undefined for any other character. */
export function namePaste(mark: string, pastes: readonly string[]): string | undefined {
  const content = pastes[(mark.codePointAt(0) ?? 0) - FIRST_PASTE];
  if (content === undefined) return undefined;
  const lines = content.replace(/\n$/, '').split('\n').length;
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${content.length} characters]`;
}

function change(draft: Draft, {text, cursor}: Snapshot): Draft {
  const past = [...draft.past, {text: draft.text, cursor: draft.cursor}].slice(-MOST_UNDO);
  return {text, cursor, past, future: [], pastes: draft.pastes, kills: draft.kills};
}

/** The draft with another text, as one change. */
export function rewrite(draft: Draft, text: string, cursor: number): Draft {
  return change(draft, {text, cursor});
}

/** Inserts typed text; a run of letters is undone at once. */
export function type(draft: Draft, typed: string): Draft {
  const next = splice(draft, draft.cursor, draft.cursor, typed);
  const goesOn = draft.last === 'type' && !/^\s/.test(typed);
  return {...next, past: goesOn ? draft.past : next.past, last: 'type'};
}

/** Inserts a paste with uniform line ends. A long one becomes one character. */
export function paste(draft: Draft, pasted: string): Draft {
  // Only we create the characters that mark a paste.
  const content = pasted.replace(/\r\n?/g, '\n').replace(/[\u{f0000}-\u{10ffff}]/gu, '');
  const isLong = content.split('\n').length > LONG_PASTE.lines || content.length > LONG_PASTE.characters;
  if (!isLong) return splice(draft, draft.cursor, draft.cursor, content);
  const next = splice(draft, draft.cursor, draft.cursor, String.fromCodePoint(FIRST_PASTE + draft.pastes.length));
  return {...next, pastes: [...draft.pastes, content]};
}

/** Replaces the text between two positions with `inserted`. */
export function splice(draft: Draft, from: number, to: number, inserted: string): Draft {
  if (from === to && inserted === '') return {...draft, last: 'move'};
  return change(draft, {
    text: draft.text.slice(0, from) + inserted + draft.text.slice(to),
    cursor: from + inserted.length,
  });
}

/** The draft with its cursor elsewhere. */
export function placeCursor(draft: Draft, cursor: number): Draft {
  const {column: _, ...rest} = draft;
  return {...rest, cursor, last: 'move'};
}

function kill(draft: Draft, from: number, to: number): Draft {
  if (from === to) return {...draft, last: 'move'};
  const cut = draft.text.slice(from, to);
  const [newest = '', ...older] = draft.kills;
  const joined = from < draft.cursor ? cut + newest : newest + cut;
  const kills = draft.last === 'kill' ? [joined, ...older] : [cut, ...draft.kills];
  return {...splice(draft, from, to, ''), kills: kills.slice(0, MOST_KILLS), last: 'kill'};
}

const lineStart = ({text, cursor}: Snapshot): number => (cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1);
const lineEnd = ({text, cursor}: Snapshot): number =>
  text.indexOf('\n', cursor) < 0 ? text.length : text.indexOf('\n', cursor);

function wordBefore({text, cursor}: Snapshot, word = /[\p{L}\p{N}\p{M}_]+[^\p{L}\p{N}\p{M}_]*$/u): number {
  return word.exec(text.slice(0, cursor))?.index ?? 0;
}

function wordAfter({text, cursor}: Snapshot): number {
  return cursor + (/^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
}

/** One line up or down in the text; undefined at its end. */
export function moveLine(draft: Draft, graphemes: Graphemes, by: -1 | 1): Draft | undefined {
  const start = lineStart(draft);
  const column = draft.column ?? graphemes.split(draft.text.slice(start, draft.cursor)).length;
  const target = by < 0 ? start - 1 : lineEnd(draft) + 1;
  if (target < 0 || target > draft.text.length) return undefined;
  const [from, to] =
    by < 0
      ? [lineStart({text: draft.text, cursor: target}), target]
      : [target, lineEnd({text: draft.text, cursor: target})];
  const cursor = from + graphemes.split(draft.text.slice(from, to)).slice(0, column).join('').length;
  return {...draft, cursor, column, last: 'move'};
}

function swap(draft: Draft, graphemes: Graphemes): Draft {
  const middle = draft.cursor === draft.text.length ? graphemes.before(draft.text, draft.cursor) : draft.cursor;
  const [from, to] = [graphemes.before(draft.text, middle), graphemes.after(draft.text, middle)];
  if (from === middle) return draft;
  return splice(draft, from, to, draft.text.slice(middle, to) + draft.text.slice(from, middle));
}

function step(draft: Draft, from: readonly Snapshot[], isUndo: boolean): Draft {
  const snapshot = from.at(-1);
  if (!snapshot) return draft;
  const now = {text: draft.text, cursor: draft.cursor};
  const [past, future] = isUndo
    ? [draft.past.slice(0, -1), [...draft.future, now]]
    : [[...draft.past, now], draft.future.slice(0, -1)];
  return {...snapshot, past, future, pastes: draft.pastes, kills: draft.kills};
}

function yank(draft: Draft, index: number, from = draft.cursor): Draft {
  const cut = draft.kills[index];
  return cut === undefined ? draft : {...splice(draft, from, draft.cursor, cut), last: {yanked: from, index}};
}

function yankOlder(draft: Draft): Draft {
  if (typeof draft.last !== 'object') return draft;
  return yank(draft, (draft.last.index + 1) % draft.kills.length, draft.last.yanked);
}

/** The function of each editing key. */
export const edits: Readonly<Record<string, Edit>> = {
  left: (draft, graphemes) => placeCursor(draft, graphemes.before(draft.text, draft.cursor)),
  right: (draft, graphemes) => placeCursor(draft, graphemes.after(draft.text, draft.cursor)),
  'word-left': (draft) => placeCursor(draft, wordBefore(draft)),
  'word-right': (draft) => placeCursor(draft, wordAfter(draft)),
  'line-start': (draft) => placeCursor(draft, lineStart(draft)),
  'line-end': (draft) => placeCursor(draft, lineEnd(draft)),
  'text-start': (draft) => placeCursor(draft, 0),
  'text-end': (draft) => placeCursor(draft, draft.text.length),
  newline: (draft) => splice(draft, draft.cursor, draft.cursor, '\n'),
  'delete-left': (draft, graphemes) => splice(draft, graphemes.before(draft.text, draft.cursor), draft.cursor, ''),
  'delete-right': (draft, graphemes) => splice(draft, draft.cursor, graphemes.after(draft.text, draft.cursor), ''),
  'kill-line': (draft) =>
    kill(
      draft,
      draft.cursor,
      lineEnd(draft) === draft.cursor ? Math.min(draft.cursor + 1, draft.text.length) : lineEnd(draft),
    ),
  'kill-line-left': (draft) =>
    kill(draft, lineStart(draft) === draft.cursor ? Math.max(0, draft.cursor - 1) : lineStart(draft), draft.cursor),
  'kill-word': (draft) => kill(draft, draft.cursor, wordAfter(draft)),
  'kill-word-left': (draft) => kill(draft, wordBefore(draft), draft.cursor),
  'kill-blank-left': (draft) => kill(draft, wordBefore(draft, /\S+\s*$/u), draft.cursor),
  yank: (draft) => yank(draft, 0),
  'yank-older': yankOlder,
  swap,
  undo: (draft) => step(draft, draft.past, true),
  redo: (draft) => step(draft, draft.future, false),
};
