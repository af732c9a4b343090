import {generateKeyPairSync} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {signText} from '@gemini-kernel/admission';
import type {CatalogFinding, SearchedSource} from '@gemini-kernel/plugin-bundles/contract';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {serveRegistry, type Registry} from '../../../helpers/registry.js';
import {runGemini, type RunResult} from '../../../helpers/run-gemini.js';

/** A server of catalogs on loopback. */
export interface CatalogServer {
  readonly url: string;
  /** The status of each answer, by path. */
  readonly answers: [string, number][];
  /** What is served; a function answers itself. */
  readonly files: Map<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>;
  close(): Promise<void>;
}

export async function serveCatalogs(): Promise<CatalogServer> {
  const files: CatalogServer['files'] = new Map();
  const answers: [string, number][] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    response.once('close', () => answers.push([path, response.statusCode]));
    const found = files.get(path);
    if (typeof found === 'function') return found(request, response);
    if (found === undefined) return void response.writeHead(404).end('none');
    const etag = `"${found.length}-${Buffer.from(found.slice(-40)).toString('hex')}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.writeHead(200, {etag}).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, files, answers, close};
}

export interface CatalogScene {
  readonly folder: string;
  readonly home: string;
  readonly registry: Registry;
  readonly server: CatalogServer;
  readonly variables: Readonly<Record<string, string>>;
  /** Writes the person's setting catalogs.sources. */
  name(...sources: readonly object[]): Promise<void>;
  write(path: string, text: string): Promise<string>;
  run(...args: readonly string[]): Promise<RunResult>;
  find(...args: readonly string[]): Promise<CatalogFinding>;
  /** The catalogs as `catalogs list` shows them. */
  list(): Promise<readonly SearchedSource[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function makeCatalogScene(): Promise<CatalogScene> {
  const root = await makeFolder();
  const [registry, server] = [await serveRegistry(), await serveCatalogs()];
  const [folder, home] = [join(root.path, 'work'), join(root.path, 'home')];
  await mkdir(folder);
  const variables = {npm_config_registry: registry.url, npm_config_cache: join(root.path, 'npm-cache')};
  const write = async (path: string, text: string): Promise<string> => {
    const file = join(root.path, path);
    await mkdir(dirname(file), {recursive: true, mode: 0o700});
    await writeFile(file, text, {mode: 0o600});
    return file;
  };
  const run = (...args: readonly string[]): Promise<RunResult> => runGemini(args, {cwd: folder, home, variables});
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await run(...args, '--json')).stdout);
  return {
    ...{folder, home, registry, server, variables, write, run},
    name: async (...sources) => void (await write('home/.gemini/settings.json', JSON.stringify({catalogs: {sources}}))),
    find: async (...args) => (await json('plugins', 'search', ...args)) as CatalogFinding,
    list: async () => ((await json('catalogs', 'list')) as {catalogs: readonly SearchedSource[]}).catalogs,
    async [Symbol.asyncDispose]() {
      await Promise.all([registry.close(), server.close()]);
      await root[Symbol.asyncDispose]();
    },
  };
}

/** The text of a catalog with these entries, plugins of a repository unless said otherwise. */
export function catalogText(
  entries: readonly Readonly<Record<string, unknown>>[],
  more: Readonly<Record<string, unknown>> = {},
): string {
  const filled = entries.map((entry) => ({kind: 'plugin', description: 'One.', source: 'github:acme/one', ...entry}));
  return JSON.stringify({catalogVersion: 1, name: 'acme', entries: filled, ...more});
}

const pair = generateKeyPairSync('ed25519', {
  publicKeyEncoding: {type: 'spki', format: 'der'},
  privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
});
export const {privateKey} = pair;
/** As settings and rules have it. */
export const publicKey = pair.publicKey.toString('base64');

/** The file beside a catalog, with one signature. */
export function signed(text: string, name = 'acme-2026'): string {
  return JSON.stringify([signText(`gemini-catalog-signature 1\n${text}`, {name, privateKey})]);
}
