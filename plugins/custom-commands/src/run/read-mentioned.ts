import {stat} from 'node:fs/promises';
import {isAbsolute, join} from 'node:path';
import {messageOf, type SessionTools, type Tell} from '@gemini-kernel/kernel';
import type {PromptPart} from '@gemini-kernel/plugin-agent/contract';
import type {PathExplanation, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {CustomCommand, TemplatePart} from '../contract.js';

type FilePart = Extract<TemplatePart, {kind: 'file'}>;

interface Reading {
  readonly command: CustomCommand;
  readonly tools: SessionTools;
  readonly workspace: Workspace;
  readonly tell: Tell;
  readonly signal: AbortSignal;
}

/**
 * The content of a file or folder, read by a call of a tool. An ignored one gives nothing; the placeholder stays for
 * one that cannot be read. A notice says so in both cases.
 */
export async function readMentioned(part: FilePart, reading: Reading): Promise<readonly PromptPart[]> {
  const {command, tell, signal} = reading;
  const report = (why: string): void =>
    tell({
      code: 'CUSTOM_COMMAND_UNREAD',
      sentence: `/${command.name} did not read ${part.path}: ${why.replace(/\.$/, '')}.`,
    });
  try {
    const {ignoredBy, real} = await locate(part.path, reading.workspace);
    if (ignoredBy) {
      report(`line ${ignoredBy.line} of ${ignoredBy.file} ignores it`);
      return [];
    }
    return await read(real, reading);
  } catch (error) {
    signal.throwIfAborted();
    report(messageOf(error));
    return [{text: part.source}];
  }
}

/** Where a path is: in the first directory of the workspace that has it. */
async function locate(path: string, workspace: Workspace): Promise<PathExplanation> {
  const candidates = isAbsolute(path) ? [path] : (await workspace.roots()).map(({path: root}) => join(root, path));
  const explained = await Promise.all(candidates.map((one) => workspace.explain(one)));
  const found = explained.find(({exists}) => exists);
  if (!found) throw new Error('there is no such file or folder in the workspace');
  if (!found.root) throw new Error('it is outside the workspace');
  return found;
}

async function read(path: string, {tools, signal}: Reading): Promise<readonly PromptPart[]> {
  const isFolder = (await stat(path)).isDirectory();
  const request = isFolder
    ? {tool: 'read_many_files', input: {include: [`${path.replace(/[*?[\]{}()!]/g, '\\$&')}/**`]}}
    : {tool: 'read_file', input: {file_path: path}};
  const outcome = await tools.call(request, {signal});
  if (outcome.status === 'refused') throw new Error(outcome.reason);
  if (outcome.status === 'failed') throw new Error(outcome.error.message);
  const {model} = outcome.result;
  return typeof model === 'string' ? [{text: model}] : model;
}
