import {spawn} from 'node:child_process';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Seat} from '../contract.js';
import {findEditor} from './find-editor.js';

/** Where the editor runs: it has these streams while a file is open. */
export interface EditingParts {
  readonly environment: Pick<Environment, 'variables' | 'platform'>;
  readonly seat: Pick<Seat, 'service'> & {
    readonly input: Seat['input'] | 'inherit';
    /** 2: standard error. */
    readonly output: Seat['output'] | 'inherit' | 2;
  };
}

/** Returns when the file is closed. Throws KernelError EDITOR_MISSING or EDITOR_FAILED. */
export async function runEditor(file: string, parts: EditingParts): Promise<void> {
  const {input, output} = parts.seat;
  const editor = await findEditor(parts);
  if (!editor)
    throw new KernelError('EDITOR_MISSING', 'No editor is set.', {
      hint: 'Choose one with /editor, or set VISUAL or EDITOR, for example EDITOR=vim.',
    });
  const isWindows = parts.environment.platform === 'win32';
  const [command, words] = isWindows ? [`${editor} "${file}"`, []] : ['sh', ['-c', `${editor} "$1"`, 'sh', file]];
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: unknown, how: string): void =>
      reject(
        new KernelError('EDITOR_FAILED', `The editor ${editor} ${how}, so the text is unchanged.`, {
          cause,
          hint: 'Check /editor, VISUAL or EDITOR, which names the editor.',
        }),
      );
    const child = spawn(command, words, {stdio: [input, output, output], shell: isWindows});
    child.on('error', (cause) => failed(cause, 'could not be started'));
    child.on('close', (code) => (code === 0 ? resolve() : failed(undefined, `ended with code ${code ?? 'none'}`)));
  });
}
