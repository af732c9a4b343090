import {readdirSync} from 'node:fs';
import {realpath} from 'node:fs/promises';
import {delimiter} from 'node:path';
import {ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {ProcessGroups} from '@gemini-kernel/processes';
import type {CodeServers, Place, Problem, ServerInfo} from '../contract.js';
import {languageOf} from '../languages/languages.js';
import settings from '../settings/servers.js';
import {findServers, type FoundServer} from './find-servers.js';
import type {LanguageServer} from './language-server.js';

type Commands = Readonly<Record<string, readonly string[]>>;

/** Faults after which a server is not started again. */
const MOST_FAULTS = 3;

type Context = Pick<ServiceContext, 'environment' | 'names' | 'service'>;

/** The language servers of a place: found once, started when they are asked. */
export class LiveServers implements CodeServers {
  readonly #running = new Map<string, Promise<LanguageServer>>();
  readonly #faults = new Map<string, string[]>();
  #found: Promise<readonly FoundServer[]> | undefined;
  #processes: ProcessGroups | undefined;
  #unchecked = 0;
  #isClosed = false;

  constructor(private readonly context: Context) {}

  async list(): Promise<readonly ServerInfo[]> {
    const isTrusted = await this.#isTrusted();
    return (await this.#servers()).map((server) => this.#infoOf(server, isTrusted));
  }

  async isUseful(directories: readonly string[]): Promise<boolean> {
    const names = directories.flatMap((directory) => namesIn(directory));
    const servers = (await this.#servers()).filter(
      ({spec, fault}) =>
        !fault && names.some((name) => spec.marks.test(name) || spec.languages.includes(languageOf(name)?.name ?? '')),
    );
    return servers.some((server) => !this.#isFaulty(server)) && this.#isTrusted();
  }

  async checks(path: string): Promise<boolean> {
    if (this.#unchecked > 0 || this.#isClosed || languageOf(path) === undefined) return false;
    if (!(await (await this.context.service('settings')).value(settings.checkEdits, {apart: true}))) return false;
    const server = await this.#serverFor(path);
    return server !== undefined && !this.#isFaulty(server) && this.#isTrusted();
  }

  async problems(
    path: string,
    text: string,
    signal: AbortSignal,
  ): Promise<{readonly server: string; readonly problems: readonly Problem[]}> {
    const {server, answer} = await this.#answer(path, signal, (running, language) =>
      running.problems({path, language, text}),
    );
    return {server, problems: answer};
  }

  async references(
    path: string,
    text: string,
    offset: number,
    signal: AbortSignal,
  ): Promise<{readonly server: string; readonly places: readonly Place[]}> {
    const {server, answer} = await this.#answer(path, signal, (running, language) =>
      running.references({path, language, text}, offset),
    );
    return {server, places: answer};
  }

  async #answer<T>(
    path: string,
    signal: AbortSignal,
    ask: (running: LanguageServer, language: string) => Promise<T>,
  ): Promise<{readonly server: string; readonly answer: T}> {
    const server = await this.#serverFor(path);
    const language = languageOf(path)?.name ?? '';
    if (!server || this.#isFaulty(server) || !(await this.#isTrusted()))
      throw new ToolError('CODE_SERVER_MISSING', `No language server answers for ${path}.`, {
        hint: 'Run the build or the tests of the project instead. gemini code servers shows what is found.',
      });
    const {name} = server.spec;
    try {
      const answer = this.#ask(server, (running) => ask(running, language));
      return {server: name, answer: await orAborted(answer, signal)};
    } catch (cause) {
      signal.throwIfAborted();
      throw new ToolError('CODE_SERVER_FAILED', `${name} does not answer for ${path}: ${(cause as Error).message}.`, {
        cause,
        hint: 'Run the build or the tests of the project instead.',
      });
    }
  }

  async unchecked<T>(act: () => Promise<T>): Promise<T> {
    this.#unchecked += 1;
    try {
      return await act();
    } finally {
      this.#unchecked -= 1;
    }
  }

  /** Ends every server. */
  close(): void {
    this.#isClosed = true;
    this.#processes?.close();
  }

  #servers(): Promise<readonly FoundServer[]> {
    return (this.#found ??= this.#find());
  }

  async #find(): Promise<readonly FoundServer[]> {
    const {environment, service} = this.context;
    const {cwd, platform, variables} = environment;
    // The schema holds its values to this; its type does not show that.
    const commands = ((await (await service('settings')).value(settings.servers, {apart: true})) ?? {}) as Commands;
    return findServers({cwd, platform, path: variables['PATH'] ?? '', commands});
  }

  async #serverFor(path: string): Promise<FoundServer | undefined> {
    const language = languageOf(path)?.name;
    if (language === undefined) return undefined;
    return (await this.#servers()).find(({spec, fault}) => !fault && spec.languages.includes(language));
  }

  async #isTrusted(): Promise<boolean> {
    return (await (await this.context.service('trust')).state()).trusted;
  }

  #isFaulty(server: FoundServer): boolean {
    return (this.#faults.get(keyOf(server))?.length ?? 0) >= MOST_FAULTS;
  }

  #infoOf(server: FoundServer, isTrusted: boolean): ServerInfo {
    const {spec, from, file, fault} = server;
    const about = {name: spec.name, languages: spec.languages, from, ...(file === undefined ? {} : {file})};
    if (fault) return {...about, ...fault};
    if (!isTrusted) return {...about, state: 'unused', reason: 'This folder is not trusted. Run gemini trust add.'};
    if (this.#isFaulty(server))
      return {
        ...about,
        state: 'faulty',
        reason: `It failed ${MOST_FAULTS} times: ${this.#faults.get(keyOf(server))?.at(-1)}.`,
      };
    return {...about, state: this.#running.has(keyOf(server)) ? 'running' : 'ready'};
  }

  async #ask<T>(server: FoundServer, ask: (running: LanguageServer) => Promise<T>): Promise<T> {
    const key = keyOf(server);
    const starting = this.#running.get(key) ?? this.#start(server);
    this.#running.set(key, starting);
    try {
      return await ask(await starting);
    } catch (error) {
      const running = await starting.catch(() => undefined);
      // Several questions may fail with it; it failed once.
      if ((!running || running.fault !== undefined) && this.#running.get(key) === starting) {
        this.#running.delete(key);
        if (!this.#isClosed) this.#faults.set(key, [...(this.#faults.get(key) ?? []), (error as Error).message]);
      }
      throw error;
    }
  }

  async #start(server: FoundServer): Promise<LanguageServer> {
    const {spec, file = '', args, options, path} = server;
    const {environment} = this.context;
    const {passedVariables, ProcessGroups} = await import('@gemini-kernel/processes');
    const {LanguageServer} = await import('./language-server.js');
    const cwd = await realpath(environment.cwd);
    const variables = passedVariables(environment.variables, {...spec.variables, PATH: path.join(delimiter)});
    const program = await this.#confine({file, args, cwd, variables});
    if (this.#isClosed) throw new Error('it was closed');
    const processes = (this.#processes ??= new ProcessGroups(environment.platform));
    return new LanguageServer({program, processes, cwd, options, isTypescript: spec.needsTypescript === true});
  }

  /** As it is started where servers run in the sandbox, else as it is. */
  async #confine(program: Program): Promise<Program | Confined> {
    const {names, service} = this.context;
    if (names('sandbox').length === 0) return program;
    const request = {...program, roots: [program.cwd], mode: 'default', purpose: 'server'} as const;
    return (await (await service('sandbox')).confine(request)) ?? program;
  }
}

function keyOf({spec, file}: FoundServer): string {
  return `${spec.name}\0${file ?? ''}`;
}

/** Names in a directory, and in the folders directly in it. A directory that cannot be read has none. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  }
}

/** The end of a wait, or the reason of the signal as soon as it is aborted. */
async function orAborted<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  waited.catch(() => undefined);
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, {once: true});
    waited.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
