import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {ExitConnection, ExitWatch, Mount, Plan} from '../contract.js';
import {PORT, SOCKET} from '../starter/way.js';
import {readHostRule, type HostRule} from './host-rules.js';
import {NetworkExit, type ExitOptions, type Secrets} from './network-exit.js';

/** What a program needs to find the way out. */
export interface WayOut {
  readonly mounts: readonly Mount[];
  readonly variables: Readonly<Record<string, string>>;
}

/** The path of a socket has at most 107 bytes. */
const LONGEST_FOLDER = 80;

/** Whether the path of a socket in a folder is short enough for the system. */
export function isForSocket(folder: string): boolean {
  return Buffer.byteLength(folder) <= LONGEST_FOLDER;
}

/** The exits of one gemini: one for each list of hosts, and one for each program that is watched. */
export class Exits {
  readonly #open = new Map<string, Promise<NetworkExit>>();
  readonly #watched = new Set<NetworkExit>();
  #count = 0;

  constructor(private readonly report: (connection: ExitConnection) => void) {}

  /**
   * Throws KernelError SANDBOX_GRANT_INVALID for what is not a host. Undefined where nothing is granted and the folder
   * of the session is too long a path for a socket.
   */
  async open(
    {network: {hosts = []}}: Plan,
    folder: string,
    {watch, secrets}: {readonly watch: ExitWatch | undefined; readonly secrets?: Secrets | undefined},
  ): Promise<WayOut | undefined> {
    const rules = hosts.map(({host, why}) => readRule(host, why));
    if (watch && hosts.length === 0 && !isForSocket(folder)) return undefined;
    const options = {rules, report: this.report, ...(secrets ? {secrets} : {})};
    if (watch) return wayOut(await this.#openWatched(options, folder, watch));
    const key = JSON.stringify([[...new Set(hosts.map(({host}) => host))].sort(), secrets?.credentials]);
    const known = [...this.#open.keys()];
    const index = known.includes(key) ? known.indexOf(key) : known.length;
    const source = join(folder, `exit-${index}`);
    if (!this.#open.has(key)) this.#open.set(key, NetworkExit.open(source, options));
    await this.#open.get(key);
    return wayOut(source);
  }

  close(): void {
    // One that could not be opened has nothing to close; who asked for it has been given the error.
    for (const exit of this.#open.values())
      exit.then(
        (one) => one.close(),
        () => undefined,
      );
    this.#open.clear();
    for (const exit of this.#watched) exit.close();
    this.#watched.clear();
  }

  /** An answer about one program counts for no other, so that it has a socket of its own. */
  async #openWatched(options: ExitOptions, folder: string, watch: ExitWatch): Promise<string> {
    watch.signal.throwIfAborted();
    const source = join(folder, `watched-${this.#count++}`);
    const report = (connection: ExitConnection): void => {
      this.report(connection);
      watch.report?.(connection);
    };
    const exit = await NetworkExit.open(source, {...options, report, decide: (asked) => watch.decide(asked)});
    const close = (): void => {
      exit.close();
      this.#watched.delete(exit);
    };
    this.#watched.add(exit);
    watch.signal.addEventListener('abort', close, {once: true});
    if (watch.signal.aborted) close();
    return source;
  }
}

function wayOut(source: string): WayOut {
  return {
    mounts: [{kind: 'read', path: SOCKET, source, why: 'the way to the hosts that are granted'}],
    variables: proxyVariables(),
  };
}

/** Where programs look for a proxy. */
function proxyVariables(): Readonly<Record<string, string>> {
  const [http, socks] = [`http://127.0.0.1:${PORT}`, `socks5h://127.0.0.1:${PORT}`];
  const named = {HTTP_PROXY: http, HTTPS_PROXY: http, ALL_PROXY: socks, NO_PROXY: 'localhost,127.0.0.1,::1'};
  const lower = Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]);
  return {...named, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: '1'};
}

function readRule(host: string, why: string): HostRule {
  const rule = readHostRule(host);
  if (rule) return rule;
  throw new KernelError('SANDBOX_GRANT_INVALID', `${why} grants "${host}", which is not a host.`, {
    hint: 'Write a name such as packages.example.com, *.example.com, or a name with a port: db.example.com:5432.',
  });
}
