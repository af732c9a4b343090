import {readFile} from 'node:fs/promises';
import {setTimeout as sleep} from 'node:timers/promises';
import {join} from 'node:path';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {ToolOutcome} from '@gemini-kernel/kernel/host';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';

export const script = join(checkout, 'test', 'fixtures', 'mcp', 'server.mjs');

/** An entry of `mcpServers` for the scripted server with some scenes. */
export function scripted(...scenes: readonly string[]): Record<string, unknown> {
  return {command: process.execPath, args: [script, ...scenes]};
}

/** A kernel with these servers in the settings of the person. */
export function startMcp(
  servers: Readonly<Record<string, unknown>>,
  {settings = {}, ...options}: Partial<TestKernelOptions> & {readonly settings?: Record<string, unknown>} = {},
): Promise<TestKernel> {
  const {homeFiles = {}, ...rest} = options;
  return createTestKernel({
    confirm: 'yes',
    plugins: ['settings', 'trust', 'env', 'network', 'workspace', 'mcp'].map(pluginRoot),
    homeFiles: {'.gemini/settings.json': JSON.stringify({mcpServers: servers, ...settings}), ...homeFiles},
    ...rest,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH'], ...rest.variables},
  });
}

/** The text that a call gave to the model, or the code of its error. */
export function textOf(outcome: ToolOutcome): string {
  if (outcome.status === 'refused') return `refused: ${outcome.reason}`;
  if (outcome.status === 'failed') return `${outcome.error.code}: ${outcome.error.message}`;
  const {model} = outcome.result;
  if (typeof model === 'string') return model;
  return model.map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}]`)).join('\n');
}

/** What the model gets around the text of others. */
export function foreign(text: string): string {
  return `<untrusted_context>\n${text}\n</untrusted_context>`;
}

export async function readNotes(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).trim().split('\n');
}

/** Names of the tools of servers. */
export async function toolNames(kernel: TestKernel): Promise<readonly string[]> {
  return (await kernel.session.tools()).filter(({server}) => server !== undefined).map(({name}) => name);
}

/** Waits until something holds, for at most ten seconds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not come to hold within ten seconds.');
    await sleep(20);
  }
}
