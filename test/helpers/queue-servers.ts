import {execFile, spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync} from 'node:fs';
import {chown, mkdtemp, rm} from 'node:fs/promises';
import {connect, createServer, type AddressInfo, type Server, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {promisify} from 'node:util';

const run = promisify(execFile);
/** PostgreSQL refuses to be root. */
const PLAIN_USER = 65534;

/** A server of queues on loopback that a test may end, begin again and cut off. */
export interface QueueServer extends AsyncDisposable {
  /** Of its own port, and of the port of what can be cut. */
  readonly port: number;
  readonly way: Way;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** The folder of the programs of PostgreSQL, where it is installed. */
export function findPostgres(): string | undefined {
  const all = '/usr/lib/postgresql';
  const folders = existsSync(all) ? readdirSync(all).map((version) => join(all, version, 'bin')) : [];
  return folders
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .sort()
    .at(-1);
}

export function findRedis(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path));
}

export async function startPostgres(programs: string): Promise<QueueServer> {
  const isRoot = process.getuid?.() === 0;
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  if (isRoot) await chown(folder, PLAIN_USER, PLAIN_USER);
  const as = isRoot ? {uid: PLAIN_USER, gid: PLAIN_USER} : {};
  const data = join(folder, 'data');
  const options = ['-D', data, '-U', 'gemini', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  await run(join(programs, 'initdb'), options, {...as, cwd: folder});
  const settings = ['fsync=off', 'shared_buffers=16MB', 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];
  const isReady = async (port: number): Promise<boolean> =>
    run(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
  return startServer({folder, isReady}, (port) =>
    spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])], {
      ...{...as, cwd: folder, stdio: 'ignore'},
    }),
  );
}

export async function startRedis(program: string, more: readonly string[] = []): Promise<QueueServer> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const options = ['--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always', ...more];
  return startServer({folder, isReady: isOpen}, (port) =>
    spawn(program, ['--port', String(port), ...options], {stdio: 'ignore'}),
  );
}

interface Beginning {
  readonly folder: string;
  isReady(port: number): Promise<boolean>;
}

async function startServer({folder, isReady}: Beginning, begin: (port: number) => ChildProcess): Promise<QueueServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = begin(port);
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
      await setTimeout(20);
    }
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  const way = await openWay(port);
  const dispose = async (): Promise<void> => {
    await way.cut();
    await kill();
    await rm(folder, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  };
  return {port, way, kill, start, [Symbol.asyncDispose]: dispose};
}

/** What passes bytes on to a port, until it is cut. */
export interface Way {
  readonly port: number;
  cut(): Promise<void>;
  heal(): Promise<void>;
}

async function openWay(to: number): Promise<Way> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const port = await listen(server, 0);
  return {
    port,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      sockets.forEach((socket) => socket.resetAndDestroy());
      await closed;
    },
    heal: async () => void (await listen(server, port)),
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
