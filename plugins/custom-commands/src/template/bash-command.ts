import {ASSIGNMENT, BEFORE_COMMANDS, DECLARING, EVALUATING, FILTERS, INTERPRETERS, WRAPPERS} from './shell-words.js';

/** In a word, stands for what bash replaces by any number of words, none included. */
export const EXPANSION = '\u0001';

/** A name or a file without anything that bash expands. */
const PLAIN = /^(?:[\w./@:+][\w./@:+-]*|\[)$/;
/** A number that a wrapper takes before its command. */
const NUMBER = /^[\d.]+[smhd]?$/;

/** One simple command of a bash line while it is read, word by word. */
export class BashCommand {
  /** Its name, without folders; undefined until it has been read. */
  #name: string | undefined;
  readonly #arguments: string[] = [];
  #word = '';
  #isInWord = false;
  /** The program that runs this command, and whether it has flags, which can take the next word. */
  #wrapper: string | undefined;
  #hasFlags = false;
  /** The redirection whose target is the next word. */
  #redirection = '';

  /** Whether a comment can begin here. */
  get isBetweenWords(): boolean {
    return !this.#isInWord;
  }

  add(text: string): void {
    this.#word += text;
    this.#isInWord = true;
  }

  redirect(operator: string): void {
    // The number of a stream is no word.
    if (/^\d+$/.test(this.#word)) [this.#word, this.#isInWord] = ['', false];
    this.endWord();
    this.#redirection = operator;
  }

  /** Ends the current word. Gives it if it is the name of the command. */
  endWord(): string | undefined {
    if (!this.#isInWord) return undefined;
    const word = this.#word;
    [this.#word, this.#isInWord] = ['', false];
    if (this.#redirection !== '') this.#redirection = '';
    else if (this.#name === undefined) return this.#takeName(word);
    else this.#arguments.push(word);
    return undefined;
  }

  /** Why arguments may not stand here. */
  findFault(): string | undefined {
    const name = this.#name;
    if (name !== undefined && EVALUATING.has(name)) return `is an argument of ${name}, which can run it`;
    // After >& and <&, bash expands a target that is no number twice.
    if (/[<>]&/.test(this.#redirection)) return `comes after ${this.#redirection}, where bash expands it twice`;
    if (this.#redirection !== '') return undefined;
    const isValue = ASSIGNMENT.test(this.#word);
    if (name === undefined) return isValue ? undefined : 'stands where the shell expects the name of a command';
    if (!PLAIN.test(name)) return 'is an argument of a command whose name is not certain';
    if (this.#hasFlags) return `can be the command of ${this.#wrapper ?? name}, which has flags`;
    return DECLARING.has(name) && !isValue ? `is a name for ${name} here` : findCode(name, this.#arguments);
  }

  #takeName(word: string): string | undefined {
    const name = word.slice(word.lastIndexOf('/') + 1);
    if (BEFORE_COMMANDS.has(word) || ASSIGNMENT.test(word)) return undefined;
    const isOfWrapper = this.#wrapper !== undefined && (word.startsWith('-') || NUMBER.test(word));
    if (isOfWrapper) this.#hasFlags ||= word.startsWith('-');
    else if (WRAPPERS.has(name)) this.#wrapper = name;
    else this.#name = name;
    return word;
  }
}

/** Why the next argument of a program can be code. */
function findCode(name: string, given: readonly string[]): string | undefined {
  const isUnclear = given.some((word) => word.includes(EXPANSION));
  if (INTERPRETERS.has(name)) return isUnclear || !runsFile(name, given) ? `can be code for ${name} here` : undefined;
  if (FILTERS.has(name)) {
    const isProgram = isUnclear || given.every((word) => word.startsWith('-'));
    return isProgram ? `can be the program of ${name} here` : undefined;
  }
  if (name === 'find') {
    const canRun = isUnclear || given.some((word) => /^-(?:exec|ok)/.test(word));
    return canRun ? 'can be a command that find runs' : undefined;
  }
  return findName(name, given, isUnclear);
}

/** printf and test have a flag -v with a name, which bash evaluates. */
function findName(name: string, given: readonly string[], isUnclear: boolean): string | undefined {
  const [first = '-'] = given;
  if (name === 'printf' && (first.startsWith('-') || first.includes(EXPANSION)))
    return "can be the format of printf here; write one before it, such as '%s'";
  const isTest = name === 'test' || name === '[';
  return isTest && (isUnclear || given.includes('-v')) ? `can be a name for ${name} here` : undefined;
}

/** Whether the words after the name of an interpreter begin with its file, or Python's module. */
function runsFile(name: string, [first = '', second = '']: readonly string[]): boolean {
  return PLAIN.test(name.startsWith('python') && first === '-m' ? second : first);
}
