import {mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

/** What stands at a relative path: text, a directory (null), or a symbolic link. */
export type Entries = Readonly<Record<string, string | null | {readonly link: string}>>;

export interface TemporaryDirectory {
  /** Real. */
  readonly path: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A directory of its own for one test, removed when the test is over. */
export async function temporaryDirectory(entries: Entries = {}): Promise<TemporaryDirectory> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'workspace-test-')));
  await writeEntries(path, entries);
  return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
}

/** Writes entries below a directory. */
export async function writeEntries(root: string, entries: Entries): Promise<void> {
  for (const [name, content] of Object.entries(entries)) {
    const path = join(root, name);
    await mkdir(dirname(path), {recursive: true});
    if (content === null) await mkdir(path, {recursive: true});
    else if (typeof content === 'string') await writeFile(path, content);
    else await symlink(content.link, path);
  }
}
