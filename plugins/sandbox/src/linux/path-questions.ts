import {once} from 'node:events';
import {chmodSync} from 'node:fs';
import {createServer, type Server, type Socket} from 'node:net';
import {join} from 'node:path';
import type {AskedPath, ExitWatch, Mount} from '../contract.js';
import {ASKED} from '../starter/way.js';
import {openPath} from './open-path.js';

/** What a program inside said. */
export interface SaidPath {
  readonly path: string;
  readonly name: string;
}

const MOST_AT_ONCE = 64;
const LONGEST = 8300;
const PATIENCE_MS = 10_000;
const YES = 'y';
const NO = 'n';

/** Takes the questions about paths of the programs of one gemini: each has a socket of its own. */
export class PathQuestions {
  readonly #open = new Set<Server>();
  #count = 0;

  constructor(private readonly starter: string) {}

  /** What must be mounted so that a program can ask. `judge` says what is really refused. */
  async open(folder: string, watch: ExitWatch, judge: (said: SaidPath) => AskedPath | undefined): Promise<Mount> {
    const source = join(folder, `asked-${this.#count++}`);
    const server = createServer({allowHalfOpen: true}, (socket) => {
      socket.on('error', () => socket.destroy());
      void this.#answer(socket, {source, watch, judge}).then(
        (opened) => {
          socket.end(opened ? YES : NO);
          // The only thing that is still said: the call fails all the same.
          socket.once('data', () => opened && watch.late?.(opened)).resume();
        },
        () => socket.end(NO),
      );
    });
    server.maxConnections = MOST_AT_ONCE;
    server.listen(source);
    await once(server, 'listening');
    chmodSync(source, 0o600);
    server.unref();
    this.#open.add(server);
    const close = (): void => {
      server.close();
      this.#open.delete(server);
    };
    watch.signal.addEventListener('abort', close, {once: true});
    if (watch.signal.aborted) close();
    return {kind: 'read', path: ASKED, source, why: 'the way to questions about paths'};
  }

  close(): void {
    for (const server of this.#open) server.close();
    this.#open.clear();
  }

  async #answer(
    socket: Socket,
    {
      source,
      watch,
      judge,
    }: {readonly source: string; readonly watch: ExitWatch} & {
      readonly judge: (said: SaidPath) => AskedPath | undefined;
    },
  ): Promise<AskedPath | undefined> {
    const said = await readSaid(socket);
    const asked = said && judge(said);
    if (!asked || !(await watch.decidePath?.(asked)) || asked.fault !== undefined) return undefined;
    if (await openPath(this.starter, source, asked.path)) return asked;
    watch.late?.(asked);
    return undefined;
  }
}

/** A path and a name, each with a zero behind it; undefined for anything else. */
async function readSaid(socket: Socket): Promise<SaidPath | undefined> {
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  let text = Buffer.alloc(0);
  for await (const chunk of socket.iterator({destroyOnReturn: false})) {
    text = Buffer.concat([text, chunk as Buffer]);
    const [path, name, rest] = text.toString().split('\0');
    if (text.length > LONGEST) break;
    if (path === undefined || name === undefined || rest === undefined) continue;
    socket.setTimeout(0);
    return rest === '' && path.startsWith('/') ? {path, name} : undefined;
  }
  return undefined;
}
