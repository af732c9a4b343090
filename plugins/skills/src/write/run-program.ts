import {spawn} from 'node:child_process';
import {KernelError, type Environment} from '@gemini-kernel/kernel';

interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProgramPlace {
  readonly environment: Pick<Environment, 'variables'>;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Runs git or npm without input. Throws KernelError SKILL_INSTALL_FAILED when there is no such program. */
export function runProgram(
  name: 'git' | 'npm',
  args: readonly string[],
  {environment, folder, signal}: ProgramPlace,
): Promise<ProgramEnd> {
  // Variables of a caller that is git itself would lead into its repository.
  const variables = Object.fromEntries(
    Object.entries(environment.variables).filter(([key]) => !/^GIT_(?!SSH|ASKPASS|SSL|TERMINAL)/i.test(key)),
  );
  return new Promise((done, fail) => {
    const child = spawn(name, args, {
      cwd: folder,
      env: {...variables, GIT_TERMINAL_PROMPT: '0', npm_config_ignore_scripts: 'true'},
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      signal,
    });
    const texts = {stdout: '', stderr: ''};
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => void (texts[stream] += text));
    child.once('error', (cause) =>
      fail(
        signal.aborted
          ? (signal.reason as Error)
          : new KernelError('SKILL_INSTALL_FAILED', `Cannot run ${name}: ${cause.message}.`, {
              cause,
              hint: `Install ${name}, or install the skill from a folder or an archive.`,
            }),
      ),
    );
    child.once('close', (code) => done({code, ...texts}));
  });
}
