import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {checkout} from '../../helpers/plugin-root.js';
import {call, createScene, say, start, type Scene, type Started} from './scene.js';

export type Json = Readonly<Record<string, unknown>>;

/** One message of the agent. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: {readonly code: number; readonly message: string};
}

/** What the editor answers to a request of the agent; undefined is the answer that there is no such method. */
type Answer = (method: string, params: Json) => Json | undefined;

/** Chooses the first option that allows, as people mostly do. */
const allow: Answer = (method, params) => {
  if (method !== 'session/request_permission') return undefined;
  const options = params['options'] as readonly {readonly kind: string; readonly optionId: string}[];
  return {outcome: {outcome: 'selected', optionId: options.find(({kind}) => kind.startsWith('allow'))?.optionId}};
};

/** An editor without any library of the protocol: it keeps each message as it came. */
export class RawEditor {
  readonly messages: Message[] = [];
  answer: Answer = allow;
  #rest = '';
  #last = 0;
  readonly #watchers = new Set<() => void>();

  constructor(readonly started: Started) {
    started.process.stdout.setEncoding('utf8').on('data', (text: string) => this.#take(text));
  }

  /** Starts the program and says what the editor can do. */
  static async open(scene: Scene, capabilities: Json = {}): Promise<RawEditor> {
    const editor = new RawEditor(start(scene));
    await editor.request('initialize', {protocolVersion: 1, clientCapabilities: capabilities});
    return editor;
  }

  write(text: string): void {
    this.started.process.stdin.write(text);
  }

  notify(method: string, params: Json): void {
    this.write(`${JSON.stringify({jsonrpc: '2.0', method, params})}\n`);
  }

  async request(method: string, params?: unknown, id: unknown = (this.#last += 1)): Promise<Message> {
    this.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params})}\n`);
    return this.seen((one) => one.method === undefined && one.id === id);
  }

  /** The first message that matches, come or to come. */
  seen(matches: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.messages.find(matches);
        if (!found) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Opens a session; gives its id. */
  async session(scene: Scene, params: Json = {}): Promise<string> {
    const {result} = await this.request('session/new', {cwd: scene.project, mcpServers: [], ...params});
    return String(result?.['sessionId']);
  }

  prompt(sessionId: string, text: string, ...blocks: readonly Json[]): Promise<Message> {
    return this.request('session/prompt', {sessionId, prompt: [{type: 'text', text}, ...blocks]});
  }

  /** The updates of a session, of one kind. */
  updates(sessionId: string, kind?: string): readonly Json[] {
    return this.messages
      .filter(({method, params}) => method === 'session/update' && params?.['sessionId'] === sessionId)
      .map(({params}) => params?.['update'] as Json)
      .filter(({sessionUpdate}) => kind === undefined || sessionUpdate === kind);
  }

  async close(): Promise<void> {
    await this.started[Symbol.asyncDispose]();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      this.messages.push(message);
      if (message.method !== undefined && message.id !== undefined) this.#reply(message, message.method);
    }
    for (const watch of [...this.#watchers]) watch();
  }

  #reply({id, params = {}}: Message, method: string): void {
    const result = this.answer(method, params);
    const end = result ? {result} : {error: {code: -32601, message: 'There is no such method.'}};
    this.write(`${JSON.stringify({jsonrpc: '2.0', id, ...end})}\n`);
  }
}

/** A model that does what the last prompt names. */
const script: Script = ({messages}) => {
  const last = JSON.stringify(messages.at(-1)?.pieces);
  if (last.includes('"result"')) return say('Done.');
  if (last.includes('please wait')) return {pieces: [{kind: 'text', text: 'begun'}], stall: {afterPieces: 1}};
  if (last.includes('please write')) return call('w', 'write_file', {file_path: 'new.txt', content: 'made\n'});
  if (last.includes('please read b')) return call('b', 'read_file', {file_path: '../other/b.txt'});
  if (last.includes('please read')) return call('r', 'read_file', {file_path: 'a.txt'});
  if (last.includes('please run')) return call('x', 'run_shell_command', {command: 'touch made; pwd'});
  if (last.includes('please fail')) return call('f', 'read_file', {file_path: 'missing.txt'});
  if (last.includes('please plan')) {
    const todos = ['look', 'cut'].map((description, at) => ({description, status: at ? 'pending' : 'in_progress'}));
    return call('t', 'write_todos', {todos});
  }
  if (last.includes('please ask'))
    return call('q', 'ask_user', {questions: [{question: 'Which?', header: 'which', type: 'text'}]});
  return {pieces: ['Hello ', 'there.'].map((text) => ({kind: 'text', text}))};
};

/** A scene whose model does what prompts name. */
export async function createScripted(files?: Readonly<Record<string, string>>): Promise<Scene> {
  const scene = await createScene(files);
  scene.model.script(script);
  return scene;
}

/** The definitions of the protocol that come with its SDK. */
export interface Schema {
  /** What does not fit a definition. */
  faults(name: string, value: unknown): readonly string[];
  /** What does not fit it, or is not in it. */
  strangers(name: string, value: unknown): readonly string[];
}

type Validate = ((value: unknown) => boolean) & {errors?: readonly {instancePath: string; message?: string}[] | null};

export async function readSchema(): Promise<Schema> {
  const path = join(checkout, 'node_modules', '@agentclientprotocol', 'sdk', 'schema', 'v1', 'schema.json');
  const schema = JSON.parse(await readFile(path, 'utf8')) as Json;
  const {Ajv2020} = createRequire(join(checkout, 'kernel', 'package.json'))('ajv/dist/2020.js') as {
    Ajv2020: new (options: object) => {addSchema(schema: object, key: string): void; compile(schema: object): Validate};
  };
  const ajv = new Ajv2020({strict: false, validateFormats: false, allErrors: true});
  ajv.addSchema(schema, 'acp');
  const compiled = new Map<string, Validate>();
  const check = (name: string, value: unknown, more: object): readonly string[] => {
    const key = JSON.stringify([name, more]);
    const validate = compiled.get(key) ?? ajv.compile({$ref: `acp#/$defs/${name}`, ...more});
    compiled.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({instancePath, message = ''}) => `${name}${instancePath} ${message}`);
  };
  return {
    faults: (name, value) => check(name, value, {}),
    strangers: (name, value) => check(name, value, {unevaluatedProperties: false}),
  };
}
