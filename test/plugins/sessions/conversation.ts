import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {Session} from '@gemini-kernel/kernel/host';
import type {Agent, Entry, HistoryChange, LoadedHistory} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import {makeFolder, makePlugin, type Folder} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** The double of an agent: it has a history, and says how it changes. */
export interface AgentDouble extends Agent {
  load(): Promise<LoadedHistory | undefined>;
  change(change: HistoryChange): Promise<void>;
}

const AGENT = `
  import {provide} from '@gemini-kernel/kernel';
  export default provide('agent', {version: '1.0.0', scope: 'session', create({dispatch}) {
    let entries = [];
    const apply = (change) => {
      if (change.kind === 'replace') entries = [...change.entries];
      if (change.kind === 'put') {
        const at = entries.findIndex(({id}) => id === change.entry.id);
        if (at < 0) entries.push(change.entry); else entries[at] = change.entry;
      }
      if (change.kind === 'rewind') entries = entries.slice(0, entries.findIndex(({id}) => id === change.to));
    };
    const change = async (one) => { apply(one); await dispatch('history:change', {change: one}); };
    return {
      change,
      history: async () => entries,
      async load() { const loaded = await dispatch('history:load', {}); entries = [...(loaded?.entries ?? [])]; return loaded; },
      async rewind(id) {
        const entry = entries.find((one) => one.id === id);
        await change({kind: 'rewind', to: id});
        return {text: entry.message.pieces[0].text};
      },
    };
  }});
`;
const HOOKS = {
  'load.js':
    `import {defineHook} from '@gemini-kernel/kernel';\nexport default defineHook('history:load', {kind: 'first', ` +
    `description: 'x'});\n`,
  'collect.js':
    `import {defineHook} from '@gemini-kernel/kernel';\nexport default defineHook('changes:collect', {kind: ` +
    `'collect', description: 'x'});\n`,
  'change.js':
    `import {defineHook} from '@gemini-kernel/kernel';\nexport default defineHook('history:change', {kind: ` +
    `'notify', description: 'x'});\n`,
};
// Changes files as its input says, as an edit tool or as a shell would.
const hand = (name: string, effect: string, touches: string): string => `
  import {defineTool} from '@gemini-kernel/kernel';
  import {rm, writeFile} from 'node:fs/promises';
  export default defineTool({
    name: '${name}', effect: '${effect}', description: 'x', input: {type: 'object', properties: {files: {type: 'object'}}, required: ['files']},
    touches: async ({files}) => ${touches},
    async run({files}) {
      for (const [path, text] of Object.entries(files)) await (text === null ? rm(path) : writeFile(path, text));
      return {model: 'done'};
    },
  });
`;
const TOOLS = {
  'edit.js': hand('hand_edit', 'edit', `Object.keys(files).map((value) => ({kind: 'path', value, access: 'write'}))`),
  'shell.js': hand('hand_shell', 'execute', `[{kind: 'command', value: 'x', access: 'run', directory: '/'}]`),
};

const input = {type: 'object', properties: {files: {type: 'object'}}, required: ['files']};
const tool = (name: string, effect: 'edit' | 'execute', module: string): object => ({
  name,
  effect,
  description: 'x',
  annotations: {},
  input,
  module,
});

/** A live session in a test kernel, with everything that sessions need around it. */
export interface Conversation extends TestKernel {
  readonly live: Session;
  readonly agent: AgentDouble;
  /** One tool call that runs without a question. */
  act(tool: 'hand_edit' | 'hand_shell', files: Readonly<Record<string, string | null>>): Promise<void>;
}

export interface ConversationOptions extends Omit<TestKernelOptions, 'plugins'> {
  /** The home of an earlier conversation, to continue there. */
  readonly earlier?: TestKernel;
  /** First-party plugins beside those that sessions need. */
  readonly plugins?: readonly string[];
}

/** Opens a live session, of which the agent is a double. Throws what keeps the session from beginning. */
export async function converse(options: ConversationOptions = {}): Promise<Conversation> {
  const folder = await makeFolder();
  const kernel = await openKernel(folder, options);
  const live = kernel.kernel.open({live: true});
  const close = async (): Promise<void> => {
    await kernel.close();
    await folder[Symbol.asyncDispose]();
  };
  try {
    await live.announce();
  } catch (error) {
    await close();
    throw error;
  }
  const agent = (await live.service('agent')) as AgentDouble;
  const act: Conversation['act'] = async (name, files) => {
    const outcome = await live.call({tool: name, input: {files}}, {confirm: async () => ({decision: 'yes'})});
    if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome));
  };
  return {...kernel, live, agent, act, close, service: (name) => live.service(name), [Symbol.asyncDispose]: close};
}

async function openKernel(
  folder: Folder,
  {earlier, plugins = [], ...options}: ConversationOptions,
): Promise<TestKernel> {
  const double = await makePlugin(folder.path, {
    name: 'agent-double',
    files: {'agent.js': AGENT, ...HOOKS, ...TOOLS},
    services: [{name: 'agent', version: '1.0.0', scope: 'session', module: './agent.js'}],
    hooks: [
      {name: 'history:load', kind: 'first', description: 'x'},
      {name: 'history:change', kind: 'notify', description: 'x'},
      {name: 'changes:collect', kind: 'collect', description: 'x'},
    ],
    tools: [tool('hand_edit', 'edit', './edit.js'), tool('hand_shell', 'execute', './shell.js')] as never,
  });
  const kernel = await createTestKernel({
    ...options,
    plugins: [double, ...['settings', ...plugins, 'workspace', 'sessions'].map(pluginRoot)],
  });
  if (!earlier) return kernel;
  const {environment} = earlier.kernel;
  const {boot} = await import('@gemini-kernel/kernel/host');
  const warnings: string[] = [];
  const again = boot(
    kernel.kernel.catalog,
    {...environment, flags: options.flags ?? {}},
    {print: ({sentence}) => void warnings.push(sentence)},
  );
  return {
    ...kernel,
    project: earlier.project,
    home: earlier.home,
    kernel: again,
    warnings,
    async close() {
      await again.close();
      await kernel.close();
    },
  };
}

let time = Date.parse('2026-11-20T10:00:00.000Z');
const tick = (): string => new Date((time += 1000)).toISOString();

/** What a person says. */
export function said(id: string, text: string): Entry {
  return {id, time: tick(), kind: 'user', origin: 'person', message: {role: 'user', pieces: [{kind: 'text', text}]}};
}

/** What a model answers. */
export function answered(id: string, text: string): Entry {
  return {id, time: tick(), kind: 'model', model: 'test', message: {role: 'model', pieces: [{kind: 'text', text}]}};
}

/** One prompt with its answer, dealt with. */
export async function turn({agent}: Pick<Conversation, 'agent'>, name: string): Promise<readonly Entry[]> {
  const entries = [said(`${name}-q`, `Say ${name}`), answered(`${name}-a`, `Said ${name}`)];
  for (const entry of entries) await agent.change({kind: 'put', entry});
  await agent.change({kind: 'settled'});
  return entries;
}

/** Writes files into a folder, by relative path. */
export async function fill(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), {recursive: true});
    await writeFile(join(folder, name), content);
  }
}
