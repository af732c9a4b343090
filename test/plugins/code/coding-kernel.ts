import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** A kernel with the plugin, what it requires, and rules that let edits pass. */
export function codingKernel(options: Omit<TestKernelOptions, 'plugins'> = {}): Promise<TestKernel> {
  const plugins = ['settings', 'workspace', 'filesystem', 'search', 'trust', 'policy', 'code'].map(pluginRoot);
  return createTestKernel({
    confirm: 'yes',
    flags: {'general.defaultApprovalMode': 'auto_edit'},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    plugins,
    ...options,
  });
}

/** What the model reads of a call, with `~` for the project; the code and sentence of one that failed. */
export async function say(kernel: TestKernel, tool: string, input: unknown): Promise<string> {
  const end = await kernel.call(tool, input);
  const text =
    end.status === 'done'
      ? String(end.result.model)
      : end.status === 'failed'
        ? `${end.error.code}: ${end.error.message}`
        : `refused: ${end.reason}`;
  return text.replaceAll(kernel.project, '~');
}
