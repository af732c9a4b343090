import {lstatSync, readFileSync} from 'node:fs';

/** Flags of a socket that takes connections, as /proc has them. */
const LISTENS = 0x1_0000;

/**
 * The sockets in the file system behind which a program waits. A read-only mount does not keep anyone from talking to
 * them, and the program behind may do what is asked of it.
 */
export function listeningSockets(): readonly string[] {
  let table: string;
  try {
    table = readFileSync('/proc/net/unix', 'utf8');
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return [];
  }
  const paths = table.split('\n').flatMap((line) => {
    const [, flags = '', path = ''] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +\d+ (\/.*)$/.exec(line) ?? [];
    return (Number.parseInt(flags, 16) & LISTENS) === 0 ? [] : [path];
  });
  return [...new Set(paths)].filter(isSocket);
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path, {throwIfNoEntry: false})?.isSocket() === true;
  } catch (error) {
    // A program may listen where this one may not look; then a confined one cannot connect either.
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return false;
  }
}
