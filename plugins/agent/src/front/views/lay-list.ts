import {
  fitWidth,
  layoutInput,
  safeLine,
  widthOf,
  type InputView,
  type Layout,
  type Style,
} from '@gemini-kernel/terminal';
import type {ViewDescription} from '../../views.js';
import {listRows} from './list-rows.js';
import type {ListState} from './list-state.js';
import {paintPieces, wrapPieces} from './pieces.js';
import type {BodyParts, TextBody} from './text-body.js';

/** Where the preview of the marked item is. */
export type PreviewPlace = 'beside' | 'below' | 'instead';

/** A list as it is to be drawn. */
export interface ListFrame {
  readonly description: ViewDescription;
  readonly state: ListState;
  readonly place: PreviewPlace;
  readonly isReading: boolean;
  readonly body: TextBody | undefined;
  /** The first shown row of the preview. */
  readonly top: number;
  /** Says which row is the first one, once the size is known. */
  onTop(top: number): void;
  readonly note: string;
  /** What is asked on the last rows: a line to type, or a question for one key. */
  readonly asked: InputView | string | undefined;
}

interface FrameParts extends BodyParts {
  readonly columns: number;
  readonly rows: number;
}

const LEAST_BESIDE = 100;
const LEAST_BELOW = 20;
const MOST_SAID = 4;
const BETWEEN = ' │ ';

export function previewPlace(columns: number, rows: number): PreviewPlace {
  return columns >= LEAST_BESIDE ? 'beside' : rows >= LEAST_BELOW ? 'below' : 'instead';
}

/** A title, the list with the preview of the marked item, and a row of keys or what is asked. */
export function layList(frame: ListFrame, parts: FrameParts): Layout {
  const {columns, rows, graphemes, look} = parts;
  const typed = typeof frame.asked === 'object' ? layoutInput(frame.asked, columns, 1) : undefined;
  const question = typeof frame.asked === 'string' ? sentenceRows(frame.asked, 'warn', parts) : undefined;
  const said = frame.note === '' ? keyRows(keysOf(frame), parts) : sentenceRows(frame.note, 'dim', parts);
  const below = typed?.rows ?? question ?? said;
  const room = Math.max(1, rows - 1 - below.length);
  const body = bodyRows(frame, parts, room);
  const blank = Array.from({length: Math.max(0, room - body.length)}, () => '');
  const title = look.paint('strong', fitWidth(titleOf(frame), columns, graphemes));
  const all = [title, ...body.slice(0, room), ...blank, ...below].slice(-rows);
  return {rows: all, row: all.length - 1, column: typed?.column ?? 0};
}

function sentenceRows(text: string, style: Style, {columns, graphemes, look}: FrameParts): readonly string[] {
  const rows = wrapPieces([{text: safeLine(text), style}], {columns, graphemes, byWords: true});
  return rows.slice(0, MOST_SAID).map((row) => paintPieces(row, look.paint));
}

/** At most two rows. */
function keyRows(keys: readonly string[], {columns, graphemes, look}: FrameParts): readonly string[] {
  const rows = [''];
  for (const key of keys) {
    const last = rows.at(-1) ?? '';
    const longer = last === '' ? key : `${last} · ${key}`;
    if (last !== '' && rows.length === 1 && widthOf(longer) > columns) rows.push(key);
    else rows[rows.length - 1] = longer;
  }
  return rows.map((row) => look.paint('dim', fitWidth(row, columns, graphemes)));
}

function bodyRows(frame: ListFrame, parts: FrameParts, room: number): readonly string[] {
  const {columns, look} = parts;
  if (frame.place === 'instead')
    return frame.isReading ? preview(frame, parts, columns, room) : list(frame, parts, columns, room);
  if (frame.place === 'below') {
    const above = list(frame, parts, columns, frame.isReading ? Math.floor(room / 4) : Math.floor(room / 2));
    const read = preview(frame, parts, columns, Math.max(1, room - above.length - 1));
    return [...above, look.paint('dim', '─'.repeat(columns)), ...read];
  }
  const left = Math.floor((columns - BETWEEN.length) * (frame.isReading ? 0.3 : 0.45));
  const [listed, read] = [list(frame, parts, left, room), preview(frame, parts, columns - left - BETWEEN.length, room)];
  return Array.from({length: room}, (_, index) => {
    const line = listed[index] ?? '';
    return `${line}${' '.repeat(Math.max(0, left - widthOf(line)))}${look.paint('dim', BETWEEN)}${read[index] ?? ''}`;
  });
}

function list({state, description}: ListFrame, parts: FrameParts, columns: number, most: number): readonly string[] {
  const {look, graphemes} = parts;
  if (state.items.length > 0) return listRows(state, most, {columns, paint: look.paint, graphemes});
  const text = state.isLoading ? '…' : state.text === '' ? description.empty : 'Nothing matches.';
  return [look.paint('dim', fitWidth(`  ${safeLine(text)}`, columns, graphemes))];
}

function preview(
  {body, top, state, onTop}: ListFrame,
  parts: FrameParts,
  columns: number,
  most: number,
): readonly string[] {
  if (!body) return state.item ? [parts.look.paint('dim', '…')] : [];
  const all = body.rows(columns);
  const first = Math.max(0, Math.min(top, all.length - most));
  onTop(first);
  const shown = all.slice(first, first + most);
  const left = all.length - first - shown.length;
  if (left === 0) return shown;
  const more = fitWidth(`… ${left + 1} more lines: Tab`, columns, parts.graphemes);
  return [...shown.slice(0, -1), parts.look.paint('dim', more)];
}

function titleOf({description, state}: ListFrame): string {
  const place = state.items.length === 0 ? '' : ` (${state.marked + 1}/${state.items.length})`;
  const order = state.sort === undefined ? '' : ` · by ${state.sort}${state.isReversed ? ', reversed' : ''}`;
  const search = state.text === '' ? '' : ` · search: ${safeLine(state.text)}`;
  return `${safeLine(description.title)}${place}${order}${search}`;
}

/** What keys do. */
function keysOf({description, isReading, state}: ListFrame): readonly string[] {
  if (isReading) return ['Up, Down scroll', 'Tab back to the list'];
  const [first, ...others] = state.items.length === 0 ? [] : description.actions;
  return [
    ...(first ? [`Enter ${first.label}`] : []),
    ...others.map(({key, label}) => `${key} ${label}`),
    'Esc close',
    'Tab read',
    '/ search',
    ...(description.sorts.length > 1 ? ['s sort', 'r reverse'] : []),
  ];
}
