import type {ShellPiece} from '../contract.js';
import {BashCommand, EXPANSION} from './bash-command.js';
import {findArguments, indexOfArguments, type FoundArguments} from './find-arguments.js';
import {TemplateFault} from './template-fault.js';

/** What the text at the current place is in. */
interface Frame {
  readonly kind: 'commands' | 'single' | 'double';
  /** Closes commands that are in parentheses. */
  readonly isNested?: boolean;
  command: BashCommand;
}

/** Keywords whose parts this reader does not know. */
const HARD = new Set(['case', '[[']);

/**
 * Splits a bash line at its placeholders, and finds the quotes that each of them stands in. Throws TemplateFault where
 * no quoting keeps arguments from being read as commands, and where it cannot tell.
 */
export function readBash(line: string): readonly ShellPiece[] {
  return new BashReader(line).read();
}

class BashReader {
  #at = 0;
  /** Where the text after the last placeholder begins. */
  #from = 0;
  readonly #pieces: ShellPiece[] = [];
  readonly #frames: Frame[] = [{kind: 'commands', command: new BashCommand()}];
  /** What makes the rest of the line unclear. */
  #unclear: string | undefined;

  constructor(private readonly line: string) {}

  read(): readonly ShellPiece[] {
    while (this.#at < this.line.length) {
      const found = findArguments(this.line, this.#at);
      if (found) this.#put(found);
      else this.#step();
    }
    const isOpen = this.#frames.length > 1 && this.#pieces.length > 0;
    if (isOpen) throw new TemplateFault(0, 'the command does not close a quote or a parenthesis');
    this.#endText();
    return this.#pieces;
  }

  get #frame(): Frame {
    // The first frame is never removed.
    return this.#frames.at(-1) as Frame;
  }

  #put({text, position}: FoundArguments): void {
    const {kind, command} = this.#frame;
    const fault = this.#unclear ? `comes after ${this.#unclear}, where it cannot be quoted` : command.findFault();
    if (fault !== undefined) throw new TemplateFault(this.#at, `${text} ${fault}`);
    this.#endText();
    const quotes = kind === 'commands' ? 'none' : kind;
    this.#pieces.push({kind: 'arguments', quotes, ...(position === undefined ? {} : {position})});
    this.#at += text.length;
    this.#from = this.#at;
    command.add('\0');
  }

  #endText(): void {
    if (this.#at > this.#from) this.#pieces.push({kind: 'text', text: this.line.slice(this.#from, this.#at)});
  }

  #step(): void {
    const {kind} = this.#frame;
    const letter = this.line[this.#at] ?? '';
    if (kind === 'single') this.#stepQuoted(letter, "'");
    else if (letter === '\\') this.#skipEscaped();
    else if (letter === '$') this.#readDollar(kind);
    else if (letter === '`') this.#readBackticks();
    else if (kind === 'double') this.#stepQuoted(letter, '"');
    else if (letter === "'" || letter === '"') this.#open(letter === '"' ? 'double' : 'single');
    else this.#stepCommands(letter);
  }

  #stepQuoted(letter: string, end: string): void {
    if (letter === end) this.#frames.pop();
    else this.#frame.command.add(letter);
    this.#at += 1;
  }

  #open(kind: 'single' | 'double'): void {
    const {command} = this.#frame;
    command.add('');
    this.#frames.push({kind, command});
    this.#at += 1;
  }

  #skipEscaped(): void {
    this.#refuseAt(this.#at + 1, 'comes after a backslash');
    const escaped = this.line[this.#at + 1] ?? '';
    if (escaped !== '\n') this.#frame.command.add(escaped);
    this.#at += 2;
  }

  #refuseAt(at: number, reason: string): void {
    const found = findArguments(this.line, at);
    if (found) throw new TemplateFault(at, `${found.text} ${reason}, where it cannot be quoted`);
  }

  #readDollar(kind: Frame['kind']): void {
    this.#refuseAt(this.#at + 1, 'comes after $');
    const {command} = this.#frame;
    const isBare = kind === 'commands';
    if (isBare && this.#skip(/\$'(?:[^'\\]|\\.)*'/sy)) command.add('$');
    else if (this.#skip(/\$\{[A-Za-z_]\w*\}/y)) command.add(isBare ? EXPANSION : '$');
    else if (isBare && this.#match(/\$'/y)) this.#loseTrack("$'", 2);
    else if (this.#match(/\$\(\(|\$\[|\$\{/y)) this.#loseTrack(`${this.line.slice(this.#at, this.#at + 2)}…`, 2);
    else if (this.#match(/\$\(/y)) this.#nest(2);
    else {
      command.add(isBare && this.#match(/\$[\w@*#?!$-]/y) ? EXPANSION : '$');
      this.#at += 1;
    }
  }

  #readBackticks(): void {
    if (this.#skip(/`[^`'"\\$({]*`/y)) this.#frame.command.add(this.#frame.kind === 'commands' ? EXPANSION : '`');
    else this.#loseTrack('a backtick', 1);
  }

  /** Reads one step of commands, outside quotes. */
  #stepCommands(letter: string): void {
    const {command} = this.#frame;
    if (letter === '#' && command.isBetweenWords) this.#skipComment();
    else if (this.#match(/<<(?!<)/y)) this.#loseTrack('a here-document', 2);
    else if (this.#match(/[<>]\(/y)) this.#nest(2);
    else if (this.#match(/&?[<>]/y)) this.#redirect();
    else if (/[ \t\r]/.test(letter)) this.#endWord(1);
    else if (/[;&|\n]/.test(letter)) this.#endCommand();
    else if (letter === '(') this.#openParenthesis();
    else if (letter === ')') this.#closeParenthesis();
    else {
      command.add(letter);
      this.#at += 1;
    }
  }

  #redirect(): void {
    const operator = this.#match(/&?[<>]+[&|]?/y) ?? '';
    this.#frame.command.redirect(operator);
    this.#at += operator.length;
  }

  #skipComment(): void {
    const end = this.line.indexOf('\n', this.#at);
    const comment = this.line.slice(this.#at, end < 0 ? undefined : end);
    const inside = indexOfArguments(comment);
    if (inside >= 0) throw new TemplateFault(this.#at + inside, 'arguments in a comment cannot be quoted');
    this.#at += comment.length;
  }

  #endWord(length: number): void {
    const keyword = this.#frame.command.endWord();
    if (keyword !== undefined && HARD.has(keyword)) this.#unclear ??= keyword;
    this.#at += length;
  }

  #endCommand(): void {
    this.#endWord(1);
    this.#frame.command = new BashCommand();
  }

  #openParenthesis(): void {
    if (this.#match(/\(\(/y)) this.#loseTrack('((', 2);
    else this.#nest(1);
  }

  #nest(length: number): void {
    this.#frame.command.add(this.#frame.kind === 'commands' ? EXPANSION : '(');
    this.#frames.push({kind: 'commands', isNested: true, command: new BashCommand()});
    this.#at += length;
  }

  #closeParenthesis(): void {
    if (!this.#frame.isNested) return this.#loseTrack('a parenthesis that nothing opens', 1);
    this.#endWord(1);
    this.#frames.pop();
  }

  /** From here on, no placeholder can be quoted. */
  #loseTrack(reason: string, length: number): void {
    this.#unclear ??= reason;
    this.#at += length;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.line)?.[0];
  }

  #skip(pattern: RegExp): boolean {
    const found = this.#match(pattern);
    if (found === undefined) return false;
    const inside = indexOfArguments(found);
    if (inside >= 0) this.#refuseAt(this.#at + inside, 'stands in an expansion');
    this.#at += found.length;
    return true;
  }
}
