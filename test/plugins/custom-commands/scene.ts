import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {CommandOutcome} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-custom-commands/contract';
import type {} from '@gemini-kernel/plugin-mcp-server/contract';
import {makePlugin} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';

const PLUGINS = [
  'settings',
  'trust',
  'env',
  'network',
  'workspace',
  'policy',
  'filesystem',
  'secrets',
  'shell',
  'agent',
  'model-gemini',
  'custom-commands',
];

interface Options extends Partial<Omit<TestKernelOptions, 'files'>> {
  /** Command files of the project, of the person and in `extension/commands`, by path below their folder. */
  readonly project?: Readonly<Record<string, string>>;
  readonly person?: Readonly<Record<string, string>>;
  readonly extension?: Readonly<Record<string, string>>;
  /** Plugins that are not there. */
  readonly without?: readonly string[];
  /** Other files of the project. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A plugin that brings the folder `extension/commands` of the project, as the extension `gcp`. */
export function makeExtensions(folder: string, origin: CatalogPlugin['origin'], name: string): Promise<CatalogPlugin> {
  const service = `command-folders:${name}`;
  const code = `import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
export default provide('${service}', {
  version: '1.0.0',
  scope: 'place',
  create: ({environment: {cwd}}) => ({
    list: async () => [{folder: join(cwd, 'extension', 'commands'), owner: 'gcp'}],
  }),
});
`;
  return makePlugin(folder, {
    name,
    origin,
    services: [{name: service, version: '1.0.0', scope: 'place', methods: ['list'], module: './folders.js'}],
    files: {'folders.js': code},
  });
}

/** A kernel with an agent and command files. Shell commands run without a question unless flags are set. */
export function openScene({
  project = {},
  person = {},
  extension = {},
  files = {},
  without = [],
  ...rest
}: Options): Promise<TestKernel> {
  const below = (folder: string, all: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(all).map(([name, text]) => [`${folder}/${name}`, text]));
  return createTestKernel({
    flags: {'tools.allowed': ['run_shell_command']},
    ...rest,
    plugins: [...PLUGINS.filter((name) => !without.includes(name)).map(pluginRoot), ...(rest.plugins ?? [])],
    files: {...below('.gemini/commands', project), ...below('extension/commands', extension), ...files},
    homeFiles: {...below('.gemini/commands', person), ...rest.homeFiles},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH'], ...rest.variables},
  });
}

/** The outcome of a line that is typed. */
export async function runLine(kernel: TestKernel, line: string): Promise<CommandOutcome> {
  return (await kernel.service('slash-commands')).run(line, new AbortController().signal);
}

/** The text of the prompt that a line makes; other parts as their type. */
export async function promptOf(kernel: TestKernel, line: string): Promise<string> {
  const outcome = await runLine(kernel, line);
  if (outcome.kind !== 'prompt') throw new Error(`${line} gave ${JSON.stringify(outcome)}`);
  return outcome.parts.map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}]`)).join('|');
}

/** The names of custom commands, as they can be typed. */
export async function namesOf(kernel: TestKernel): Promise<readonly string[]> {
  const commands = await (await kernel.service('slash-commands')).list();
  return commands.flatMap(({id, words}) => (id === undefined ? [] : [`/${words.join(' ')}`]));
}

/** The sentences of the notices of a code. */
export function noticesOf({notices}: TestKernel, code: string): readonly string[] {
  return notices.filter((notice) => notice.code === code).map(({sentence}) => sentence);
}
