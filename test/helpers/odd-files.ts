import {execFileSync} from 'node:child_process';
import {mkdirSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:net';

/** What can stand where a file of configuration is read. */
export const oddKinds = [
  'FIFO',
  'endless device',
  'directory',
  'loop link',
  'dangling link',
  'sparse gigabyte',
  'unreadable',
  'socket',
] as const;
export type OddFile = (typeof oddKinds)[number];

/** Puts one of these at a path; the result removes what a process holds. Unix only. */
export async function makeOddFile(path: string, kind: OddFile): Promise<() => Promise<void>> {
  if (kind === 'socket') {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return () => close(server);
  }
  const make: Readonly<Record<Exclude<OddFile, 'socket'>, () => unknown>> = {
    FIFO: () => execFileSync('mkfifo', [path]),
    'endless device': () => symlinkSync('/dev/zero', path),
    directory: () => mkdirSync(path),
    'loop link': () => symlinkSync(path, path),
    'dangling link': () => symlinkSync(`${path}.nowhere`, path),
    'sparse gigabyte': () => {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 30);
    },
    unreadable: () => writeFileSync(path, 'secret', {mode: 0}),
  };
  make[kind]();
  return () => Promise.resolve();
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
