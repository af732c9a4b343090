// Started at a pseudo-terminal by tests: the real console and kernel, with an agent that follows a script.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import type {Form, FormAnswer} from '@gemini-kernel/kernel';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {Session} from '@gemini-kernel/kernel';
import type {
  Agent,
  AgentEvent,
  AgentWatch,
  Entry,
  SlashCommand,
  SlashCommands,
  TurnEnd,
} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {makePlugin} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {LiveConversations} from '#plugins/agent/dist/steering/live-conversations.js';

declare module '@gemini-kernel/kernel' {
  interface Services {
    herald: {say(sentence: string): Promise<void>; fill(form: Form): Promise<FormAnswer>};
  }
}

/** One step of the agent: an event, or something it waits for. */
export type Step =
  | AgentEvent
  | {readonly kind: 'write'; readonly file: string; readonly content: string}
  /** Continues when the person has typed these characters, or when they stop it. */
  | {readonly kind: 'await-typed'; readonly text: string}
  | {readonly kind: 'await-abort'}
  /** A plugin tells something. */
  | {readonly kind: 'notice'; readonly sentence: string}
  /** A plugin asks something; its answer is an outcome. */
  | {readonly kind: 'form'; readonly form: Form}
  | {readonly kind: 'throw'; readonly message: string};

export interface HostScript {
  /** What the agent does for a prompt; others are answered with `Heard: <prompt>`. */
  readonly turns?: Readonly<Record<string, readonly Step[]>>;
  readonly history?: readonly Entry[];
  readonly prompt?: string;
  readonly colour?: boolean;
  readonly commands?: readonly SlashCommand[];
  readonly settings?: unknown;
  readonly files?: Readonly<Record<string, string>>;
  readonly homeFiles?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** What the host saw, written when it ends. */
export interface HostReport {
  readonly sent: readonly string[];
  readonly slashes: readonly (readonly string[])[];
  readonly outcomes: readonly string[];
  readonly isRaw: boolean;
  readonly error?: string;
  /** Notices that the console did not show. */
  readonly printed: readonly string[];
  readonly written?: string;
  /** The file of approvals. */
  readonly approvals?: string;
  /** The file of earlier prompts. */
  readonly kept?: string;
}

const [scriptFile = '', reportFile = ''] = process.argv.slice(2);
const script = JSON.parse(readFileSync(scriptFile, 'utf8')) as HostScript;
const report = {sent: [] as string[], slashes: [] as string[][], outcomes: [] as string[]};
let typed = '';

const herald = await makePlugin(dirname(scriptFile), {
  name: 'herald',
  services: [{name: 'herald', version: '1.0.0', scope: 'session', module: './herald.js'}],
  files: {
    'herald.js':
      "import {provide} from '@gemini-kernel/kernel';\nexport default provide('herald', {version: '1.0.0', scope: " +
      "'session', create: ({tell, ask}) => ({say: async (sentence) => tell({code: 'HERALD', sentence}), " +
      'fill: (form) => ask(form)})});',
  },
});

const kernel = await createTestKernel({
  live: true,
  plugins: [
    herald,
    ...['settings', 'trust', 'workspace', 'policy', 'secrets', 'filesystem', 'search', 'console'].map(pluginRoot),
  ],
  files: script.files ?? {},
  homeFiles: {'.gemini/settings.json': JSON.stringify(script.settings ?? {}), ...script.homeFiles},
  variables: {TERM: process.env['TERM'], ...script.variables},
  flags: script.flags ?? {},
  confirm: 'no',
});
writeFileSync(`${reportFile}.pid`, String(process.pid));
const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error(name)));

async function follow(step: Step, watch: AgentWatch): Promise<void> {
  watch.signal.throwIfAborted();
  switch (step.kind) {
    case 'write': {
      const outcome = await kernel.session.call(
        {tool: 'write_file', input: {file_path: step.file, content: step.content}},
        {signal: watch.signal},
      );
      report.outcomes.push(outcome.status === 'refused' ? `refused: ${outcome.reason}` : outcome.status);
      return;
    }
    case 'await-typed':
      while (!typed.includes(step.text))
        await new Promise<void>((resolve) => process.stdin.once('data', () => resolve()));
      return;
    case 'await-abort':
      await new Promise((resolve) => watch.signal.addEventListener('abort', resolve, {once: true}));
      return;
    case 'form':
      report.outcomes.push(JSON.stringify(await (await kernel.service('herald')).fill(step.form)));
      return;
    case 'notice':
      return (await kernel.service('herald')).say(step.sentence);
    case 'throw':
      throw new Error(step.message);
    default:
      return watch.onEvent(step);
  }
}

const agent = {
  async send({text}: {readonly text: string}, watch: AgentWatch): Promise<TurnEnd> {
    if (report.sent.push(text) === 1) process.stdin.on('data', (chunk: Buffer) => (typed += chunk.toString()));
    const end = {text: '', warnings: [], refused: [], changed: []};
    try {
      for (const step of script.turns?.[text] ?? [{kind: 'text', text: `Heard: ${text}\n`} as const])
        await follow(step, watch);
    } catch (error) {
      if (!watch.signal.aborted) throw error;
    }
    return watch.signal.aborted ? {...end, status: 'aborted'} : {...end, status: 'done'};
  },
  history: async () => script.history ?? [],
  tell: async () => undefined,
} as unknown as Agent;

/** What can be typed: the commands of the script, and those of a source. */
const slashCommands: SlashCommands = {
  list: async () => script.commands ?? [],
  find: async (line) =>
    (script.commands ?? []).find(({words, isSourced}) => isSourced && line.startsWith(`/${words.join(' ')}`)),
  run: async (line) =>
    line.includes('say')
      ? {kind: 'message', text: `Said by ${line}`}
      : {kind: 'prompt', parts: [{text: `From ${line}`}]},
  async complete(line) {
    const [, typed] = /^\/\S+ (\S*)$/.exec(line) ?? [];
    const found = await slashCommands.find(line);
    return found && typed !== undefined
      ? {typed, candidates: ['main', 'next'].filter((one) => one.startsWith(typed))}
      : undefined;
  },
};

/** The session of the kernel, where the agent is the double. */
const session = {
  ...kernel.session,
  service: async (name: string) =>
    name === 'agent' ? agent : name === 'slash-commands' ? slashCommands : kernel.service(name as 'workspace'),
  announce: async () => undefined,
  close: async () => undefined,
} as unknown as Session;
const conversations = new LiveConversations({open: () => session, environment: kernel.kernel.environment});
const {id: conversation} = await conversations.open();

let error: string | undefined;
try {
  await (
    await kernel.service('ui:console')
  ).converse({
    conversation,
    conversations,
    service: (name) => kernel.service(name),
    input: process.stdin,
    output: process.stdout,
    colour: script.colour ?? false,
    commands: script.commands ?? [],
    signal: stop.signal,
    ...(script.prompt === undefined ? {} : {prompt: script.prompt}),
    async slash(words) {
      report.slashes.push([...words]);
      if (words.includes('fail')) throw new Error('The command went wrong.');
      process.stdout.write(`ran ${words.join(' ')}\n`);
    },
  });
} catch (caught) {
  error = caught instanceof Error ? caught.message : String(caught);
}

function readIfThere(path: string | undefined): string | undefined {
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

const temporary = (await (await kernel.service('project')).find())?.temporary;
const written = readIfThere(`${kernel.project}/written.txt`);
const approvals = readIfThere(`${kernel.home}/.gemini/policies/auto-saved.toml`);
const kept = readIfThere(temporary && `${temporary}/console_history`);
writeFileSync(
  reportFile,
  JSON.stringify({
    ...report,
    isRaw: process.stdin.isRaw === true,
    written,
    kept,
    approvals,
    error,
    printed: kernel.warnings,
  }),
);
await kernel.close();
process.stdin.destroy();
