import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-hooks/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {startConversation, type Conversation} from '../agent/conversation.js';

/** One hook of an event, as settings have it. */
export function hook(command: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {type: 'command', command, ...more};
}

/** A command that notes what it gets and prints an answer. */
export function answer(value: unknown, note?: string): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const read = note === undefined ? 'cat >/dev/null' : `tr -d '\\n' >>'${note}'; echo >>'${note}'`;
  return `${read}; printf '%s' '${text.replaceAll("'", "'\\''")}'`;
}

interface Options extends Partial<TestKernelOptions> {
  /** `hooks` of the user. */
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** `hooks` of the project. */
  readonly project?: Readonly<Record<string, unknown>>;
}

/** A kernel with hooks, and without a model. */
export function startHooks({hooks, project, settings = {}, ...options}: Options): Promise<TestKernel> {
  return createTestKernel({
    live: true,
    confirm: 'yes',
    plugins: [
      'settings',
      'trust',
      'env',
      'network',
      'workspace',
      'policy',
      'filesystem',
      'secrets',
      'agent',
      'hooks',
    ].map(pluginRoot),
    ...options,
    files: {
      'a.txt': 'one\ntwo\n',
      ...(project ? {'.gemini/settings.json': JSON.stringify({hooks: project})} : {}),
      ...options.files,
    },
    homeFiles: {
      '.gemini/settings.json': JSON.stringify({...settings, ...(hooks ? {hooks} : {})}),
      ...options.homeFiles,
    },
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH'], ...options.variables},
  });
}

/** A conversation with a scripted model and these hooks of the user. */
export function converse(
  hooks: Readonly<Record<string, unknown>>,
  script: Script,
  more: Partial<Parameters<typeof startConversation>[0]> = {},
): Promise<Conversation> {
  return startConversation({
    script,
    more: ['secrets', 'hooks'],
    files: {'a.txt': 'one\ntwo\n'},
    ...more,
    settings: {hooks, ...more.settings},
    variables: {PATH: process.env['PATH'], ...more.variables},
  });
}

/** What a hook has noted, one object for each run. */
export async function readNotes(file: string): Promise<readonly Record<string, unknown>[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Replaces a file of the project. */
export function put(kernel: TestKernel, path: string, text: string): Promise<void> {
  return writeFile(join(kernel.project, path), text);
}
