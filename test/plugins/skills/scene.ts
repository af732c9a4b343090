import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-skills/contract';
import type {CatalogPlugin, ToolOutcome} from '@gemini-kernel/kernel/host';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** The text of a `SKILL.md`. */
export function skill(name: string, description = `About ${name}.`, body = `Do ${name}.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}

interface Options extends Omit<Partial<TestKernelOptions>, 'plugins'> {
  /** Of the user. */
  readonly settings?: object;
  readonly others?: readonly CatalogPlugin[];
}

/** A kernel with skills, tools that read and write, and the rules. The folder is trusted. */
export function openSkills({settings = {}, others = [], ...options}: Options = {}): Promise<TestKernel> {
  const names = [
    'settings',
    'trust',
    'policy',
    'secrets',
    'env',
    'network',
    'workspace',
    'filesystem',
    'agent',
    'skills',
  ];
  return createTestKernel({
    confirm: 'yes',
    live: true,
    ...options,
    plugins: [...names.map(pluginRoot), ...others],
    homeFiles: {'.gemini/settings.json': JSON.stringify(settings), ...options.homeFiles},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH'], ...options.variables},
  });
}

/** Names, without the built-in ones. */
export async function namesOf(kernel: TestKernel): Promise<readonly string[]> {
  const {skills} = await (await kernel.service('skills')).list();
  return skills.filter(({origin}) => origin !== 'built-in').map(({name}) => name);
}

/** What does not count, by its path below the home or the project. */
export async function faultsOf(kernel: TestKernel): Promise<Readonly<Record<string, string>>> {
  const {faults} = await (await kernel.service('skills')).list();
  const short = (text: string): string => text.replaceAll(`${kernel.project}/`, '').replaceAll(`${kernel.home}/`, '~/');
  return Object.fromEntries(faults.map(({file, reason}) => [short(file), short(reason)]));
}

/** What the model got, or why not. */
export function textOf(outcome: ToolOutcome): string {
  if (outcome.status === 'refused') return `refused: ${outcome.reason}`;
  if (outcome.status === 'failed') return `${outcome.error.code}: ${outcome.error.message}`;
  const {model} = outcome.result;
  return typeof model === 'string' ? model : JSON.stringify(model);
}
