import {appendPrivateFile, isFileFault, readText} from '@gemini-kernel/files';

const MOST_KEPT = 1000;
/** Longer ones are for this conversation only. */
const LONGEST_KEPT = 10_000;
/** Of the file: it is shortened long before. */
const LARGEST = 128 * 2 ** 20;

/** Earlier prompts of a project, the newest last, in a file of one JSON text per line that only its owner reads. */
export class PromptHistory {
  readonly #entries: string[];
  readonly #path: string | undefined;
  readonly #clean: (text: string) => Promise<string>;
  /** Ends a last line that was cut off, so that the next one stands alone. */
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

  /** Reads the file; without a path nothing is kept. `clean` takes out what must not be written. */
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

  /** Keeps a prompt; not when it is the last one again, nor, in the file, when it begins with a space. */
  add(text: string): Promise<void> {
    if (text.trim() === '' || this.#entries.at(-1) === text) return Promise.resolve();
    this.#entries.push(text);
    if (this.#path === undefined || text.startsWith(' ') || text.length > LONGEST_KEPT) return Promise.resolve();
    const path = this.#path;
    const writing = this.#written.then(() => this.#write(path, text));
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  /** Waits until everything is in the file, or could not be written. */
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

/** A line that is no JSON text, such as one that was cut off, is passed over. */
function parseEntry(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? [value] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
