/** One key, or a piece of text, as the terminal sent it. Names list their modifiers in the order `ctrl+alt+shift+`. */
export type Key =
  {readonly kind: 'key'; readonly name: string} | {readonly kind: 'text' | 'paste'; readonly text: string};

/** What the terminal says about itself: the row of its cursor, counted from 1, or whether its window has the focus. */
export type TerminalState =
  {readonly kind: 'position'; readonly row: number} | {readonly kind: 'focus'; readonly isFocused: boolean};

export type Input = Key | TerminalState;

const ESCAPE = '\u001b';
const PASTE_START = `${ESCAPE}[200~`;
const PASTE_END = `${ESCAPE}[201~`;
const finals: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
  M: 'enter',
};
const numbered: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};
const named: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
  57_414: 'enter',
};

/** The buttons of a mouse that are keys. */
const WHEEL: Readonly<Record<string, string>> = {'<64': 'wheelup', '<65': 'wheeldown'};

interface Taken {
  /** Absent: the terminal sent something that is not a key. */
  readonly key?: Input;
  readonly length: number;
}

/** Converts terminal input to keys, however it is split into chunks. Ignores sequences that are not keys. */
export class KeyDecoder {
  #pending = '';
  #isPasting = false;

  /** Whether an Escape is pending: the key itself, or the start of a longer sequence. */
  get isWaiting(): boolean {
    return this.#pending !== '' && !this.#isPasting;
  }

  push(chunk: string): readonly Input[] {
    const keys: Input[] = [];
    let from = Math.max(0, this.#pending.length - PASTE_END.length);
    this.#pending += chunk;
    while (this.#pending !== '') {
      if (this.#isPasting) {
        const end = this.#pending.indexOf(PASTE_END, from);
        if (end < 0) break;
        keys.push({kind: 'paste', text: this.#pending.slice(0, end)});
        this.#isPasting = false;
        this.#drop(end + PASTE_END.length);
      } else if (this.#pending.startsWith(PASTE_START)) {
        this.#isPasting = true;
        this.#drop(PASTE_START.length);
      } else {
        const taken = take(this.#pending);
        if (!taken) break;
        if (taken.key) keys.push(taken.key);
        this.#drop(taken.length);
      }
      from = 0;
    }
    return keys;
  }

  /** The meaning of a pending Escape, once nothing has followed it. */
  flush(): readonly Key[] {
    if (!this.isWaiting) return [];
    const rest = this.#pending.slice(1);
    this.#pending = '';
    return rest === ''
      ? [key('escape')]
      : rest === '[' || rest === 'O' || rest === ']' || rest === 'P'
        ? [key(`alt+${rest.toLowerCase()}`)]
        : [];
  }

  #drop(length: number): void {
    this.#pending = this.#pending.slice(length);
  }
}

function key(name: string): Key {
  return {kind: 'key', name};
}

/** The first key of a text, or undefined while it is incomplete. */
function take(text: string): Taken | undefined {
  if (text.startsWith(ESCAPE)) return takeEscape(text);
  const code = text.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return {key: key(nameControl(code)), length: 1};
  // Besides C1 controls, the characters that mark our pastes must not be typed.
  const run = /^[^\u0000-\u001f\u007f]+/.exec(text)?.[0] ?? '';
  const shown = run.replace(/[\u0080-\u009f]|[\u{f0000}-\u{10ffff}]/gu, '');
  return {length: run.length, ...(shown === '' ? {} : {key: {kind: 'text', text: shown}})};
}

function nameControl(code: number): string {
  if (code === 0x0a) return 'ctrl+j';
  const own = named[code];
  if (own && code !== 27) return own;
  return code === 0 ? 'ctrl+space' : `ctrl+${String.fromCharCode(code + (code < 27 ? 96 : 64))}`;
}

function takeEscape(text: string): Taken | undefined {
  const next = text[1];
  if (next === undefined) return undefined;
  if (next === ESCAPE) return {key: key('escape'), length: 1};
  if (next === '[') return takeSequence(text);
  if (next === 'O') return text.length < 3 ? undefined : {length: 3, ...keyed(finals[text[2] ?? ''])};
  if (/^.[\]P][0-9>!+$]/.test(text)) return takeReport(text);
  if ((next === ']' || next === 'P') && text.length === 2) return undefined;
  return takeAlt(text);
}

/** A report of the terminal itself, which is not a key. */
function takeReport(text: string): Taken | undefined {
  const end = /\u0007|\u001b\\/.exec(text.slice(2));
  return end ? {length: 2 + end.index + end[0].length} : undefined;
}

/** A key pressed with Alt: it follows an Escape. */
function takeAlt(text: string): Taken {
  const inner = take(String.fromCodePoint(text.codePointAt(1) ?? 0));
  const name =
    inner?.key?.kind === 'key'
      ? inner.key.name
      : inner?.key?.kind === 'text'
        ? inner.key.text.toLowerCase()
        : undefined;
  return {length: 1 + (inner?.length ?? 1), ...keyed(name && withModifiers(name, 2))};
}

function keyed(name: string | undefined): {readonly key?: Key} {
  return name ? {key: key(name)} : {};
}

/** `CSI parameters final`, as VT, xterm, rxvt, the Linux console and kitty send it. */
function takeSequence(text: string): Taken | undefined {
  if (text === `${ESCAPE}[[`) return undefined;
  if (text.startsWith(`${ESCAPE}[[`)) return {length: 4};
  const match = /^.\[([0-9;:<=>?]*)([ -/]*)([@-~])?/.exec(text);
  const [whole = '', parameters = '', , final] = match ?? [];
  if (final === undefined) return whole.length === text.length ? undefined : {length: whole.length};
  if (parameters.startsWith('<')) return {length: whole.length, ...keyed(readWheel(parameters, final))};
  const key = readState(parameters, final);
  return {length: whole.length, ...(key ? {key} : keyOfSequence(parameters, final))};
}

/** A report of the mouse: only the wheel is a key. */
function readWheel(parameters: string, final: string): string | undefined {
  return final === 'M' ? WHEEL[parameters.split(';')[0] ?? ''] : undefined;
}

/** What the terminal says about itself. */
function readState(parameters: string, final: string): TerminalState | undefined {
  if (parameters === '' && (final === 'I' || final === 'O')) return {kind: 'focus', isFocused: final === 'I'};
  // F3 with a modifier looks the same, and does nothing.
  const row = final === 'R' ? /^(\d+);\d+$/.exec(parameters)?.[1] : undefined;
  return row === undefined ? undefined : {kind: 'position', row: Number(row)};
}

function keyOfSequence(parameters: string, final: string): {readonly key?: Key} {
  const [first = '1', second = '1', third = ''] = parameters.split(';').map((one) => one.split(':')[0] ?? '');
  const modifiers = Math.max(0, Number(second || '1') - 1);
  if (final === 'Z') return {key: key('shift+tab')};
  if (final === 'u') return fromCode(Number(first), modifiers);
  if (final === '~' && first === '27') return fromCode(Number(third), modifiers);
  const name = final === '~' ? numbered[first] : finals[final];
  return keyed(name && withModifiers(name, modifiers));
}

function fromCode(code: number, modifiers: number): {readonly key?: Key} {
  const own = named[code];
  if (own === 'space' && (modifiers & ~1) === 0) return {key: {kind: 'text', text: ' '}};
  if (own) return {key: key(withModifiers(own, modifiers))};
  if (!(code > 32 && code < 0xe000)) return {};
  const character = String.fromCodePoint(code);
  return (modifiers & ~1) === 0
    ? {key: {kind: 'text', text: character}}
    : {key: key(withModifiers(character.toLowerCase(), modifiers))};
}

/** Bits as xterm counts them: 1 Shift, 2 Alt, 4 Ctrl, 8 Super, which stands for Ctrl. */
function withModifiers(name: string, bits: number): string {
  if (name.startsWith('ctrl+') && bits === 2) return `ctrl+alt+${name.slice('ctrl+'.length)}`;
  return `${bits & 12 ? 'ctrl+' : ''}${bits & 2 ? 'alt+' : ''}${bits & 1 ? 'shift+' : ''}${name}`;
}
