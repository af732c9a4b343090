import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Client, type ElicitRequest, type ElicitResult} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate} from '../../helpers/run-gemini.js';

export const program = join(checkout, 'bin', 'gemini.cjs');

/** A home and a project with one file. */
export interface Scene {
  readonly home: string;
  readonly project: string;
  readonly root: string;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function createScene(homeFiles: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-serve-')));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  await mkdir(project);
  await writeFile(join(project, 'a.txt'), 'alpha\n');
  for (const [path, text] of Object.entries({'.gemini/settings.json': '{}', ...homeFiles})) {
    await mkdir(join(home, path, '..'), {recursive: true});
    await writeFile(join(home, path), text);
  }
  return {home, project, root, [Symbol.asyncDispose]: () => rm(root, {recursive: true, force: true})};
}

export interface Person {
  /** Answers questions; without it the client declares no elicitation. */
  readonly answer?: (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;
  /** Directories; without them the client declares no roots. */
  readonly roots?: () => readonly string[];
  readonly stateless?: boolean;
  /** Answers as the model of the client; without it the client declares no sampling. */
  readonly sample?: (text: string) => string | Promise<string>;
}

/** A client of the SDK, not connected yet. */
export function createClient({answer, roots, sample, stateless = false}: Person = {}): Client {
  const client = new Client(
    {name: 'test', version: '1.0.0'},
    {
      capabilities: {
        ...(answer ? {elicitation: {}} : {}),
        ...(roots ? {roots: {listChanged: true}} : {}),
        ...(sample ? {sampling: {}} : {}),
      },
      ...(stateless ? {versionNegotiation: {mode: 'auto'}} : {}),
    },
  );
  if (answer) client.setRequestHandler('elicitation/create', ({params}) => answer(params));
  if (sample)
    client.setRequestHandler('sampling/createMessage', async ({params}) => {
      const [content] = [params.messages[0]?.content].flat();
      const text = await sample(content?.type === 'text' ? content.text : '');
      return {role: 'assistant', model: 'of the client', content: {type: 'text', text}};
    });
  if (roots)
    client.setRequestHandler('roots/list', () => ({roots: roots().map((path) => ({uri: pathToFileURL(path).href}))}));
  return client;
}

export interface Running extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
}

/** Starts the real program as a client does. */
export async function serve(
  {home, project}: Scene,
  {
    args = [],
    variables = {},
    ...person
  }: Person & {readonly args?: readonly string[]; variables?: Record<string, string>},
): Promise<Running> {
  const client = createClient(person);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', 'serve', ...args],
    cwd: project,
    env: isolate(home, variables),
    stderr: 'ignore',
  });
  await client.connect(transport);
  return {client, pid: transport.pid ?? 0, [Symbol.asyncDispose]: () => client.close()};
}

interface Result {
  readonly content?: unknown;
  readonly isError?: unknown;
}

/** The text of a result; one that reports an error begins with `!`. */
export function textOf({content, isError}: Result): string {
  const texts = (content as readonly {readonly text?: string}[]).map(({text}) => text ?? '');
  return `${isError === true ? '!' : ''}${texts.join('\n')}`;
}
