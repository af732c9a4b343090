import {delimiter, dirname} from 'node:path';
import {createTestKernel, readPlugin, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {Services} from '@gemini-kernel/kernel';
import type * as ChooseEngine from '#plugins/search/dist/choose-engine.js';
import type {Engine} from '#plugins/search/dist/engine/engine.js';
import type * as Programs from '#plugins/search/dist/ripgrep/program.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {ripgrepProgram} from './ripgrep-program.js';
import {LiveSearch} from '#plugins/search/dist/live-search.js';
import {openJavascriptEngine} from '#plugins/search/dist/choose-engine.js';
import {findBundled, findOnPath} from '#plugins/search/dist/ripgrep/program.js';
import {createRipgrepEngine} from '#plugins/search/dist/ripgrep/ripgrep-engine.js';
import glob from '#plugins/search/dist/tools/glob.js';
import grep from '#plugins/search/dist/tools/grep-search.js';

/** Every engine that a search can have. */
export const engineNames = ['bundled ripgrep', 'system ripgrep', 'javascript'] as const;

export type EngineName = (typeof engineNames)[number];

type Context = ChooseEngine.EngineContext;

/** The ripgrep of the system where it has one, else the bundled one as if it were: what is on the PATH comes first. */
function findSystem(): Promise<Programs.FoundProgram> {
  return findOnPath(
    {platform: process.platform, variables: {PATH: [process.env['PATH'], dirname(ripgrepProgram())].join(delimiter)}},
    [],
  );
}

async function openEngine(name: EngineName, context: Context): Promise<Engine> {
  if (name === 'javascript') return openJavascriptEngine(context, 'It is tested.');
  const found = name === 'bundled ripgrep' ? await findBundled({platform: process.platform}) : await findSystem();
  if (!('program' in found)) throw new Error(`There is no ${name}: ${found.missing}.`);
  const {program} = found;
  const info = {name, version: program.version, path: program.path, reason: 'It is tested.'};
  return createRipgrepEngine({info, program, workspace: await context.service('workspace')});
}

export interface Answer {
  readonly model: string;
  readonly data: unknown;
}

interface RunOptions {
  readonly signal?: AbortSignal;
  readonly permits?: (path: string) => boolean;
  readonly onProgress?: (text: string) => void;
}

interface SearchingOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly roots?: readonly string[];
  readonly settings?: object;
}

export interface Searching {
  readonly kernel: TestKernel;
  /** Runs a tool of the plugin with one engine. Throws what the tool throws. */
  run(engine: EngineName, tool: 'glob' | 'grep_search', input: object, options?: RunOptions): Promise<Answer>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A workspace in which each engine can be asked the same. */
export async function openSearching({files, roots = [], settings = {}}: SearchingOptions = {}): Promise<Searching> {
  const kernel = await createTestKernel({
    plugins: await Promise.all(['settings', 'workspace', 'search'].map((name) => readPlugin(pluginRoot(name)))),
    ...(files ? {files} : {}),
    homeFiles: {'.gemini/settings.json': JSON.stringify(settings)},
    flags: {'context.includeDirectories': roots},
  });
  const environment = {platform: process.platform, variables: {}} as unknown as Context['environment'];
  const context: Context = {environment, service: (name) => kernel.service(name)};
  const searches = new Map(
    engineNames.map((name) => [name, new LiveSearch(context, (given) => openEngine(name, given))]),
  );
  return {
    kernel,
    async run(
      engine,
      tool,
      input,
      {signal = new AbortController().signal, permits = () => true, onProgress = () => undefined} = {},
    ) {
      const service = async (name: keyof Services & string): Promise<never> =>
        (name === 'search' ? searches.get(engine) : await kernel.service(name)) as never;
      const chosen = tool === 'glob' ? glob : grep;
      const touches = await chosen.touches?.(input as never, {service, signal, call: {} as never});
      const {model, data} = await chosen.run(input as never, {
        service,
        signal,
        call: {touches} as never,
        permits: async (asked) => asked.map(({value}) => permits(value)),
        tools: {} as never,
        progress: ({text}) => onProgress(text),
      });
      if (typeof model !== 'string') throw new Error('A search answers with text.');
      return {model, data};
    },
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}
