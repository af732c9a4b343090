import {pathToFileURL} from 'node:url';
import type {Confined, Program} from '@gemini-kernel/plugin-sandbox/contract';
import type {ProcessGroups} from '@gemini-kernel/processes';
import type {Place, Problem} from '../contract.js';
import {Connection, isTable} from './connection.js';
import {readPlaces} from './read-places.js';
import {readProblems, readTypescriptProblems} from './read-problems.js';

export interface ServerStart {
  readonly program: Program | Confined;
  readonly processes: ProcessGroups;
  /** Absolute and real. */
  readonly cwd: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Errors are asked of the TypeScript behind it, since it does not say when it has found all. */
  readonly isTypescript: boolean;
}

/** A file as a question is about it. */
export interface AskedFile {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** How long a server may take to start, and to answer a question, before it is ended. */
const START_MS = 60_000;
const ANSWER_MS = 60_000;
/** Questions that wait. */
const MOST_WAITING = 16;

const capabilities = {
  textDocument: {publishDiagnostics: {versionSupport: true}, diagnostic: {}, references: {}, synchronization: {}},
  workspace: {configuration: true, workspaceFolders: true},
};

/** One running server. It deals with one question at a time. */
export class LanguageServer {
  readonly #connection: Connection;
  readonly #listeners = new Set<(params: Readonly<Record<string, unknown>>) => void>();
  readonly #ready: Promise<{readonly isAsked: boolean}>;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #version = 0;

  constructor(private readonly start: ServerStart) {
    const child = start.processes.start(start.program);
    this.#connection = new Connection(child, start.processes, (method, params) => {
      if (method !== 'textDocument/publishDiagnostics' || !isTable(params)) return;
      for (const listener of this.#listeners) listener(params);
    });
    this.#ready = this.#within(START_MS, () => this.#initialize());
    // Each question has the reason.
    this.#ready.catch(({message}: Error) => this.#connection.end(message));
  }

  /** Why it is over, as a part of a sentence. */
  get fault(): string | undefined {
    return this.#connection.fault;
  }

  /** The errors and warnings of a file with this text. Rejects with the reason as a part of a sentence. */
  problems(file: AskedFile): Promise<readonly Problem[]> {
    return this.#inTurn(() => this.#askForProblems(file));
  }

  /** Where the symbol at an offset is used. Rejects as `problems` does. */
  references(file: AskedFile, offset: number): Promise<readonly Place[]> {
    return this.#inTurn(() => this.#askForReferences(file, offset));
  }

  async #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING) throw new Error('it has too many questions to answer');
    this.#waiting += 1;
    const answer = this.#last.then(() => this.#within(ANSWER_MS, ask));
    this.#last = answer.then(
      () => (this.#waiting -= 1),
      () => (this.#waiting -= 1),
    );
    return answer;
  }

  close(): void {
    this.#connection.end('it was closed');
  }

  async #initialize(): Promise<{readonly isAsked: boolean}> {
    const {cwd, options} = this.start;
    const uri = pathToFileURL(cwd).href;
    const answer = await this.#connection.request('initialize', {
      processId: null,
      clientInfo: {name: 'gemini'},
      rootUri: uri,
      workspaceFolders: [{uri, name: 'project'}],
      initializationOptions: options,
      capabilities,
    });
    const offered = isTable(answer) && isTable(answer['capabilities']) ? answer['capabilities'] : {};
    this.#connection.notify('initialized', {});
    return {isAsked: isTable(offered['diagnosticProvider'])};
  }

  async #askForProblems(file: AskedFile): Promise<readonly Problem[]> {
    const {isAsked} = await this.#ready;
    const {path, text} = file;
    const uri = pathToFileURL(path).href;
    const version = (this.#version += 1);
    const published = this.#published(uri, version);
    try {
      return await this.#whileOpen(file, version, async () => {
        if (this.start.isTypescript) return readTypescriptProblems(await this.#askTypescript(path), text);
        if (!isAsked) return readProblems(await published.list, text);
        const answer = await this.#connection.request('textDocument/diagnostic', {textDocument: {uri}});
        return readProblems(isTable(answer) ? answer['items'] : undefined, text);
      });
    } finally {
      published.stop();
    }
  }

  async #askForReferences(file: AskedFile, offset: number): Promise<readonly Place[]> {
    await this.#ready;
    const before = file.text.slice(0, offset).split('\n');
    const position = {line: before.length - 1, character: before.at(-1)?.length ?? 0};
    const textDocument = {uri: pathToFileURL(file.path).href};
    const params = {textDocument, position, context: {includeDeclaration: true}};
    return this.#whileOpen(file, (this.#version += 1), async () =>
      readPlaces(await this.#connection.request('textDocument/references', params)),
    );
  }

  /** The file is open for the question alone: after it, the server reads what is on the disk. */
  async #whileOpen<T>({path, language, text}: AskedFile, version: number, ask: () => Promise<T>): Promise<T> {
    const uri = pathToFileURL(path).href;
    const textDocument = {uri, languageId: languageId(path, language), version, text};
    this.#connection.notify('textDocument/didOpen', {textDocument});
    try {
      return await ask();
    } finally {
      this.#connection.notify('textDocument/didClose', {textDocument: {uri}});
    }
  }

  async #askTypescript(file: string): Promise<readonly unknown[]> {
    const lists = [];
    for (const command of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']) {
      const answer = await this.#connection.request('workspace/executeCommand', {
        command: 'typescript.tsserverRequest',
        arguments: [command, {file}],
      });
      const body = isTable(answer) ? answer['body'] : undefined;
      if (!Array.isArray(body)) throw new Error('it sent diagnostics that are no list');
      lists.push(...(body as readonly unknown[]));
    }
    return lists;
  }

  /** What the server says on its own about a version of a file; rejects when it ends. */
  #published(uri: string, version: number): {readonly list: Promise<unknown>; stop(): void} {
    let listener: ((params: Readonly<Record<string, unknown>>) => void) | undefined;
    const list = new Promise<unknown>((resolve) => {
      listener = (params) => {
        const isOther = params['version'] !== undefined && params['version'] !== version;
        if (params['uri'] === uri && !isOther) resolve(params['diagnostics']);
      };
      this.#listeners.add(listener);
    });
    return {list, stop: () => listener && this.#listeners.delete(listener)};
  }

  /** One that takes too long is ended, and one that ends while it is asked fails the question. */
  #within<T>(ms: number, act: () => Promise<T>): Promise<T> {
    const {fault} = this;
    if (fault !== undefined) return Promise.reject(new Error(fault));
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => this.#connection.end(`it did not answer for ${ms / 1000} s`), ms);
      timer.unref();
      const stop = this.#connection.onEnd((reason) => reject(new Error(reason)));
      act()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          stop();
        });
    });
  }
}

function languageId(path: string, language: string): string {
  if (language === 'tsx') return 'typescriptreact';
  return path.toLowerCase().endsWith('.jsx') ? 'javascriptreact' : language;
}
