import type {Socket} from 'node:net';

/** What a program inside asks for, and how it is answered. */
export interface ExitRequest {
  readonly host: string;
  readonly port: number;
  /** Sent to the host first: a request that is not encrypted comes with its words. */
  readonly head: Buffer;
  /**
   * The same with a header, and with the host that is connected to as its host, whatever the program wrote. Absent:
   * what follows is not HTTP, or is encrypted.
   */
  readonly withHeader?: (name: string, value: string) => Buffer;
  /** Sent to the program once the connection stands. */
  readonly accept: Buffer;
  /** Sent to the program instead, with a sentence. */
  refuse(sentence: string): Buffer;
}

const LONGEST_HEAD = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';

/** Reads the beginning of a connection: SOCKS 5, CONNECT, or a request of HTTP. Undefined for anything else. */
export async function readRequest(socket: Socket): Promise<ExitRequest | undefined> {
  const bytes = new Bytes(socket);
  const [version] = await bytes.take(1);
  if (version === 5) return readSocks(bytes, socket);
  const head = await bytes.until(END_OF_HEAD, LONGEST_HEAD, Buffer.from([version ?? 0]));
  return head === undefined ? undefined : readHTTP(head, bytes.rest());
}

function readHTTP(head: string, rest: Buffer): ExitRequest | undefined {
  const [line = '', ...fields] = head.slice(0, -END_OF_HEAD.length).split('\r\n');
  const [method = '', target = '', version = ''] = line.split(' ');
  if (!/^HTTP\/1\.[01]$/.test(version)) return undefined;
  if (method === 'CONNECT') return readTunnel(target, rest);
  const url = parse(target);
  if (url?.protocol !== 'http:' || url.hostname === '') return undefined;
  const kept = fields.filter((field) => !/^(?:proxy-[a-z-]+|connection|keep-alive):/i.test(field));
  const compose = (all: readonly string[]): Buffer => {
    const plain = [`${method} ${url.pathname}${url.search} ${version}`, ...all, 'Connection: close'].join('\r\n');
    return Buffer.concat([Buffer.from(plain + END_OF_HEAD, 'latin1'), rest]);
  };
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 80),
    head: compose(kept),
    withHeader(name, value) {
      const own = [name.toLowerCase(), 'host'];
      const others = kept.filter((field) => !own.includes(field.slice(0, field.indexOf(':')).trim().toLowerCase()));
      return compose([`Host: ${url.host}`, ...others, `${name}: ${value}`]);
    },
    accept: Buffer.alloc(0),
    refuse: forbid,
  };
}

function readTunnel(target: string, rest: Buffer): ExitRequest | undefined {
  const [, inBrackets, name, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(target) ?? [];
  const host = inBrackets ?? name;
  if (host === undefined || Number(port) > 65_535) return undefined;
  const accept = Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n');
  return {host, port: Number(port), head: rest, accept, refuse: forbid};
}

function forbid(sentence: string): Buffer {
  const body = `${sentence}\n`;
  const fields = ['Content-Type: text/plain', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  return Buffer.from(['HTTP/1.1 403 Forbidden', ...fields, '', body].join('\r\n'));
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** SOCKS 5 without a password: a greeting, then a request to connect. */
async function readSocks(bytes: Bytes, socket: Socket): Promise<ExitRequest | undefined> {
  const [methods = 0] = await bytes.take(1);
  await bytes.take(methods);
  socket.write(Buffer.from([5, 0]));
  const [version, command, , kind] = await bytes.take(4);
  if (version !== 5 || command !== 1) return undefined;
  const host = await readAddress(bytes, kind ?? 0);
  if (host === undefined) return undefined;
  const port = (await bytes.take(2)).readUInt16BE();
  const answer = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
  return {host, port, head: bytes.rest(), accept: answer(0), refuse: () => answer(2)};
}

async function readAddress(bytes: Bytes, kind: number): Promise<string | undefined> {
  if (kind === 1) return [...(await bytes.take(4))].join('.');
  if (kind === 3) return (await bytes.take((await bytes.take(1))[0] ?? 0)).toString('latin1');
  if (kind !== 4) return undefined;
  const address = await bytes.take(16);
  return Array.from({length: 8}, (_, index) => address.readUInt16BE(index * 2).toString(16)).join(':');
}

/** The bytes of a socket, in pieces of any size. Throws when it ends before. */
class Bytes {
  #held = Buffer.alloc(0);

  constructor(private readonly socket: Socket) {}

  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more();
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async until(end: string, limit: number, before: Buffer): Promise<string | undefined> {
    this.#held = Buffer.concat([before, this.#held]);
    for (let at = -1; ;) {
      at = this.#held.indexOf(end);
      if (at >= 0) return (await this.take(at + end.length)).toString('latin1');
      if (this.#held.length > limit) return undefined;
      await this.#more();
    }
  }

  rest(): Buffer {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }

  /** Leaves no listener behind: one would keep what comes later from flowing on to the host. */
  async #more(): Promise<void> {
    for (;;) {
      const chunk = this.socket.read() as Buffer | null;
      if (chunk !== null) {
        this.#held = Buffer.concat([this.#held, chunk]);
        return;
      }
      if (this.socket.readableEnded || this.socket.destroyed)
        throw new Error('The connection ended before the request did.');
      await awaitOne(this.socket, ['readable', 'end', 'close', 'error']);
    }
  }
}

function awaitOne(socket: Socket, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) socket.off(event, done);
      resolve();
    };
    for (const event of events) socket.on(event, done);
  });
}
