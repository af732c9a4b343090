import {motions} from './motions.js';
import {objectNames} from './text-objects.js';

/** What a person typed in normal or visual mode. */
export interface Command {
  readonly register?: string;
  readonly count?: number;
  /** `d`, `c`, `y`, `>`, `<`, `gu`, `gU` or `g~`. */
  readonly operator?: string;
  /** The operator was typed twice: it takes whole lines. */
  readonly isLine?: boolean;
  readonly motion?: string;
  readonly object?: {readonly name: string; readonly isAround: boolean};
  /** A command without a motion: `x`, `p`, `i`, … */
  readonly action?: string;
  /** The character after `f`, `t` or `r`. */
  readonly argument?: string;
  /** The motion is one of before, by `;` or `,`. */
  readonly isRepeated?: boolean;
}

const OPERATORS = new Set(['d', 'c', 'y', '>', '<', 'gu', 'gU', 'g~']);
const ACTIONS = new Set([...'xXDCsSYJpPiaIAoOvVu.~r', ';', ',']);
const VISUAL_ACTIONS = new Set([...'xsDCSYJpPovVuU~r', ';', ',']);
const WITH_ARGUMENT = new Set([...'fFtTr']);

/** The command in typed characters; `more` if it is incomplete, `unknown` if there is no such command. */
export function readCommand(typed: readonly string[], isVisual: boolean): Read {
  const reader = new Reader(typed);
  const register = reader.peek === '"' ? reader.take(2)[1] : undefined;
  const counted = reader.number();
  const first = reader.word();
  if (first === undefined) return 'more';
  const head = {
    ...(register === undefined ? {} : {register}),
    ...(counted === undefined ? {} : {count: counted}),
  };
  return isVisual ? readVisual(reader, first, head) : readNormal(reader, first, head);
}

type Read = Command | 'more' | 'unknown';

function readNormal(reader: Reader, first: string, head: Command): Read {
  if (OPERATORS.has(first)) return readOperand(reader, {...head, operator: first});
  if (ACTIONS.has(first)) return withArgument(reader, first, {...head, action: first});
  return motions.has(first) ? withArgument(reader, first, {...head, motion: first}) : 'unknown';
}

function readVisual(reader: Reader, first: string, head: Command): Read {
  if (first === 'i' || first === 'a') return readObject(reader, first, head);
  if (OPERATORS.has(first)) return {...head, operator: first};
  if (VISUAL_ACTIONS.has(first)) return withArgument(reader, first, {...head, action: first});
  return motions.has(first) ? withArgument(reader, first, {...head, motion: first}) : 'unknown';
}

function readOperand(reader: Reader, head: Command & {readonly operator: string}): Read {
  const again = reader.number();
  const count = again === undefined ? head.count : again * (head.count ?? 1);
  const counted = {...head, ...(count === undefined ? {} : {count})};
  const word = reader.word();
  if (word === undefined) return 'more';
  if (word === head.operator || word === head.operator.at(-1)) return {...counted, isLine: true};
  if (word === 'i' || word === 'a') return readObject(reader, word, counted);
  if (word === ';' || word === ',') return {...counted, motion: word};
  return motions.has(word) ? withArgument(reader, word, {...counted, motion: word}) : 'unknown';
}

function readObject(reader: Reader, word: string, head: Command): Read {
  const [name] = reader.take(1);
  if (name === undefined) return 'more';
  return objectNames.has(name) ? {...head, object: {name, isAround: word === 'a'}} : 'unknown';
}

function withArgument(reader: Reader, word: string, command: Command): Command | 'more' {
  if (!WITH_ARGUMENT.has(word)) return command;
  const [argument] = reader.take(1);
  return argument === undefined ? 'more' : {...command, argument};
}

class Reader {
  #at = 0;

  constructor(private readonly typed: readonly string[]) {}

  get peek(): string | undefined {
    return this.typed[this.#at];
  }

  take(count: number): readonly string[] {
    const taken = this.typed.slice(this.#at, this.#at + count);
    this.#at += count;
    return taken;
  }

  /** A count; a zero at its start is a motion. */
  number(): number | undefined {
    const digits = /^[1-9][0-9]*/.exec(this.typed.slice(this.#at).join(''))?.[0] ?? '';
    this.#at += digits.length;
    return digits === '' ? undefined : Math.min(Number(digits), MOST_COUNT);
  }

  /** A character, or `g` with the next one. */
  word(): string | undefined {
    const [first] = this.take(1);
    if (first !== 'g') return first;
    const [second] = this.take(1);
    return second === undefined ? undefined : `g${second}`;
  }
}

const MOST_COUNT = 10_000;
