import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {runProgram, type ProgramRun} from './run-program.js';

export interface Compiling extends Pick<ProgramRun, 'variables' | 'signal'> {
  readonly root: string;
}

/** How many lines of compiler output are shown; more would scroll the first ones away. */
const SHOWN = 20;

/**
 * Compiles a plugin that has a tsconfig.json and a typescript, and returns whether it did. Throws KernelError
 * CODE_UNCOMPILED.
 */
export async function compilePlugin(compiling: Compiling): Promise<boolean> {
  if (!existsSync(join(compiling.root, 'tsconfig.json'))) return false;
  return compileProject({...compiling, project: 'tsconfig.json'});
}

/**
 * Compiles one project of a plugin with the plugin's own typescript; false when it has none. Throws KernelError
 * CODE_UNCOMPILED.
 */
export async function compileProject({
  root,
  project,
  variables,
  signal,
}: Compiling & {readonly project: string}): Promise<boolean> {
  const script = await findCompiler(root);
  if (!script) return false;
  const {code, stdout} = await runProgram({
    program: ['node', script],
    args: ['--project', project, '--pretty', 'false', '--noEmitOnError'],
    directory: root,
    variables,
    signal,
  });
  if (code === 0) return true;
  const lines = stdout.trimEnd().split('\n');
  const faults = stdout.match(/\berror TS\d+/g)?.length ?? 0;
  const hint = [
    ...lines.slice(0, SHOWN),
    ...(lines.length > SHOWN ? [`And ${lines.length - SHOWN} lines more; npx tsc in its folder shows all.`] : []),
  ].join('\n');
  throw new KernelError(
    'CODE_UNCOMPILED',
    `The code of ${root} does not compile: ${faults} ${faults === 1 ? 'error' : 'errors'}.`,
    {hint},
  );
}

async function findCompiler(root: string): Promise<string | undefined> {
  const {resolve} = createRequire(join(root, 'package.json'));
  const file = resolve
    .paths('typescript')
    ?.map((folder) => join(folder, 'typescript', 'package.json'))
    .find((path) => existsSync(path));
  if (!file) return undefined;
  const {bin} = JSON.parse(await readFile(file, 'utf8')) as {bin?: {tsc?: string}};
  return bin?.tsc === undefined ? undefined : join(dirname(file), bin.tsc);
}
