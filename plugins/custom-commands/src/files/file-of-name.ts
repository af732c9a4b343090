import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {commandName} from './command-name.js';

/** The file for a new command, below its folder: `git:commit` is `git/commit.toml`. */
export function fileOfName(folder: string, name: string): string {
  const words = name.replace(/^\//, '').split(/[:/]/);
  const file = `${words.join('/')}.toml`;
  const isSafe = words.every((word) => /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(word));
  if (isSafe && commandName(file.split('/')) === words.join(':')) return join(folder, ...file.split('/'));
  throw new KernelError('CUSTOM_COMMAND_INVALID', `${JSON.stringify(name)} is not a valid name of a command.`, {
    hint: 'Use letters, digits, "_", "-" and ".", at most 50 of them, and ":" between folders: git:commit.',
  });
}
