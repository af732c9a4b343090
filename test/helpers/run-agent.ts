import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from './gemini-server.js';
import {startOpenaiServer} from './openai-server.js';
import {runGemini, type RunResult} from './run-gemini.js';
import type {ScriptedServer} from './scripted-server.js';

/** One kind of API, and how to configure the program for it. */
export interface AgentDialect {
  readonly name: 'gemini' | 'openai';
  /** What `--model` says. */
  readonly model: string;
  start(script?: Script, models?: readonly string[]): Promise<ScriptedServer>;
  variables(url: string): Readonly<Record<string, string>>;
}

const gemini: AgentDialect = {
  name: 'gemini',
  model: 'model-a',
  start: (script = [], models) => startGeminiServer({script, ...(models ? {models} : {})}),
  variables: (url) => ({GEMINI_API_KEY: 'a-key-of-gemini', GOOGLE_GEMINI_BASE_URL: url}),
};

const openai: AgentDialect = {
  name: 'openai',
  model: 'openai:model-a',
  start: (script = [], models) => startOpenaiServer({script, ...(models ? {models} : {})}),
  variables: (url) => ({OPENAI_API_KEY: 'a-key-of-openai', OPENAI_BASE_URL: `${url}/v1`}),
};

/** Both kinds of API. */
export const dialects: readonly AgentDialect[] = [gemini, openai];

/** What `-o json` prints, as far as tests look at it. */
export interface AgentReport {
  readonly response?: string;
  readonly error?: {
    readonly type: string;
    readonly message: string;
    readonly code: string;
    readonly exit: number;
    readonly status?: number;
    readonly hint?: string;
  };
  readonly warnings?: readonly string[];
  readonly refused?: readonly {readonly tool_name: string; readonly tool_id: string; readonly reason: string}[];
  readonly stats?: {
    readonly tools: {
      readonly totalCalls: number;
      readonly totalSuccess: number;
      readonly totalFail: number;
      readonly totalDecisions: Readonly<Record<string, number>>;
      readonly byName: Readonly<Record<string, {readonly count: number}>>;
    };
    readonly files: {readonly totalLinesAdded: number; readonly totalLinesRemoved: number};
  };
}

export interface AgentPlaceOptions {
  readonly dialect?: AgentDialect;
  readonly script?: Script;
  /** The names of the server's models. */
  readonly models?: readonly string[];
  /** Of the project, by path; `../` reaches what lies beside it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of the user, beside those that keep failures quick. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A project and a home of their own, and a scripted server that the program finds as its model. */
export interface AgentPlace {
  readonly project: string;
  readonly home: string;
  readonly server: ScriptedServer;
  run(
    words: readonly string[],
    more?: {readonly input?: string; readonly variables?: Readonly<Record<string, string>>},
  ): Promise<RunResult>;
  /** One prompt with `-o json`; `report` is what was printed. */
  ask(words: readonly string[]): Promise<RunResult & {readonly report: AgentReport}>;
  /** One prompt with `-o stream-json`, its events without their times. */
  stream(
    words: readonly string[],
  ): Promise<RunResult & {readonly events: readonly Readonly<Record<string, unknown>>[]}>;
  read(path: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A model's answer that is nothing but text. */
export function says(...texts: readonly string[]): ScriptedAnswer {
  return {pieces: texts.map((text) => ({kind: 'text', text})), usage: {input: 10, output: 2, total: 12}};
}

/** A model's answer that calls tools, one name with its input after the other. */
export function callsTools(...calls: readonly (readonly [name: string, input: object])[]): ScriptedAnswer {
  return {
    pieces: calls.map(([name, input], index) => ({kind: 'call', id: `${name}-${index}`, name, input})),
    usage: {input: 10, output: 2, total: 12},
  };
}

/** Makes a place where the real program talks with a scripted model, tries twice and waits a millisecond in between. */
export async function openAgentPlace({
  dialect = gemini,
  script = [],
  models,
  files = {},
  settings = {},
  variables = {},
}: AgentPlaceOptions = {}): Promise<AgentPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-agent-')));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  const quick = {
    ...settings,
    // Most journeys read what is written, line by line; those of other interfaces say so.
    ui: {mode: 'console', ...settings['ui']},
    general: {maxAttempts: 2, ...settings['general']},
    model: {retryDelay: 1, fallback: [], ...settings['model']},
  };
  const server = await dialect.start(script, models);
  await mkdir(project);
  for (const [path, text] of Object.entries({'../home/.gemini/settings.json': JSON.stringify(quick), ...files})) {
    await mkdir(dirname(join(project, path)), {recursive: true});
    await writeFile(join(project, path), text);
  }
  const run: AgentPlace['run'] = (words, more = {}) =>
    runGemini(words, {
      cwd: project,
      home,
      ...more,
      variables: {...dialect.variables(server.url), ...variables, ...more.variables},
    });
  const prompt = (words: readonly string[], format: string): Promise<RunResult> =>
    run(['-m', dialect.model, '-o', format, ...words]);
  return {
    project,
    home,
    server,
    run,
    async ask(words) {
      const result = await prompt(words, 'json');
      return {...result, report: JSON.parse(result.stdout) as AgentReport};
    },
    async stream(words) {
      const result = await prompt(words, 'stream-json');
      const lines = result.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      return {...result, events: lines.map(({timestamp: _, ...event}) => event)};
    },
    read: (path) => readFile(join(project, path), 'utf8'),
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(root, {recursive: true, force: true});
    },
  };
}
