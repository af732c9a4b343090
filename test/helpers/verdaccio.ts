import {execFile, spawn, type ChildProcess} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cp, mkdtemp, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {checkout} from './plugin-root.js';

/**
 * A real private registry on loopback: `@acme/…` is read and published by users only, everything else is read by all.
 * It knows no other registry.
 */
export interface Registry {
  /** Ends with a slash. */
  readonly url: string;
  /** Makes a user and gives the token. */
  addUser(name: string): Promise<string>;
  /** Publishes a folder as that user. */
  publish(folder: string, token: string, ...options: readonly string[]): Promise<void>;
  /** The line of an .npmrc with which a token is used. */
  npmrc(token: string): string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts such a registry, with nothing in it. */
export async function startVerdaccio(): Promise<Registry> {
  const program = await installVerdaccio();
  const folder = await mkdtemp(join(tmpdir(), 'gemini-registry-'));
  const port = await findPort();
  const url = `http://127.0.0.1:${port}/`;
  const config = join(folder, 'config.yaml');
  await writeFile(config, describeRegistry(folder));
  const child = spawn(
    process.execPath,
    [
      join(program, 'node_modules', 'verdaccio', 'bin', 'verdaccio'),
      '--config',
      config,
      '--listen',
      `127.0.0.1:${port}`,
    ],
    {cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: {PATH: process.env['PATH'], HOME: folder}},
  );
  await listening(child);
  const npmrc = (token: string): string => `registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`;
  return {
    url,
    npmrc,
    addUser: (name) => addUser(url, name),
    async publish(source, token, ...options) {
      const userconfig = join(folder, 'publish.npmrc');
      await writeFile(userconfig, npmrc(token));
      await promisify(execFile)(
        'npm',
        ['publish', source, '--ignore-scripts', '--userconfig', userconfig, '--registry', url, ...options],
        {cwd: folder},
      );
    },
    async [Symbol.asyncDispose]() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      await rm(folder, {recursive: true, force: true});
    },
  };
}

/** Installed once for all runs, into a folder that names what it was made from. */
async function installVerdaccio(): Promise<string> {
  const source = join(checkout, 'test', 'fixtures', 'verdaccio');
  const digest = createHash('sha256')
    .update(await readFile(join(source, 'package-lock.json')))
    .update(process.version)
    .digest('hex')
    .slice(0, 16);
  const place = join(tmpdir(), `gemini-verdaccio-${digest}`);
  if (existsSync(place)) return place;
  const staged = await mkdtemp(join(tmpdir(), 'gemini-verdaccio-new-'));
  await cp(source, staged, {recursive: true});
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {cwd: staged});
  // Another process has created the same.
  await rename(staged, place).catch(() => rm(staged, {recursive: true, force: true}));
  return place;
}

function describeRegistry(folder: string): string {
  return `storage: ${join(folder, 'storage')}
auth:
  htpasswd: {file: ${join(folder, 'htpasswd')}, max_users: 10}
uplinks: {}
packages:
  '@acme/*': {access: $authenticated, publish: $authenticated}
  '**': {access: $all, publish: $authenticated}
log: {type: stdout, format: json, level: http}
`;
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('http address')) resolve();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('exit', (code) => reject(new Error(`The registry ended with ${code}: ${said}`)));
  });
}

async function addUser(url: string, name: string): Promise<string> {
  const response = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
    method: 'PUT',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({name, password: `${name}-password`, email: `${name}@acme.example`, type: 'user', roles: []}),
  });
  const {token, error} = (await response.json()) as {token?: string; error?: string};
  if (!token) throw new Error(`The registry made no user ${name}: ${error ?? response.status}`);
  return token;
}
