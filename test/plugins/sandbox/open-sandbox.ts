import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {findBubblewrap} from '#plugins/sandbox/dist/linux/find-bubblewrap.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {where} from '../../helpers/where.js';
import {run} from '../shell/open-shell.js';

const found = await findBubblewrap();

/** A test that needs a sandbox; elsewhere its name says why it was left out. */
export const testConfined = where(!('sentence' in found), 'sentence' in found ? found.sentence : 'bubblewrap');

/** A kernel whose commands are confined. */
export function openSandbox(options: Partial<TestKernelOptions> = {}): Promise<TestKernel> {
  return createTestKernel({
    plugins: ['settings', 'trust', 'workspace', 'secrets', 'sandbox', 'shell'].map(pluginRoot),
    confirm: 'yes',
    ...options,
    variables: {
      PATH: process.env['PATH'],
      GEMINI_SANDBOX: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      ...options.variables,
    },
  });
}

/** What a command printed. */
export async function output(kernel: TestKernel, command: string): Promise<string> {
  return (await run(kernel, {command})).text;
}
