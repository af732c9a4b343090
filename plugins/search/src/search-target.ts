import {lstat} from 'node:fs/promises';
import {ToolError, type Touch} from '@gemini-kernel/kernel';
import type {IgnoreOptions, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {ignoredSentence} from './ignored-sentence.js';
import {shownPath} from './shown-path.js';

/** What a search touches: the directory or file that it is given, or every directory of the workspace. */
export async function searchTouches(
  path: string | undefined,
  workspace: Pick<Workspace, 'resolve' | 'roots'>,
): Promise<readonly Touch[]> {
  const paths =
    path === undefined
      ? (await workspace.roots()).map((root) => root.path)
      : [await workspace.resolve(path, {access: 'read'})];
  return paths.map((value) => ({kind: 'path', value, access: 'read'}));
}

/** Refuses a place to search in that is missing, of the wrong kind, or ignored. */
export async function checkTarget(
  path: string,
  {
    workspace,
    ignore,
    files,
    hint,
  }: {
    readonly workspace: Pick<Workspace, 'explain' | 'ignored'>;
    readonly ignore: IgnoreOptions | false;
    readonly files: boolean;
    readonly hint: string;
  },
): Promise<void> {
  // The path is real: a link that stands there was put there after it was judged.
  const found = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === undefined) throw cause;
    const isMissing = cause.code === 'ENOENT' || cause.code === 'ENOTDIR';
    throw new ToolError(
      'SEARCH_PATH_UNUSABLE',
      `Cannot search in ${shownPath(path)}: ${isMissing ? 'it does not exist' : cause.code}.`,
      {
        cause,
        hint: 'List the directory above to see what is there, or leave dir_path out to search the whole workspace.',
      },
    );
  });
  const isUsable = found.isDirectory() || (files && found.isFile());
  if (!isUsable)
    throw new ToolError(
      'SEARCH_PATH_UNUSABLE',
      `Cannot search in ${shownPath(path)}: it is ${found.isFile() ? 'a file' : 'neither a file nor a directory'}.`,
      {hint: 'Give a directory.'},
    );
  if (ignore === false || !(await workspace.ignored([found.isDirectory() ? `${path}/` : path], ignore))[0]) return;
  throw new ToolError('SEARCH_PATH_IGNORED', await ignoredSentence(path, workspace), {hint});
}
