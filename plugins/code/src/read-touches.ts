import type {Touch} from '@gemini-kernel/kernel';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';

/** What a call reads: the path that it is given, or every directory of the workspace. */
export async function readTouches(path: string | undefined, workspace: Workspace): Promise<readonly Touch[]> {
  if (path !== undefined) {
    const value = await workspace.resolve(path, {access: 'read'});
    return [{kind: 'path', value, access: 'read', isSubject: true}];
  }
  return (await workspace.roots()).map((root) => ({kind: 'path', value: root.path, access: 'read'}));
}

/** Of things found in files, those in files that the call may read. */
export async function permitted<T extends {readonly path: string}>(
  items: readonly T[],
  permits: (touches: readonly Touch[]) => Promise<readonly boolean[]>,
): Promise<readonly T[]> {
  const paths = [...new Set(items.map(({path}) => path))];
  const answers = await permits(paths.map((value) => ({kind: 'path', value, access: 'read'})));
  const open = new Set(paths.filter((_, index) => answers[index] === true));
  return items.filter(({path}) => open.has(path));
}

/** The path that a call was given. */
export function pathOf(touches: readonly Touch[]): string | undefined {
  return touches.find(({isSubject}) => isSubject)?.value;
}
