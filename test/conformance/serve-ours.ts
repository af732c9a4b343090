// Serves this program to the conformance suite: `gemini mcp serve --http`, with the plugin of fixtures that has what
// the suite asks for, behind a small server that adds the token, which the suite cannot send.
import {spawn} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createServer, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {installPlugins} from '../helpers/install-plugins.js';
import {checkout} from '../helpers/plugin-root.js';
import {isolate} from '../helpers/run-gemini.js';

export interface Served extends AsyncDisposable {
  readonly url: string;
}

const TOKEN = 'token-of-the-suite-0123456789abcdef';
const WAIT_MS = 20_000;

/** Starts it on a free port of this machine. */
export async function serveOurs(): Promise<Served> {
  const root = await mkdtemp(join(tmpdir(), 'gemini-conformance-'));
  const [home, project, tokenFile] = [join(root, 'home'), join(root, 'project'), join(root, 'token')];
  await Promise.all([mkdir(home), mkdir(project), writeFile(tokenFile, TOKEN, {mode: 0o600})]);
  await installPlugins(home, {present: ['mcp-conformance']});
  const words = ['mcp', 'serve', '--http', '--token-file', tokenFile, '--yolo'];
  const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
    cwd: project,
    env: isolate(home),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = await new Promise<URL>((resolve, reject) => {
    let said = '';
    const fail = (): void => reject(new Error(`gemini mcp serve did not start: ${said}`));
    setTimeout(fail, WAIT_MS).unref();
    child.on('close', fail);
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said) ?? [];
      if (found) resolve(new URL(found));
    });
  });
  const front = createServer((incoming, outgoing) => {
    const {host, origin} = incoming.headers;
    // What tests a foreign host or page is passed as it came; the usual host becomes that of the server.
    const isOwn = host === `localhost:${port}` || host === `127.0.0.1:${port}`;
    const headers = {...incoming.headers, host: isOwn ? address.host : host, authorization: `Bearer ${TOKEN}`};
    if (origin === `http://localhost:${port}` || origin === `http://127.0.0.1:${port}`) headers.origin = address.origin;
    const forward = request(
      {host: '127.0.0.1', port: address.port, path: '/mcp', method: incoming.method, headers, agent: false},
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forward.destroy());
    incoming.pipe(forward);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => front.once('listening', resolve));
  const {port} = front.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      front.close();
      front.closeAllConnections();
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
      await rm(root, {recursive: true, force: true});
    },
  };
}
