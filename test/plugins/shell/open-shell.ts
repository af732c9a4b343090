import {readFile} from 'node:fs/promises';
import {setTimeout} from 'node:timers/promises';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** The plugins that a shell needs, and nothing else. */
export const shellPlugins: readonly string[] = ['settings', 'workspace', 'secrets', 'shell'].map(pluginRoot);

/** A kernel in which commands may run. */
export function openShell(options: Partial<TestKernelOptions> = {}): Promise<TestKernel> {
  return createTestKernel({
    plugins: shellPlugins,
    confirm: 'yes',
    ...options,
    variables: {PATH: process.env['PATH'], ...options.variables},
  });
}

/** What the model reads between the marks, without the last line, and what programs get. */
export interface Ran {
  readonly text: string;
  readonly data: Record<string, unknown> & {readonly pid: number};
}

/** Runs a command that must be able to run. */
export async function run(kernel: TestKernel, input: Record<string, unknown>, signal?: AbortSignal): Promise<Ran> {
  const outcome = await kernel.call('run_shell_command', input, signal ? {signal} : {});
  if (outcome.status !== 'done') throw new Error(`run_shell_command ${outcome.status}: ${JSON.stringify(outcome)}`);
  const {model, data} = outcome.result;
  const framed = /^<untrusted_context>\n([^]*?)(?:\n?Process Group PGID: \d+)?\n<\/untrusted_context>$/.exec(
    String(model),
  );
  if (!framed) throw new Error(`Not framed: ${String(model)}`);
  return {text: framed[1] ?? '', data: data as Ran['data']};
}

/** Whether a process is there and not merely waiting to be collected. */
export async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return status !== undefined && !/\) [ZX] /.test(status);
}

/** Looks again and again until a condition holds; throws when it does not within ten seconds. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${condition.toString()}`);
    await setTimeout(10);
  }
}
