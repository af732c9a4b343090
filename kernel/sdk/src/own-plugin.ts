import {join} from 'node:path';
import {listen, provide, type Confirmation, type FormReply, type SourcedTool} from '@gemini-kernel/kernel';
import {KERNEL_VERSION, type CatalogPlugin, type ImportFile} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-skills/contract';
import {toResult} from './define-tool.js';
import type {AgentOptions, Answer} from './options.js';

/** What an agent itself adds to its kernel, as a plugin beside those of the product. */
export interface OwnPlugin {
  readonly plugin: CatalogPlugin;
  /** Gives its modules; undefined for a file of another plugin. */
  readonly moduleOf: (file: string) => Awaited<ReturnType<ImportFile>> | undefined;
}

const NAME = '@gemini-kernel/sdk';
/** No folder: its modules are in memory. */
const ROOT = 'sdk:';

type Contribution = ReturnType<typeof provide> | ReturnType<typeof listen>;

/** Makes a plugin of the tools, the model, the skills, the instructions and the answers of an agent. */
export function makeOwnPlugin(options: AgentOptions): OwnPlugin {
  const {tools = [], model, skills = [], answer, instructions} = options;
  const parts: Contribution[] = [];
  if (tools.length > 0) parts.push(toolsOf(tools));
  if (typeof model === 'object')
    parts.push(provide('model:sdk', {version: '1.0.0', scope: 'place', local: true, create: () => model}));
  if (skills.length > 0) parts.push(skillsOf(skills));
  if (instructions !== undefined) parts.push(instructionsOf(instructions));
  if (answer) parts.push(...(answersOf(answer) as readonly Contribution[]));
  const modules = new Map(parts.map((one) => [join(ROOT, nameOf(one)), {default: one}]));
  return {
    plugin: {root: ROOT, origin: 'core', manifest: manifestOf(parts)},
    moduleOf: (file) => modules.get(file),
  };
}

function nameOf(one: Contribution): string {
  return 'hook' in one ? one.hook : one.name;
}

function manifestOf(parts: readonly Contribution[]): CatalogPlugin['manifest'] {
  return {
    ...{manifestVersion: 1, name: NAME, version: KERNEL_VERSION, description: 'A program.', kernel: KERNEL_VERSION},
    requires: {services: {}},
    services: parts.flatMap((one) => {
      if ('hook' in one) return [];
      const {create: _, describe: __, dispose: ___, ...entry} = one;
      return [{...entry, module: nameOf(one)}];
    }),
    listeners: parts.flatMap((one) => {
      if (!('hook' in one)) return [];
      const {run: _, ...entry} = one;
      return [{...entry, module: nameOf(one)}];
    }),
    ...{tools: [], hooks: [], commands: [], flags: [], errors: {}},
  };
}

function toolsOf(tools: NonNullable<AgentOptions['tools']>) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = tools.map(({name, description, input, effect = 'other', annotations, output}): SourcedTool => ({
    ...{name, description, input, effect},
    ...(annotations ? {annotations} : {}),
    ...(output ? {output} : {}),
  }));
  return provide('tools:sdk', {
    version: '1.0.0',
    scope: 'place',
    local: true,
    create: () => ({
      list: async () => listed,
      touches: async (name, input, context) => byName.get(name)?.touches?.(input, context) ?? [],
      preview: async (name, input, context) =>
        byName.get(name)?.preview?.(input, context) ?? {kind: 'text', text: JSON.stringify(input, null, 2)},
      run: async (name, input, context) => toResult(await byName.get(name)?.run(input, context)),
    }),
  });
}

function skillsOf(folders: readonly string[]) {
  return provide('skill-folders:sdk', {
    version: '1.0.0',
    scope: 'place',
    methods: ['list'],
    create: () => ({list: async () => folders.map((path) => ({path, owner: 'sdk', origin: 'bundle' as const}))}),
  });
}

function instructionsOf(instructions: NonNullable<AgentOptions['instructions']>) {
  return listen('context:collect', {
    run: async () => {
      const text = typeof instructions === 'string' ? instructions : await instructions();
      return [{place: 'system' as const, title: 'instructions of the program', text}];
    },
  });
}

function answersOf(answer: Answer) {
  return [
    listen('tool:confirm', {
      run: async (question, {session, signal}) =>
        toConfirmation(await answer({kind: 'call', session: session.id, ...question}, signal)),
    }),
    listen('person:ask', {
      run: async (form, {session, signal}): Promise<FormReply> => {
        const given = await answer({kind: 'form', session: session.id, form}, signal);
        return typeof given === 'object' && 'values' in given
          ? {outcome: 'answered', values: given.values}
          : {outcome: 'closed'};
      },
    }),
  ];
}

/** Anything but a clear yes is a no. */
function toConfirmation(given: Awaited<ReturnType<Answer>>): Confirmation {
  if (given === true) return {decision: 'yes'};
  if (typeof given === 'object' && 'decision' in given) return given;
  return {decision: 'no', reason: 'The program answered no.'};
}
