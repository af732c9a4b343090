/** The longest head and body of a message, in bytes. */
const LONGEST_HEAD = 8 * 1024;
const LONGEST_BODY = 16 * 1024 * 1024;
const HEAD_END = '\r\n\r\n';

/** Splits bytes into messages with a head that says their length. Every method throws Error for what is no message. */
export class Frames {
  #parts: Buffer[] = [];
  #size = 0;
  /** Of the body that is being read. */
  #length: number | undefined;

  constructor(private readonly onBody: (body: string) => void) {}

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    while (this.#take());
  }

  /** Whether there was a whole head or body. */
  #take(): boolean {
    if (this.#length === undefined) return this.#takeHead();
    if (this.#size < this.#length) return false;
    const all = this.#all();
    const body = all.toString('utf8', 0, this.#length);
    this.#keep(all.subarray(this.#length));
    this.#length = undefined;
    this.onBody(body);
    return true;
  }

  #takeHead(): boolean {
    if (this.#size === 0) return false;
    const all = this.#all();
    const end = all.subarray(0, LONGEST_HEAD).indexOf(HEAD_END);
    if (end < 0 && all.length >= LONGEST_HEAD) throw new Error('it sent something that is no message');
    this.#keep(all);
    if (end < 0) return false;
    this.#length = readLength(all.toString('latin1', 0, end));
    this.#keep(all.subarray(end + HEAD_END.length));
    return true;
  }

  #all(): Buffer {
    const [first] = this.#parts;
    return this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
  }

  #keep(rest: Buffer): void {
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
  }
}

function readLength(head: string): number {
  const lengths = head
    .split('\r\n')
    .flatMap((line) => /^content-length:[ \t]*(\d{1,15})[ \t]*$/i.exec(line)?.[1] ?? []);
  const [length] = lengths;
  if (length === undefined || lengths.length > 1) throw new Error('it sent a message without a length');
  if (Number(length) > LONGEST_BODY) throw new Error(`it sent a message of ${length} bytes; ${LONGEST_BODY} are read`);
  return Number(length);
}

/** A message as bytes. */
export function frame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${HEAD_END}`, 'latin1'), body]);
}
