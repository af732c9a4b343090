import {appendPrivateFile, isFileFault, readText} from '@gemini-kernel/files';

const MOST_KEPT = 1000;
/** Longer prompts are kept for this conversation only. */
const LONGEST_KEPT = 10_000;
/** The largest file; it is shortened long before that. */
const LARGEST = 128 * 2 ** 20;

/**
 * Earlier prompts of a project, the newest last, in a file with one JSON string per line that only its owner can read.
 */
export class PromptHistory {
  readonly #entries: string[];
  readonly #path: string | undefined;
  readonly #clean: (text: string) => Promise<string>;
  /** Ends an incomplete last line, so that the next one is separate. */
  #lineEnd: string;
  #written: Promise<void> = Promise.resolve();

  private constructor(
    entries: readonly string[],
    path: string | undefined,
    {clean, lineEnd}: {clean(text: string): Promise<string>; readonly lineEnd: string},
  ) {
    this.#entries = [...entries];
    this.#lineEnd = lineEnd;
    this.#path = path;
    this.#clean = clean;
  }

  /** Reads the file; without a path nothing is saved. `clean` removes what must not be written. */
  static async open(path: string | undefined, clean: (text: string) => Promise<string>): Promise<PromptHistory> {
    const text = path === undefined ? '' : await readIfThere(path);
    const entries = text.split('\n').flatMap(parseEntry);
    const kept = entries.slice(-MOST_KEPT);
    const isLong = entries.length > MOST_KEPT * 2;
    if (path !== undefined && isLong) await (await import('./shorten-history.js')).shortenHistory(path, kept);
    return new PromptHistory(kept, path, {clean, lineEnd: isLong || text === '' || text.endsWith('\n') ? '' : '\n'});
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  /** Saves a prompt, unless it repeats the last one; in the file, also unless it starts with a space. */
  add(text: string): Promise<void> {
    if (text.trim() === '' || this.#entries.at(-1) === text) return Promise.resolve();
    this.#entries.push(text);
    if (this.#path === undefined || text.startsWith(' ') || text.length > LONGEST_KEPT) return Promise.resolve();
    const path = this.#path;
    const writing = this.#written.then(() => this.#write(path, text));
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  /** Waits until everything is written, or has failed. */
  settled(): Promise<void> {
    return this.#written;
  }

  async #write(path: string, text: string): Promise<void> {
    const line = `${this.#lineEnd}${JSON.stringify(await this.#clean(text))}\n`;
    this.#lineEnd = '';
    await appendPrivateFile(path, line);
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readText(path, {limit: LARGEST});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !isFileFault(error)) return '';
    throw error;
  }
}

/** Skips a line that is not a JSON string, such as an incomplete one. */
function parseEntry(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? [value] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
