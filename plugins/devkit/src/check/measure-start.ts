import type {Manifest} from '@gemini-kernel/kernel/host';
import {runProgram, type ProgramRun} from '../run-program.js';

/** The cost of importing a plugin's contributions in a fresh process. */
export interface StartCost {
  readonly ms: number;
  /** The slowest first. */
  readonly modules: readonly {readonly module: string; readonly ms: number}[];
}

/**
 * The program has already loaded the kernel and oclif, so only the plugin's own cost counts. An empty module is
 * subtracted from each. The space after `import` keeps the bundler from treating this text as code.
 */
const SCRIPT = `
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
const [root, modules] = JSON.parse(process.argv[1]);
const {resolve} = createRequire(join(root, 'package.json'));
for (const name of ['@oclif/core', '@gemini-kernel/kernel', '@gemini-kernel/command'])
  await import (pathToFileURL(resolve(name)).href).catch(() => undefined);
const time = async (url) => {
  const start = performance.now();
  await import (url);
  return performance.now() - start;
};
await time('data:text/javascript,0');
const empty = await time('data:text/javascript,1');
const costs = [];
for (const module of modules) {
  const ms = await time(pathToFileURL(join(root, module)).href);
  costs.push({module, ms: Math.max(0, ms - empty)});
}
process.stdout.write('\\n' + JSON.stringify(costs));
`;
const RUNS = 3;

/**
 * Measures in separate processes, one after the other; the fastest counts. Undefined when the code cannot be imported
 * on its own.
 */
export async function measureStart(
  {tools, services, listeners, commands}: Manifest,
  run: Pick<ProgramRun, 'directory' | 'variables' | 'signal'>,
): Promise<StartCost | undefined> {
  const modules = [...tools, ...services, ...listeners, ...commands].map(({module}) => module);
  let best: StartCost | undefined;
  for (let count = 0; count < RUNS; count += 1) {
    const {code, stdout} = await runProgram({
      ...run,
      program: ['node'],
      args: ['--input-type=module', '--eval', SCRIPT, '--', JSON.stringify([run.directory, modules])],
    });
    if (code !== 0) return undefined;
    const costs = JSON.parse(stdout.slice(stdout.lastIndexOf('\n'))) as StartCost['modules'];
    const ms = costs.reduce((sum, one) => sum + one.ms, 0);
    if (!best || ms < best.ms) best = {ms, modules: [...costs].sort((a, b) => b.ms - a.ms)};
  }
  return best && {ms: round(best.ms), modules: best.modules.map(({module, ms}) => ({module, ms: round(ms)}))};
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
