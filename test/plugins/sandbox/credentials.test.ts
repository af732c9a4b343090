import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import type {IncomingHttpHeaders} from 'node:http';
import {createServer, type Server} from 'node:https';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {findCredential, readCredentials, valueOf} from '#plugins/sandbox/dist/exit/credentials.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {testConfined} from './open-sandbox.js';

const SECRET = 'npm_token-of-the-person-0123456789';
let root = '';
let cert = '';
let server: Server;
let host = '';
const seen: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-credentials-')));
  for (const name of ['home', 'home/.gemini', 'project']) mkdirSync(join(root, name));
  const [key, file] = [join(root, 'key.pem'), join(root, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', file];
  const subject = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  expect(spawnSync('openssl', ['req', '-x509', ...curve, ...subject]).status).toBe(0);
  cert = file;
  server = createServer({key: readFileSync(key), cert: readFileSync(file)}, (request, response) => {
    seen.push(request.headers);
    request.resume().on('end', () => response.end('reached'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `localhost:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(root, 'project', 'look.sh'), 'env; cat /proc/[0-9]*/environ | tr "\\0" "\\n"');
  writeFileSync(
    join(root, 'project', 'ask.js'),
    `const [, , host, ...fields] = process.argv;
     const headers = Object.fromEntries(fields.map((field) => field.split('=')));
     require('http').get({host: '127.0.0.1', port: 3128, path: 'http://' + host + '/package', headers}, (response) => {
       response.on('data', (data) => console.log(response.statusCode, String(data).trim()));
     });`,
  );
});
afterAll(() => {
  server.close();
  rmSync(root, {recursive: true});
});

/** What a command prints that asks the exit for the host. */
async function ask(
  command: string,
  tools: object,
  variables: Readonly<Record<string, string>> = {NODE_EXTRA_CA_CERTS: cert, REGISTRY_PASSAGE: SECRET},
): Promise<string> {
  writeFileSync(join(root, 'home', '.gemini', 'settings.json'), JSON.stringify({tools}));
  const {stdout, stderr} = await runGemini(['tools', 'call', '--yes', 'run_shell_command', `command=${command}`], {
    ...{cwd: join(root, 'project'), home: join(root, 'home')},
    variables: {GEMINI_SANDBOX: 'true', ...variables},
  });
  return stdout + stderr;
}

describe('a secret for a host', () => {
  const granted = (more: object = {}): object => ({
    sandboxAllowedHosts: [host],
    sandboxCredentials: [{host, variable: 'REGISTRY_PASSAGE', ...more}],
  });

  testConfined('is added by the exit, over TLS, and the command never has it [sandbox.credentials]', async () => {
    seen.length = 0;
    const text = await ask(`node ask.js ${host} Host=other Authorization=own; sh look.sh`, granted());
    expect(text).toContain('200 reached');
    expect(text).toContain('SANDBOX=bwrap');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('REGISTRY_PASSAGE');
    expect(seen).toMatchObject([{host, authorization: `Bearer ${SECRET}`}]);
    await ask(`node ask.js ${host}`, granted({header: 'X-Api-Key'}));
    expect(seen[1]).toMatchObject({'x-api-key': SECRET});
    expect(seen[1]).not.toHaveProperty('authorization');
  });

  testConfined('goes to no one who is not that host, or not granted [sandbox.credentials]', async () => {
    seen.length = 0;
    const untrusted = await ask(`node ask.js ${host}`, granted(), {REGISTRY_PASSAGE: SECRET});
    expect(untrusted).toMatch(/403 .*self.signed certificate/);
    const {sandboxCredentials} = granted() as {readonly sandboxCredentials: unknown};
    expect(await ask(`node ask.js ${host}`, {sandboxCredentials})).toMatch(/403 .*nothing grants this host/);
    const unset = await ask(`node ask.js ${host}`, granted(), {NODE_EXTRA_CA_CERTS: cert});
    expect(unset).toContain('the variable REGISTRY_PASSAGE, which tools.sandboxCredentials names, is not set');
    expect(seen).toEqual([]);
    const wrong = await ask('true', {sandboxCredentials: [{host: '*.example.com', variable: 'A'}]});
    expect(wrong).toContain('tools.sandboxCredentials names the host "*.example.com", which is not one host.');
  });
});

test('a secret is for one host and port, in a header that can hold it [sandbox.credentials]', () => {
  const credentials = readCredentials([
    {host: 'One.example', variable: 'A'},
    {host: 'two.example:8443', variable: 'B', header: 'x-key', prefix: 'k '},
  ]);
  const find = (name: string, port: number): unknown => findCredential(credentials, {host: name, port})?.variable;
  expect([find('one.example.', 80), find('ONE.example', 443), find('one.example', 8080)]).toEqual([
    'A',
    'A',
    undefined,
  ]);
  expect([find('two.example', 8443), find('two.example', 80), find('a.one.example', 80)]).toEqual([
    ...['B', undefined, undefined],
  ]);
  expect(credentials.map((one) => valueOf(one, {A: ' s ', B: 't'}))).toEqual([{value: 'Bearer s'}, {value: 'k t'}]);
  for (const bad of ['a\r\nX: y', 'ü', '']) expect(valueOf(credentials[0]!, {A: bad})).toHaveProperty('fault');
  for (const header of ['Host', 'content-length', 'a b', 'x:y', 'Proxy-Authorization', ''])
    expect(() => readCredentials([{host: 'a.example', variable: 'A', header}])).toThrow(/cannot hold a secret/);
});
