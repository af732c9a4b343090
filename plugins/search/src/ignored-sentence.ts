import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {shownPath} from './shown-path.js';

/** Says of a path that is ignored which line does it, if the settings have one that does. */
export async function ignoredSentence(path: string, workspace: Pick<Workspace, 'explain'>): Promise<string> {
  const {ignoredBy} = await workspace.explain(path);
  if (ignoredBy === undefined) return `${shownPath(path)} is ignored.`;
  const {file, line, pattern} = ignoredBy;
  return (
    `${shownPath(path)} is ignored by ${line === 0 ? `what is ${file}` : `${shownPath(file)}, line ${line}`}: ` +
    `${pattern}.`
  );
}
