import {resolve} from 'node:path';
import {readRegular} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {fillArguments} from './fill-arguments.js';
import {splitFrontMatter, type FileFlags} from './front-matter.js';

const LARGEST = 8 * 1024 * 1024;

/** A prompt from a file, with its arguments and the settings of its head. */
export interface FilePrompt {
  readonly text: string;
  readonly flags: FileFlags;
}

/** Reads a prompt file. Throws KernelError PROMPT_FILE_UNREADABLE, PROMPT_FILE_INVALID or PROMPT_ARGUMENTS_WRONG. */
export async function readPromptFile(path: string, given: readonly string[]): Promise<FilePrompt> {
  const file = resolve(path);
  const bytes = await readRegular(file, {limit: LARGEST}).catch((cause: unknown) => {
    const hint = 'Pass a text file of at most 8 MiB. Pass the output of another program on standard input.';
    throw unreadable(file, messageOf(cause), {cause, hint});
  });
  const {flags, body} = splitFrontMatter(path, decode(file, bytes));
  return {flags, text: fillArguments(path, body, given).trim()};
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw unreadable(file, 'it is not UTF-8 text.', {hint: 'Save it as UTF-8.'});
}

interface Reason {
  readonly cause?: unknown;
  readonly hint: string;
}

function unreadable(file: string, why: string, options: Reason): KernelError {
  return new KernelError('PROMPT_FILE_UNREADABLE', `Cannot read the prompt file ${file}: ${why}`, options);
}
