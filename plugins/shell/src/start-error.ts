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
      `The command, ${size} bytes long, and its environment are longer than the system takes.`,
      {
        cause,
        hint: 'Write it to a file with write_file and run that file, or give what it reads as stdin.',
      },
    );
  }
  if (EXHAUSTED.includes(code)) {
    return new ToolError('PROCESSES_EXHAUSTED', `The system has no room for another process (${code}).`, {
      cause,
      hint: 'End background processes that are no longer needed (list_background_processes), then try again.',
    });
  }
  const fault = await directoryFault(directory);
  if (fault)
    return new ToolError('COMMAND_DIRECTORY_GONE', `Cannot run a command in ${directory}: ${fault}.`, {
      cause,
      hint: 'Give another dir_path, or create the directory first.',
    });
  return new ToolError('COMMAND_UNSTARTED', `${shell} cannot be started in ${directory}: ${message}`, {
    cause,
    hint: command.includes('\0')
      ? 'Leave the zero byte out of the command.'
      : 'Tell the user; the shell or the directory may not be used by this account.',
  });
}

async function directoryFault(directory: string): Promise<string | undefined> {
  try {
    return (await stat(directory)).isDirectory() ? undefined : 'it is no directory';
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'it does not exist' : message;
  }
}
