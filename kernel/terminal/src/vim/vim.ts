import {placeCursor, rewrite, type Draft} from '../edit-text.js';
import type {Graphemes} from '../graphemes.js';
import type {Key} from '../keys.js';
import {actions, put} from './actions.js';
import {LastFind} from './last-find.js';
import {lineLast, lineStart, type Cells} from './cells.js';
import {motions} from './motions.js';
import {operate, rangeOf, type Outcome} from './operate.js';
import {readCommand, type Command} from './read-command.js';
import {Registers} from './registers.js';
import {findObject} from './text-objects.js';
import {overSelection, selectionOf} from './visual.js';

export type VimMode = 'insert' | 'normal' | 'visual' | 'visual line';

/** A prompt after a key; `command`: what the prompt is to do, by the names of its keys. */
export interface Pressed {
  readonly draft: Draft;
  readonly command?: string;
}

/** A change that `.` repeats, with what was typed after it. */
interface Change {
  readonly command: Command;
  readonly typed: Key[];
}

const NAMED: Readonly<Record<string, string>> = {
  left: 'h',
  backspace: 'h',
  right: 'l',
  up: 'k',
  down: 'j',
  home: '0',
  end: '$',
  delete: 'x',
};
/** Commands that stand for an operator with a motion. */
const SHORT: Readonly<Record<string, Command>> = {
  x: {operator: 'd', motion: 'l'},
  X: {operator: 'd', motion: 'h'},
  D: {operator: 'd', motion: '$'},
  C: {operator: 'c', motion: '$'},
  s: {operator: 'c', motion: 'l'},
  S: {operator: 'c', isLine: true},
  Y: {operator: 'y', isLine: true},
};
const MOST_TYPED = 10_000;
/** Keys of vim in a prompt. In insert mode the prompt handles all keys but Escape. */
export class Vim {
  #mode: VimMode = 'insert';
  #typed: readonly string[] = [];
  readonly #registers = new Registers();
  readonly #lastFind = new LastFind();
  #change: Change | undefined;
  /** The number of times that the typed text is inserted. */
  #repeat = 1;
  /** Where the selection began. */
  #anchor = 0;

  constructor(
    private readonly graphemes: Graphemes,
    /** What a key does in insert mode. */
    private readonly type: (draft: Draft, key: Key) => Draft,
  ) {}

  get mode(): VimMode {
    return this.#mode;
  }

  /** Begins in insert mode; registers and the last change stay. */
  reset(): void {
    this.#mode = 'insert';
    this.#typed = [];
    this.#repeat = 1;
  }

  /** The selected characters, from the first to the one after the last. */
  selected(draft: Draft): readonly [from: number, to: number] | undefined {
    if (this.#mode !== 'visual' && this.#mode !== 'visual line') return undefined;
    const {from, to} = selectionOf(this.#cells(draft), this.#anchor, this.#mode === 'visual line');
    return [from, to];
  }

  /** Uses a key, or one typed character; undefined: the prompt handles it. */
  press(key: Key, draft: Draft): Pressed | undefined {
    const after = afterEscape(key);
    if (after === undefined) return this.#mode === 'insert' ? this.#pressInInsert(key, draft) : this.#press(key, draft);
    const left = this.#mode === 'insert' ? this.#leaveInsert(draft) : this.#escape(draft).draft;
    return this.#read(after, left);
  }

  #press(key: Key, draft: Draft): Pressed | undefined {
    if (key.kind === 'paste') return undefined;
    if (key.kind === 'key') {
      if (key.name === 'escape') return this.#escape(draft);
      if (key.name === 'ctrl+r') return {draft, command: 'redo'};
    }
    const typed = key.kind === 'key' ? NAMED[key.name] : key.text;
    return typed === undefined ? undefined : this.#read(typed, draft);
  }

  #pressInInsert(key: Key, draft: Draft): Pressed | undefined {
    if (key.kind === 'key' && key.name === 'escape') return {draft: this.#leaveInsert(draft)};
    if (this.#change && this.#change.typed.length < MOST_TYPED) this.#change.typed.push(key);
    return undefined;
  }

  #leaveInsert(draft: Draft): Draft {
    let last = draft;
    for (let left = this.#repeat - 1; left > 0; left -= 1)
      for (const key of this.#change?.typed ?? []) last = this.type(last, key);
    this.#mode = 'normal';
    this.#repeat = 1;
    const {cells, at} = this.#cells(last);
    return this.#place(last, {cells, at: Math.max(lineStart(cells, at), at - 1)});
  }

  #escape(draft: Draft): Pressed {
    const isIdle = this.#mode === 'normal' && this.#typed.length === 0;
    this.#typed = [];
    this.#mode = 'normal';
    return isIdle ? {draft, command: 'escape'} : {draft: this.#place(draft, this.#cells(draft))};
  }

  #read(cell: string, draft: Draft): Pressed {
    this.#typed = [...this.#typed, cell];
    const isVisual = this.#mode !== 'normal';
    const command = readCommand(this.#typed, isVisual);
    if (command === 'more') return {draft};
    this.#typed = [];
    if (command === 'unknown') return {draft};
    return isVisual ? this.#runVisual(command, draft) : this.#run(command, draft);
  }

  #run(said: Command, draft: Draft): Pressed {
    const {action} = said;
    if (action === 'u') return {draft, command: 'undo'};
    if (action === 'v' || action === 'V') return this.#select(action, draft);
    if (action === '.') return {draft: this.#again(draft, said.count)};
    const text = this.#cells(draft);
    const command = this.#lastFind.resolve({...said, ...SHORT[action ?? '']});
    if (command.motion !== undefined && command.operator === undefined) return this.#move(command, text, draft);
    const isChange = command.operator !== 'y';
    if (isChange) this.#change = {command, typed: []};
    return {draft: this.#settle(draft, this.#perform(command, text), command)};
  }

  #move(command: Command, text: Cells, draft: Draft): Pressed {
    const {motion = ''} = command;
    const reach = motions.get(motion)?.(text, command);
    if (reach) return {draft: this.#place(draft, {...text, at: reach.to})};
    // Beyond the first and the last line are other prompts.
    return motion === 'j' || motion === 'k' ? {draft, command: motion === 'j' ? 'down' : 'up'} : {draft};
  }

  /** A text after an operator or an action; undefined if there is nothing to do. */
  #perform(command: Command, text: Cells): Outcome | undefined {
    const {operator, action = '', count = 1, argument = '', register} = command;
    if (operator !== undefined) return this.#operate(operator, command, text);
    if (action !== 'p' && action !== 'P') return actions.get(action)?.(text, count, argument);
    const cut = this.#registers.get(register);
    return cut && put(text, cut, {count, isBefore: action === 'P'});
  }

  #operate(operator: string, command: Command, text: Cells): Outcome | undefined {
    // On an empty line, `c` inserts.
    const isEmpty = operator === 'c' && ['\n', undefined].includes(text.cells[text.at]);
    const range = rangeOf(text, command) ?? (isEmpty ? {from: text.at, to: text.at, isLine: false} : undefined);
    if (!range) return undefined;
    this.#registers.keep(text.cells, range, operator, command.register);
    return operate(operator, text, range);
  }

  #settle(draft: Draft, outcome: Outcome | undefined, {count = 1, action}: Command = {}): Draft {
    if (!outcome) return draft;
    this.#mode = outcome.isInsert === true ? 'insert' : 'normal';
    this.#repeat = outcome.isInsert === true && action !== undefined ? count : 1;
    return this.#place(draft, outcome);
  }

  /** Does the last change once more. */
  #again(draft: Draft, count: number | undefined): Draft {
    const change = this.#change;
    if (!change) return draft;
    const command = count === undefined ? change.command : {...change.command, count};
    let next = this.#settle(draft, this.#perform(command, this.#cells(draft)), command);
    if (this.mode !== 'insert') return next;
    for (const key of change.typed) next = this.type(next, key);
    return this.#leaveInsert(next);
  }

  #select(action: 'v' | 'V', draft: Draft): Pressed {
    this.#mode = action === 'v' ? 'visual' : 'visual line';
    this.#anchor = this.#cells(draft).at;
    return {draft};
  }

  #runVisual(said: Command, draft: Draft): Pressed {
    const text = this.#cells(draft);
    const command = this.#lastFind.resolve(said);
    const {motion, object, action} = command;
    if (object) {
      const range = findObject(text, object.name, object.isAround);
      if (!range) return {draft};
      this.#anchor = range.from;
      return {draft: this.#place(draft, {...text, at: Math.max(range.from, range.to - 1)})};
    }
    if (motion !== undefined) {
      const reach = motions.get(motion)?.(text, command);
      return {draft: reach ? this.#place(draft, {...text, at: reach.to}) : draft};
    }
    if (action === 'v' || action === 'V' || action === 'o') return {draft: this.#changeSelection(action, draft, text)};
    const selection = selectionOf(text, this.#anchor, this.#mode === 'visual line');
    const done = overSelection(text, selection, command, this.#registers);
    if (done?.repeats) this.#change = {command: done.repeats, typed: []};
    return {draft: this.#settle(draft, done?.outcome)};
  }

  #changeSelection(action: 'v' | 'V' | 'o', draft: Draft, text: Cells): Draft {
    if (action === 'o') {
      const at = this.#anchor;
      this.#anchor = text.at;
      return this.#place(draft, {...text, at});
    }
    const mode = action === 'v' ? 'visual' : 'visual line';
    this.#mode = this.#mode === mode ? 'normal' : mode;
    return this.#place(draft, text);
  }

  #cells({text, cursor}: Draft): Cells {
    return {cells: this.graphemes.split(text), at: this.graphemes.split(text.slice(0, cursor)).length};
  }

  /** The draft with another text or cursor. Outside of insert mode, the cursor stands on a character. */
  #place(draft: Draft, {cells, at}: Cells): Draft {
    const inside = this.#mode === 'insert' ? Math.min(at, cells.length) : Math.min(at, lineLast(cells, at));
    const text = cells.join('');
    const cursor = cells.slice(0, inside).join('').length;
    return text === draft.text ? placeCursor(draft, cursor) : rewrite(draft, text, cursor);
  }
}

/** The character that followed Escape so soon that terminals send the two as Alt. */
function afterEscape(key: Key): string | undefined {
  return key.kind === 'key' ? /^alt\+(.)$/u.exec(key.name)?.[1] : undefined;
}
