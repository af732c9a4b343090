import {isAbsolute} from 'node:path';
import {diffTools} from '../protocol.js';
import type {DiffBook} from './diff-book.js';

/** The answer of a companion to a tool call. */
export interface ToolAnswer {
  readonly content: {readonly type: 'text'; readonly text: string}[];
  readonly isError?: boolean;
  readonly [more: string]: unknown;
}

const FILE_PATH = {type: 'string', description: 'Absolute path of the file.'} as const;

export interface ToolCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

/** The tools of a companion, as `tools/list` gives them. */
export const toolList = [
  {
    name: diffTools.open,
    description: 'Shows a proposed change of a file as a diff; a notification reports the decision later.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        filePath: FILE_PATH,
        newContent: {type: 'string', description: 'The whole proposed text of the file.'},
      },
      required: ['filePath', 'newContent'],
    },
  },
  {
    name: diffTools.close,
    description: 'Closes the diff of a file and returns its text.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        filePath: FILE_PATH,
        suppressNotification: {
          type: 'boolean',
          description: 'Whether to send no notification about the end of the diff.',
        },
      },
      required: ['filePath'],
    },
  },
];

/** Runs a tool call. A failure is also an answer, with a sentence. */
export async function callTool(
  diffs: DiffBook,
  session: string,
  {name, arguments: input = {}}: ToolCall,
): Promise<ToolAnswer> {
  try {
    if (name === diffTools.open) return await openDiff(diffs, session, input);
    if (name === diffTools.close) return await closeDiff(diffs, session, input);
    return failed(`There is no tool ${name}.`);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function openDiff(
  diffs: DiffBook,
  session: string,
  {filePath, newContent}: Record<string, unknown>,
): Promise<ToolAnswer> {
  const path = checkPath(filePath);
  if (typeof newContent !== 'string') return failed('newContent is not a string.');
  await diffs.open(session, {path, text: newContent});
  return {content: []};
}

async function closeDiff(
  diffs: DiffBook,
  session: string,
  {filePath, suppressNotification = false}: Record<string, unknown>,
): Promise<ToolAnswer> {
  const path = checkPath(filePath);
  if (typeof suppressNotification !== 'boolean') return failed('suppressNotification is neither true nor false.');
  const content = await diffs.close(session, path, suppressNotification);
  return {content: [{type: 'text', text: JSON.stringify({content: content ?? null})}]};
}

function checkPath(path: unknown): string {
  if (typeof path !== 'string' || path.includes('\0')) throw new Error('filePath is not a valid path.');
  if (/\p{Cc}/u.test(path))
    throw new Error(
      'filePath contains a line break or another control character, which editors may take for a command: ' +
        `${JSON.stringify(path)}.`,
    );
  if (!isAbsolute(path)) throw new Error(`filePath is not absolute: ${JSON.stringify(path)}.`);
  return path;
}

function failed(sentence: string): ToolAnswer {
  return {content: [{type: 'text', text: sentence}], isError: true};
}
