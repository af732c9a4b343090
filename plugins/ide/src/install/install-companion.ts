import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {findCommandLine} from './find-command-line.js';
import {EXTENSION, type InstallableEditor} from './installable-editors.js';
import {runCommandLine, type CommandLineEnd} from './run-command-line.js';

export interface InstallParts {
  readonly environment: Pick<Environment, 'cwd' | 'home' | 'platform' | 'variables'>;
  readonly signal: AbortSignal;
  /** How long the editor's command may take. */
  readonly mostMs?: number;
  /** Told the command before it runs. */
  onRun?(command: string): void;
}

export interface InstalledCompanion {
  /** The file that was run. */
  readonly command: string;
  /** What it said last. */
  readonly said: string;
}

const MOST_MS = 120_000;
const MOST_LINES = 5;
const MOST_CHARACTERS = 1000;

/**
 * Has an editor install the companion, and resolves only when its command says that it did. Throws KernelError
 * IDE_CLI_MISSING or IDE_INSTALL_FAILED, and the signal's reason.
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
  throw failed(`ended ${code === null ? 'by a signal' : `with code ${code}`}: ${said || 'it did not say why'}`, {
    code,
    said,
  });

  async function run(): Promise<CommandLineEnd> {
    const limit = AbortSignal.timeout(mostMs);
    try {
      return await runCommandLine({line, args, environment, signal: AbortSignal.any([signal, limit])});
    } catch (cause) {
      signal.throwIfAborted();
      if (limit.aborted) throw failed(`did not end within ${mostMs / 1000} seconds, and was ended`, {cause});
      throw failed(`could not be started: ${messageOf(cause)}`, {cause});
    }
  }

  function failed(
    how: string,
    {cause, ...data}: {readonly cause?: unknown; readonly code?: number | null; readonly said?: string},
  ): KernelError {
    const fork = editor.isFork
      ? ` ${editor.displayName} takes extensions from Open VSX or from a shop of its own, which may not have it; a ` +
        '.vsix file that you got elsewhere goes behind --install-extension too.'
      : '';
    return new KernelError(
      'IDE_INSTALL_FAILED',
      `The companion could not be installed into ${editor.displayName}: ${line.file} ${how}`.replace(/\.?$/, '.'),
      {
        cause,
        data: {command: line.file, args, ...data},
        hint: `Add the extension ${EXTENSION} in its view of extensions.${fork}`,
      },
    );
  }
}

/** What a program said at its end, without the warnings of its own engine. */
function lastWords(output: string): string {
  const lines = output
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^\(node:\d+\)|^\(Use `/.test(line));
  return lines.slice(-MOST_LINES).join(' ').slice(-MOST_CHARACTERS);
}
