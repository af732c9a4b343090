import {revealedLine, revealedText} from '@gemini-kernel/terminal';
import {markWords} from './mark-words.js';
import type {Piece} from './pieces.js';

/** One line of a diff; the numbers are those in the old and in the new file. */
export interface DiffLine {
  readonly kind: 'file' | 'gap' | 'same' | 'removed' | 'added' | 'note';
  readonly old?: number;
  readonly now?: number;
  readonly pieces: readonly Piece[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const TAB = '    ';

/** The lines of a unified diff, with the words marked that differ between a removed and an added line. */
export function readDiff(diff: string): readonly DiffLine[] {
  const reader = new DiffReader();
  const lines = revealedText(diff).replace(/\n$/, '').split('\n');
  lines.forEach((line, index) => reader.add(line, lines[index + 1] ?? ''));
  return markPairs(reader.lines);
}

/** Reads line by line. Whatever a diff says about its lengths, no line of a hunk is left out. */
class DiffReader {
  readonly lines: DiffLine[] = [];
  #old = 0;
  #now = 0;
  /** Lines of the hunk that are still to come, by what it says. */
  #left = {old: 0, now: 0};
  /** No hunk of this file was seen. */
  #isFirst = true;

  add(line: string, next: string): void {
    const isInside = this.#left.old + this.#left.now > 0;
    if (!isInside && this.#addHead(line, next)) return;
    if (line.startsWith('\\')) this.#push('note', {text: line.slice(2), style: 'dim'});
    else this.#addLine(line);
  }

  /** A line between hunks. */
  #addHead(line: string, next: string): boolean {
    const hunk = HUNK.exec(line);
    if (hunk) {
      if (!this.#isFirst) this.#push('gap', {text: '…', style: 'dim'});
      this.#isFirst = false;
      [this.#old, this.#now] = [Number(hunk[1]), Number(hunk[3])];
      this.#left = {old: Number(hunk[2] ?? 1), now: Number(hunk[4] ?? 1)};
      return true;
    }
    if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      this.#isFirst = true;
      return true;
    }
    const name = this.#isFirst ? /^\+\+\+ (.*?)(?:\t.*)?$/.exec(line)?.[1] : undefined;
    if (name !== undefined) this.#push('file', {text: revealedLine(name), style: 'strong'});
    return this.#isFirst;
  }

  #addLine(line: string): void {
    const text = line.slice(1).replaceAll('\t', TAB);
    if (line.startsWith('-')) {
      this.lines.push({kind: 'removed', old: this.#old, pieces: [{text, style: 'bad'}]});
      this.#advance(1, 0);
    } else if (line.startsWith('+')) {
      this.lines.push({kind: 'added', now: this.#now, pieces: [{text, style: 'good'}]});
      this.#advance(0, 1);
    } else {
      this.lines.push({kind: 'same', old: this.#old, now: this.#now, pieces: [{text}]});
      this.#advance(1, 1);
    }
  }

  #advance(old: number, now: number): void {
    [this.#old, this.#now] = [this.#old + old, this.#now + now];
    this.#left = {old: Math.max(0, this.#left.old - old), now: Math.max(0, this.#left.now - now)};
  }

  #push(kind: DiffLine['kind'], piece: Piece): void {
    this.lines.push({kind, pieces: [piece]});
  }
}

/** How many lines a diff adds and removes. */
export function countChanges(lines: readonly DiffLine[]): {readonly added: number; readonly removed: number} {
  const count = (wanted: DiffLine['kind']): number => lines.filter(({kind}) => kind === wanted).length;
  return {added: count('added'), removed: count('removed')};
}

/** Marks words in removed lines and the added ones that replace them, where there are as many of both. */
function markPairs(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked = [...lines];
  for (const {removed, added} of runsOf(lines)) {
    if (removed.length !== added.length) continue;
    removed.forEach((at, index) => {
      const to = added[index] ?? at;
      const [before, after] = [lines[at], lines[to]];
      if (!before || !after) return;
      const [old, now] = markWords(textOf(before), textOf(after));
      marked[at] = {...before, pieces: old.map((piece) => ({...piece, style: 'bad'}))};
      marked[to] = {...after, pieces: now.map((piece) => ({...piece, style: 'good'}))};
    });
  }
  return marked;
}

/** The places of removed lines, and of the added ones right below them. */
export interface Run {
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

export function runsOf(lines: readonly Pick<DiffLine, 'kind'>[]): readonly Run[] {
  const runs: {removed: number[]; added: number[]}[] = [];
  let last: DiffLine['kind'] = 'same';
  lines.forEach(({kind}, index) => {
    // A missing line end is said about the line above.
    if (kind === 'note') return;
    const isChange = kind === 'removed' || kind === 'added';
    const isNew = kind === 'removed' ? last !== 'removed' : last !== 'removed' && last !== 'added';
    if (isChange && isNew) runs.push({removed: [], added: []});
    if (isChange) runs.at(-1)?.[kind].push(index);
    last = kind;
  });
  return runs;
}

function textOf({pieces}: DiffLine): string {
  return pieces.map(({text}) => text).join('');
}
