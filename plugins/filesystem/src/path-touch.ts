import {lstat} from 'node:fs/promises';
import {ToolError, type Touch} from '@gemini-kernel/kernel';
import type {AccessOptions, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {errnoOf} from './disk-error.js';

/**
 * The real path for a tool's path argument. Models copy `@path` from prompts, so a leading `@` is dropped unless the
 * name has it.
 */
export async function resolvePath(
  given: string,
  workspace: Pick<Workspace, 'resolve'>,
  options?: AccessOptions,
): Promise<string> {
  const path = given.replaceAll('\0', '');
  if (!/^@./.test(path)) return workspace.resolve(path, options);
  const literal = await workspace.resolve(path, options);
  return (await exists(literal)) ? literal : workspace.resolve(path.slice(1), options);
}

/** The one touch of a tool that works on one path. `subjectOf` returns that path when the tool runs. */
export async function touchOf(
  given: string,
  access: 'read' | 'write',
  workspace: Pick<Workspace, 'resolve'>,
): Promise<readonly Touch[]> {
  return [{kind: 'path', value: await resolvePath(given, workspace, {access}), access, isSubject: true}];
}

/** Throws FILE_IGNORED, naming the rule, when the ignore rules exclude the file. */
export async function refuseIgnored(path: string, workspace: Pick<Workspace, 'ignored' | 'explain'>): Promise<void> {
  const [ignored] = await workspace.ignored([path]);
  if (!ignored) return;
  const {ignoredBy} = await workspace.explain(path);
  const rule =
    ignoredBy === undefined ? 'the ignore rules' : `${ignoredBy.file}, line ${ignoredBy.line}: ${ignoredBy.pattern}`;
  throw new ToolError('FILE_IGNORED', `${path} is ignored by ${rule}.`, {
    hint: 'Work without it, or ask the user to change the rule.',
  });
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
