import {relative, sep} from 'node:path';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';

/** Says paths as the tools take them: from the first directory of the workspace, else absolute. */
export async function pathShower(workspace: Pick<Workspace, 'roots'>): Promise<(path: string) => string> {
  const root = (await workspace.roots())[0]?.path;
  return (path) => {
    if (root === undefined || !(path === root || path.startsWith(root + sep))) return plain(path);
    return plain(relative(root, path) || '.');
  };
}

/** One with control characters is written in quotes. */
function plain(path: string): string {
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}
