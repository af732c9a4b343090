import {execFile, spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What git holds of a file, and its stat data when git last saw it. */
export interface IndexEntry {
  readonly oid: string;
  /** As git writes it: 100644, 100755, 120000. */
  readonly mode: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Git is configured to ignore changes of the file: its content is unknown. */
  readonly isHidden: boolean;
}

/** Runs nothing that a repository's own settings name. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
const ENTRY =
  /(\d{6}) ([0-9a-f]{40,64}) \d\t([^\0]+)\0\s+ctime: \d+:\d+\s+mtime: (\d+):(\d+)\s+dev: \d+\s+ino: \d+\s+uid: \d+\s+gid: \d+\s+size: (\d+)\s+flags: ([0-9a-f]+)\n/g;
/** Assume-unchanged, and skip-worktree. */
const HIDDEN = 0x8000 + 0x4000_0000;

export interface Listed {
  readonly held: ReadonlyMap<string, IndexEntry>;
  readonly others: readonly string[];
}

/**
 * The files below a root as git lists them: tracked ones, and others that no rule ignores. Undefined outside a work
 * tree.
 */
export async function listWithGit(root: string, variables: Variables, timeoutMs: number): Promise<Listed | undefined> {
  if (!isInRepository(root)) return undefined;
  const [held, others] = await Promise.all([
    runGit(root, ['ls-files', '-z', '--stage', '--debug'], {variables, timeoutMs}),
    runGit(root, ['ls-files', '-z', '--others', '--exclude-standard'], {variables, timeoutMs}),
  ]);
  if (held === undefined || others === undefined) return undefined;
  return {held: parseEntries(root, held), others: parsePaths(root, others)};
}

/** Parses the output of `ls-files --stage --debug`. */
export function parseEntries(root: string, text: string): ReadonlyMap<string, IndexEntry> {
  const matches = text.matchAll(ENTRY);
  return new Map(
    [...matches].map(([, mode = '', oid = '', path = '', seconds, nanoseconds, size, flags = '']) => {
      const mtimeMs = Number(seconds) * 1000 + Number(nanoseconds) / 1e6;
      const isHidden = (Number.parseInt(flags, 16) & HIDDEN) !== 0;
      return [join(root, path), {oid, mode, size: Number(size), mtimeMs, isHidden}];
    }),
  );
}

/** Paths of files as git lists them with `-z`, without folders, which are nested repositories. */
export function parsePaths(root: string, text: string): readonly string[] {
  return text
    .split('\0')
    .filter((path) => path !== '' && !path.endsWith('/'))
    .map((path) => join(root, path));
}

/** Whether a folder seems to be in a git work tree, judged by names. */
export function isInRepository(root: string): boolean {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (dirname(folder) === folder) return false;
  }
}

export interface GitRun {
  readonly variables: Variables;
  readonly timeoutMs: number;
}

/** Runs git and returns its output; undefined when it fails or takes too long. */
export function runGit(
  root: string,
  words: readonly string[],
  {variables, timeoutMs}: GitRun,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = {...variables, GIT_OPTIONAL_LOCKS: '0'};
    execFile(
      'git',
      [...QUIET, ...words],
      {cwd: root, env, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024, windowsHide: true},
      (error, stdout) => {
        resolve(error ? undefined : stdout);
      },
    );
  });
}

/** Contents that git holds, by id; those that git does not return in time are missing. */
export function readBlobs(
  root: string,
  oids: readonly string[],
  {variables, timeoutMs}: {readonly variables: Variables; readonly timeoutMs: number},
): Promise<ReadonlyMap<string, Buffer>> {
  return new Promise((resolve) => {
    const child = spawn('git', [...QUIET, 'cat-file', '--batch'], {
      cwd: root,
      env: {...variables, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1'},
      timeout: timeoutMs,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', () => resolve(new Map()));
    child.on('close', () => resolve(parseBatch(Buffer.concat(chunks))));
    // A git that has already exited does not read the rest.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${oids.join('\n')}\n`);
  });
}

function parseBatch(output: Buffer): ReadonlyMap<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const [oid = '', kind, size] = output.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (kind !== 'blob') continue;
    const content = output.subarray(at, at + Number(size));
    if (content.length === Number(size)) blobs.set(oid, content);
    at += Number(size) + 1;
  }
  return blobs;
}
