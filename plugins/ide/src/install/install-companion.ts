import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {findCommandLine} from './find-command-line.js';
import {EXTENSION, type InstallableEditor} from './installable-editors.js';
import {runCommandLine, type CommandLineEnd} from './run-command-line.js';

export interface InstallParts {
  readonly environment: Pick<Environment, 'cwd' | 'home' | 'platform' | 'variables'>;
  readonly signal: AbortSignal;
  /** How long the editor's command may take. */
  readonly mostMs?: number;
  /** Called with the command before it runs. */
  onRun?(command: string): void;
}

export interface InstalledCompanion {
  /** The file that was run. */
  readonly command: string;
  /** The end of its output. */
  readonly said: string;
}

const MOST_MS = 120_000;
const MOST_LINES = 5;
const MOST_CHARACTERS = 1000;

/**
 * Installs the companion with the editor's command, and resolves only when that command reports success. Throws
 * KernelError IDE_CLI_MISSING or IDE_INSTALL_FAILED, and the signal's reason.
 */
export async function installCompanion(
  editor: InstallableEditor,
  {environment, signal, mostMs = MOST_MS, onRun}: InstallParts,
): Promise<InstalledCompanion> {
  const line = await findCommandLine(editor, environment);
  const args = ['--install-extension', EXTENSION, '--force'];
  onRun?.(`${line.file} ${args.join(' ')}`);
  const {code, output} = await run();
  const said = lastWords(output);
  if (code === 0) return {command: line.file, said};
  throw failed(`ended ${code === null ? 'by a signal' : `with code ${code}`}: ${said || 'it gave no reason'}`, {
    code,
    said,
  });

  async function run(): Promise<CommandLineEnd> {
    const limit = AbortSignal.timeout(mostMs);
    try {
      return await runCommandLine({line, args, environment, signal: AbortSignal.any([signal, limit])});
    } catch (cause) {
      signal.throwIfAborted();
      if (limit.aborted) throw failed(`did not end within ${mostMs / 1000} seconds, so gemini stopped it`, {cause});
      throw failed(`could not be started: ${messageOf(cause)}`, {cause});
    }
  }

  function failed(
    how: string,
    {cause, ...data}: {readonly cause?: unknown; readonly code?: number | null; readonly said?: string},
  ): KernelError {
    const fork = editor.isFork
      ? ` ${editor.displayName} takes extensions from Open VSX or its own marketplace, which may not have it; ` +
        'to install a .vsix file from elsewhere, pass it with --install-extension.'
      : '';
    return new KernelError(
      'IDE_INSTALL_FAILED',
      `Cannot install the companion into ${editor.displayName}: ${line.file} ${how}`.replace(/\.?$/, '.'),
      {
        cause,
        data: {command: line.file, args, ...data},
        hint: `Add the extension ${EXTENSION} in its Extensions view.${fork}`,
      },
    );
  }
}

/** The end of a program's output, without the warnings of its engine. */
function lastWords(output: string): string {
  const lines = output
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^\(node:\d+\)|^\(Use `/.test(line));
  return lines.slice(-MOST_LINES).join(' ').slice(-MOST_CHARACTERS);
}
