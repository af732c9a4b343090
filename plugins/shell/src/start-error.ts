import {stat} from 'node:fs/promises';
import {ToolError} from '@gemini-kernel/kernel';

const EXHAUSTED = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];

/** Why a command could not be started, for the model to act on. */
export async function startError(
  cause: unknown,
  {command, directory, shell}: {readonly command: string; readonly directory: string; readonly shell: string},
): Promise<ToolError> {
  const {code = '', message} = cause as NodeJS.ErrnoException;
  if (code === 'E2BIG' || code === 'ENAMETOOLONG') {
    const size = Buffer.byteLength(command).toLocaleString('en-US');
    return new ToolError(
      'COMMAND_TOO_LONG',
      `The command (${size} bytes) and its environment are longer than the system allows.`,
      {
        cause,
        hint: 'Write it to a file with write_file and run that file, or pass its input as stdin.',
      },
    );
  }
  if (EXHAUSTED.includes(code)) {
    return new ToolError('PROCESSES_EXHAUSTED', `The system cannot start another process (${code}).`, {
      cause,
      hint: 'End background processes that are no longer needed (list_background_processes), then try again.',
    });
  }
  const fault = await directoryFault(directory);
  if (fault)
    return new ToolError('COMMAND_DIRECTORY_GONE', `Cannot run a command in ${directory}: ${fault}.`, {
      cause,
      hint: 'Use another dir_path, or create the directory first.',
    });
  return new ToolError('COMMAND_UNSTARTED', `${shell} cannot be started in ${directory}: ${message}`, {
    cause,
    hint: command.includes('\0')
      ? 'Remove the zero byte from the command.'
      : 'Tell the user: this account may not use the shell or the directory.',
  });
}

async function directoryFault(directory: string): Promise<string | undefined> {
  try {
    return (await stat(directory)).isDirectory() ? undefined : 'it is not a directory';
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'it does not exist' : message;
  }
}
