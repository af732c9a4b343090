import {decodeBytes} from '../engine/bytes.js';
import {cutLine, LONGEST_KEPT, LONGEST_LINE} from '../engine/cut-line.js';
import {EngineRefused, type FileMatches, type LineMatch} from '../engine/engine.js';
import {LongLines, type OutputLine} from './long-lines.js';

/** Text, or bytes in base64 when they are no UTF-8. */
type RgText = {readonly text: string} | {readonly bytes: string};

type RgEvent =
  | {readonly type: 'begin'; readonly data: {readonly path: RgText}}
  | {
      readonly type: 'match';
      readonly data: {
        readonly lines: RgText;
        readonly line_number: number;
        readonly absolute_offset: number;
        readonly submatches: readonly {readonly start: number}[];
      };
    }
  | {readonly type: 'end'; readonly data: {readonly binary_offset: number | null}}
  | {readonly type: 'summary'};

/** A file with a zero byte before this is binary. */
const BINARY_WITHIN = 65_536;

const MOST_QUOTED = 100;

interface ReaderOptions {
  /** Of one file; the rest is not kept. */
  readonly mostPerFile: number;
  /** Whether a line counts. It receives the whole line without its line end. */
  counts(line: string): boolean;
}

/** Puts the program's JSON lines together to files with their lines. */
export class MatchReader {
  readonly #lines = new LongLines();
  readonly #options: ReaderOptions;
  #path = '';
  #isComplete = false;
  #found: (LineMatch & {readonly offset: number})[] = [];

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Whether the program has said that nothing more comes. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The files that are complete with this piece of output. */
  push(chunk: Buffer): readonly FileMatches[] {
    return this.#lines.push(chunk).flatMap((line) => this.#read(line) ?? []);
  }

  #read(line: OutputLine): FileMatches | undefined {
    // The rest of a file with more than enough matches need not be parsed.
    if (this.#found.length >= this.#options.mostPerFile && line.head.toString('latin1', 0, MATCH.length) === MATCH)
      return undefined;
    if (line.isCut) return void this.#takeCut(line);
    const event = eventOf(line.head);
    if (event.type === 'begin') {
      this.#path = pathOf(event.data.path);
      this.#found = [];
    } else if (event.type === 'match') {
      this.#take(event.data);
    } else if (event.type === 'end') return this.#end(event.data.binary_offset);
    else this.#isComplete = true;
    return undefined;
  }

  #take({
    lines,
    line_number: number,
    absolute_offset: offset,
    submatches,
  }: Extract<RgEvent, {type: 'match'}>['data']): void {
    const bytes = 'bytes' in lines ? Buffer.from(lines.bytes, 'base64') : undefined;
    const text = withoutEnd(bytes ? decodeBytes(bytes) : 'text' in lines ? lines.text : '');
    if (!this.#options.counts(text)) return;
    this.#found.push({
      number,
      offset,
      text: text.length <= LONGEST_LINE ? text : cutLong(text, bytes ?? Buffer.from(text), submatches[0]?.start ?? 0),
    });
  }

  #takeCut({head, lineNumber}: OutputLine): void {
    const written = head.toString('latin1');
    const text = /"lines":\{"(text|bytes)":"/.exec(written);
    if (text === null || lineNumber === undefined) return;
    const rest = head.subarray(text.index + text[0].length);
    const beginning =
      text[1] === 'text'
        ? wholeEscapes(rest.toString('utf8'))
        : decodeBytes(Buffer.from(rest.toString('latin1'), 'base64'));
    if (this.#options.counts(beginning)) this.#found.push({number: lineNumber, offset: 0, text: cutLine(beginning, 0)});
  }

  #end(binary: number | null): FileMatches | undefined {
    const lines =
      binary === null ? this.#found : binary < BINARY_WITHIN ? [] : this.#found.filter(({offset}) => offset < binary);
    this.#found = [];
    return lines.length === 0 ? undefined : {path: this.#path, lines: lines.map(({number, text}) => ({number, text}))};
  }
}

const MATCH = '{"type":"match"';

/** Throws EngineRefused when that is nothing that ripgrep writes. */
function eventOf(line: Buffer): RgEvent {
  try {
    const event: unknown = JSON.parse(line.toString('utf8'));
    if (isEvent(event)) return event;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new EngineRefused(
    `The program writes what is not understood: ${JSON.stringify(line.toString('latin1', 0, MOST_QUOTED))}.`,
  );
}

function isEvent(event: unknown): event is RgEvent {
  const {type, data} = (event ?? {}) as {readonly type?: unknown; readonly data?: Readonly<Record<string, unknown>>};
  if (typeof data !== 'object') return false;
  if (type === 'match')
    return isText(data['lines']) && typeof data['line_number'] === 'number' && Array.isArray(data['submatches']);
  return type === 'begin' ? isText(data['path']) : type === 'end' || type === 'summary';
}

function isText(value: unknown): value is RgText {
  const {text, bytes} = (value ?? {}) as {readonly text?: unknown; readonly bytes?: unknown};
  return typeof (text ?? bytes) === 'string';
}

function pathOf(path: RgText): string {
  return 'text' in path ? path.text : decodeBytes(Buffer.from(path.bytes, 'base64'));
}

function withoutEnd(line: string): string {
  const text = line.endsWith('\n') ? line.slice(0, -1) : line;
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** `start` counts bytes; the end of the line is among them or not. */
function cutLong(text: string, bytes: Buffer, start: number): string {
  const ending = /\r?\n?$/.exec(bytes.toString('latin1', bytes.length - 2))?.[0].length ?? 0;
  return bytes.length - ending > LONGEST_KEPT
    ? cutLine(text, 0)
    : cutLine(text, decodeBytes(bytes.subarray(0, start)).length);
}

/** JSON text that was cut off anywhere, up to its last whole character. */
function wholeEscapes(written: string): string {
  const whole = /^(?:[^\\"\ufffd]|\\u[\da-fA-F]{4}|\\[^u])*/.exec(written)?.[0] ?? '';
  return JSON.parse(`"${whole}"`) as string;
}
