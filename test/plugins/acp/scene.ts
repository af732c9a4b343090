import {spawn, type ChildProcessWithoutNullStreams} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {Readable, Writable} from 'node:stream';
import {
  client,
  ndJsonStream,
  PROTOCOL_VERSION,
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type InitializeResponse,
  type NewSessionRequest,
  type NewSessionResponse,
  type PromptResponse,
  type ReadTextFileRequest,
  type RequestPermissionRequest,
  type SessionUpdate,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate} from '../../helpers/run-gemini.js';
import type {ScriptedServer} from '../../helpers/scripted-server.js';

export const program = join(checkout, 'bin', 'gemini.cjs');

export const say = (text: string): ScriptedAnswer => ({pieces: [{kind: 'text', text}]});
export const call = (id: string, name: string, input: Record<string, unknown>): ScriptedAnswer => ({
  pieces: [{kind: 'call', id, name, input}],
});

/** A home, two projects and a scripted model. */
export interface Scene extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  readonly other: string;
  readonly model: ScriptedServer;
}

export async function createScene(files: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-acp-')));
  const [home, project, other] = [join(root, 'home'), join(root, 'project'), join(root, 'other')];
  const all = {
    'home/.gemini/settings.json': '{"general": {"sessionSummary": false}}',
    'project/a.txt': 'alpha\nbeta\n',
    'other/b.txt': 'gamma\n',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), text);
  }
  const model = await startGeminiServer();
  return {
    ...{home, project, other, model},
    async [Symbol.asyncDispose]() {
      await model.close();
      await rm(root, {recursive: true, force: true});
    },
  };
}

/** How the person at the editor behaves, and what the editor offers. */
export interface Person {
  /** The option to choose; undefined closes the question. */
  readonly answer?: (request: RequestPermissionRequest) => string | undefined | Promise<string | undefined>;
  readonly fill?: (request: CreateElicitationRequest) => CreateElicitationResponse;
  readonly read?: (request: ReadTextFileRequest) => string | Promise<string>;
  readonly write?: (request: WriteTextFileRequest) => void | Promise<void>;
  readonly capabilities?: ClientCapabilities;
}

export interface Started extends AsyncDisposable {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it wrote to standard error so far. */
  log(): string;
  /** Every byte of standard output so far. */
  output(): string;
  end(): Promise<number | null>;
}

/** Starts the real program as an editor does. */
export function start(
  {home, project, model}: Scene,
  args: readonly string[] = ['--acp'],
  variables: Readonly<Record<string, string>> = {},
): Started {
  const env = isolate(home, {GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: model.url, ...variables});
  const child = spawn(process.execPath, [program, ...args], {cwd: project, env});
  let [log, output] = ['', ''];
  child.stderr.on('data', (piece: Buffer) => (log += String(piece)));
  child.stdout.on('data', (piece: Buffer) => (output += String(piece)));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const end = async (): Promise<number | null> => {
    child.stdin.end();
    const [code] = await exited;
    return code;
  };
  return {
    ...{process: child, log: () => log, output: () => output, end},
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end();
    },
  };
}

/** An editor that is connected to the program. */
export interface Connected extends AsyncDisposable {
  readonly agent: ClientConnection['agent'];
  readonly started: Started;
  readonly initialized: InitializeResponse;
  /** Every update so far, by session. */
  updates(session: string): readonly SessionUpdate[];
  /** Resolves with the first update of a session, seen or to come, that matches. */
  seen<K extends SessionUpdate['sessionUpdate']>(
    session: string,
    kind: K,
    matches?: (update: Extract<SessionUpdate, {sessionUpdate: K}>) => boolean,
  ): Promise<Extract<SessionUpdate, {sessionUpdate: K}>>;
  open(request?: Partial<NewSessionRequest>): Promise<NewSessionResponse>;
  prompt(sessionId: string, text: string): Promise<PromptResponse>;
  /** The text of the agent so far. */
  text(session: string): string;
  /** Questions so far. */
  readonly asked: readonly RequestPermissionRequest[];
}

export async function connect(
  scene: Scene,
  person: Person & {readonly args?: readonly string[]; readonly variables?: Readonly<Record<string, string>>} = {},
): Promise<Connected> {
  const started = start(scene, person.args, person.variables);
  const updates: {readonly sessionId: string; readonly update: SessionUpdate}[] = [];
  const asked: RequestPermissionRequest[] = [];
  const watchers = new Set<() => void>();
  const app = client({name: 'test'})
    .onRequest('session/request_permission', async ({params}) => {
      asked.push(params);
      const optionId = await person.answer?.(params);
      return {outcome: optionId === undefined ? {outcome: 'cancelled'} : {outcome: 'selected', optionId}};
    })
    .onRequest('elicitation/create', ({params}) => person.fill?.(params) ?? {action: 'cancel'})
    .onRequest('fs/read_text_file', async ({params}) => ({content: (await person.read?.(params)) ?? ''}))
    .onRequest('fs/write_text_file', async ({params}) => {
      await person.write?.(params);
      return {};
    })
    .onNotification('session/update', ({params}) => {
      updates.push(params);
      for (const watch of watchers) watch();
    });
  const {stdin, stdout} = started.process;
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
    ),
  );
  const {agent} = connection;
  const initialized = await agent.request('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: {name: 'test', version: '1.0.0'},
    clientCapabilities: {
      ...(person.fill ? {elicitation: {form: {}}} : {}),
      ...(person.read ? {fs: {readTextFile: true, writeTextFile: person.write !== undefined}} : {}),
      ...person.capabilities,
    },
  });
  const of = (session: string): readonly SessionUpdate[] =>
    updates.filter(({sessionId}) => sessionId === session).map(({update}) => update);
  return {
    ...{agent, started, initialized, asked, updates: of},
    seen(session, kind, matches = () => true) {
      const find = () => of(session).find((one) => one.sessionUpdate === kind && matches(one as never)) as never;
      return new Promise((resolve) => {
        const look = (): void => {
          const found = find();
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      });
    },
    open: (request = {}) => agent.request('session/new', {cwd: scene.project, mcpServers: [], ...request}),
    async prompt(sessionId, text) {
      const end = await agent.request('session/prompt', {sessionId, prompt: [{type: 'text', text}]});
      // The client hands over the updates before it in later turns.
      await new Promise((resolve) => setImmediate(resolve));
      return end;
    },
    text: (session) =>
      of(session)
        .map((one) =>
          one.sessionUpdate === 'agent_message_chunk' && one.content.type === 'text' ? one.content.text : '',
        )
        .join(''),
    async [Symbol.asyncDispose]() {
      await started.end();
      connection.close();
    },
  };
}
