import {pathToFileURL} from 'node:url';
import {join} from 'node:path';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** A built module of the plugin by its place below `src`, for tests of pure parts. */
export function built<T>(name: string): Promise<T> {
  return import(pathToFileURL(join(pluginRoot('filesystem'), 'dist', `${name}.js`)).href) as Promise<T>;
}

/** A kernel with the plugin and what it requires; the person says yes. */
export function filesystemKernel(options: Omit<TestKernelOptions, 'plugins'> = {}): Promise<TestKernel> {
  return createTestKernel({
    confirm: 'yes',
    plugins: ['settings', 'workspace', 'filesystem'].map(pluginRoot),
    ...options,
  });
}

/** What a call came to, without what differs from run to run. */
export async function outcome(kernel: TestKernel, tool: string, input: unknown): Promise<unknown> {
  const end = await kernel.call(tool, input);
  const clean = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(JSON.stringify(kernel.project).slice(1, -1), '<project>'));
  if (end.status === 'done') return clean(end.result);
  if (end.status === 'refused') return clean({refused: end.reason});
  const {code, message, hint} = end.error;
  return clean({code, message, hint});
}
