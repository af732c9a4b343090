import {readdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {ToolError, type ToolResult} from '@gemini-kernel/kernel';
import type {Session, ToolOutcome} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-workspace/contract';

const MOST_FILES = 200;

interface FileResource {
  readonly uri: string;
  readonly name: string;
}

type FileContent = {readonly uri: string; readonly mimeType?: string} & (
  {readonly text: string} | {readonly blob: string}
);

/** The files at the top of each directory of the workspace; all others are reached by the template. */
export async function listFiles(session: Session): Promise<readonly FileResource[]> {
  const workspace = await session.service('workspace');
  const found: string[] = [];
  for (const {path} of await workspace.roots()) {
    const entries = await readdir(path, {withFileTypes: true}).catch(() => []);
    const paths = entries.filter((entry) => entry.isFile()).map(({name}) => join(path, name));
    const ignored = await workspace.ignored(paths);
    found.push(...paths.filter((_, at) => !ignored[at]));
  }
  return found.slice(0, MOST_FILES).map((path) => ({uri: pathToFileURL(path).href, name: basename(path)}));
}

/** A file as `read_file` reads it, by the one path of every call. */
export async function readFileResource(
  uri: string,
  call: (path: string) => Promise<ToolOutcome>,
): Promise<FileContent> {
  if (!uri.startsWith('file:///'))
    throw new ToolError('MCP_RESOURCE_UNREADABLE', `${uri} is not the address of a file.`);
  const outcome = await call(fileURLToPath(uri));
  if (outcome.status === 'refused')
    throw new ToolError('MCP_RESOURCE_UNREADABLE', `The call was refused: ${outcome.reason}`);
  if (outcome.status === 'failed')
    throw new ToolError('MCP_RESOURCE_UNREADABLE', outcome.error.message, {cause: outcome.error.cause});
  return {uri, ...contentOf(outcome.result)};
}

function contentOf({
  model,
  plain,
}: ToolResult): {readonly text: string} | {readonly mimeType: string; readonly blob: string} {
  if (typeof model !== 'string')
    for (const part of model)
      if ('inlineData' in part) return {mimeType: part.inlineData.mimeType, blob: part.inlineData.data};
  const text = typeof model === 'string' ? model : model.map((part) => ('text' in part ? part.text : '')).join('');
  return {text: plain ?? text};
}
