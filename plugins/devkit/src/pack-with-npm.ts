import {KernelError} from '@gemini-kernel/kernel';
import type {Environment} from '@gemini-kernel/kernel';
import {findNpm} from './find-npm.js';
import {runProgram} from './run-program.js';

/** The archive that `npm pack` creates, or would create. */
export interface Packed {
  readonly filename: string;
  /** Of the archive, in bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly integrity: string;
  readonly files: readonly {readonly path: string; readonly size: number}[];
}

export interface Packing {
  readonly root: string;
  readonly environment: Pick<Environment, 'platform' | 'variables'>;
  readonly signal: AbortSignal;
}

/**
 * Packs a plugin with npm, with scripts disabled; into `destination`, or as a dry run. Throws KernelError NPM_MISSING
 * or PACK_REFUSED.
 */
export async function packWithNpm({root, environment, signal}: Packing, destination?: string): Promise<Packed> {
  const args = [
    'pack',
    '--json',
    '--ignore-scripts',
    '--loglevel=error',
    ...(destination === undefined ? ['--dry-run'] : [`--pack-destination=${destination}`]),
  ];
  const {code, stdout, stderr} = await runProgram({
    program: await findNpm(environment),
    args,
    directory: root,
    variables: environment.variables,
    signal,
  });
  if (code !== 0)
    throw new KernelError(
      'PACK_REFUSED',
      `npm cannot pack ${root}: ${stderr.trim().split('\n')[0] ?? `it ended with ${code ?? 'a signal'}`}`,
      {hint: 'Run npm pack there to see its full output.'},
    );
  const value = JSON.parse(stdout.slice(stdout.search(/[[{]/))) as readonly Packed[] | Readonly<Record<string, Packed>>;
  const [packed] = Object.values(value);
  if (!packed)
    throw new KernelError('PACK_REFUSED', `npm packed no files of ${root}.`, {
      hint: 'Run npm pack there to see its full output.',
    });
  return packed;
}
