import {execFile} from 'node:child_process';
import {mkdir, mkdtemp, realpath, symlink, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {systemPath} from '#plugins/search/dist/engine/bytes.js';

const run = promisify(execFile);

/**
 * What stands at a relative path: content, a directory (null), a symbolic link, a pipe or a socket. Bytes of names that
 * are no UTF-8 are as `decodeBytes` gives them.
 */
export type TreeEntries = Readonly<
  Record<string, string | Buffer | null | {readonly link: string} | {readonly special: 'pipe' | 'socket'}>
>;

export interface Tree {
  /** Real. */
  readonly path: string;
  /** The absolute path of an entry. */
  at(relative: string): string;
  /** Paths below the tree as they are in it, `.` for itself. */
  inside(paths: readonly string[]): readonly string[];
  add(entries: TreeEntries): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A directory of real files for one test, removed when the test is over, however deep it is. */
export async function buildTree(entries: TreeEntries = {}): Promise<Tree> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'search-test-')));
  const closing: (() => void)[] = [];
  const add = async (more: TreeEntries): Promise<void> => {
    for (const [relative, content] of Object.entries(more)) {
      const target = `${path}/${relative}`;
      await mkdir(systemPath(dirname(target)), {recursive: true});
      if (content === null) await mkdir(systemPath(target), {recursive: true});
      else if (typeof content === 'string' || Buffer.isBuffer(content)) await writeFile(systemPath(target), content);
      else if ('link' in content) await symlink(content.link, systemPath(target));
      else if (content.special === 'pipe') await run('mkfifo', [target]);
      else closing.push(await listenAt(target));
    }
  };
  await add(entries);
  return {
    path,
    at: (relative) => `${path}/${relative}`,
    inside: (paths) => paths.map((one) => (one === path ? '.' : one.slice(path.length + 1))),
    add,
    // Some are too deep for Node to remove.
    [Symbol.asyncDispose]: async () => {
      for (const close of closing) close();
      await run('rm', ['-rf', path]);
    },
  };
}

/** A directory so deep that its path is too long for the system; gives the name that all on the way have. */
export async function digBeyondLongestPath(path: string): Promise<string> {
  const name = 'n'.repeat(200);
  const dig =
    `for (let level = 0; level < 25; level += 1) { require('node:fs').mkdirSync(process.argv[1]); ` +
    'process.chdir(process.argv[1]); }';
  await run(process.execPath, ['-e', dig, name], {cwd: path});
  return name;
}

async function listenAt(path: string): Promise<() => void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  return () => void server.close();
}
