import {spawn, spawnSync} from 'node:child_process';
import {chmodSync} from 'node:fs';
import {chmod, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {isolate, runGemini} from '../../helpers/run-gemini.js';
import {createScene, program, type Scene} from './scene.js';

const TOKEN = 'token-for-tls-0123456789abcdef';

/** A self-signed certificate for this machine. */
function certify({root}: Scene, name: string): {readonly key: string; readonly cert: string} {
  const [key, cert] = [join(root, `${name}-key.pem`), join(root, `${name}-cert.pem`)];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const subject = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = spawnSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject]);
  expect(made.status).toBe(0);
  chmodSync(key, 0o600);
  return {key, cert};
}

test('serves over TLS to clients that trust its certificate, and to no others [serve.tls]', async () => {
  await using scene = await createScene();
  const {home, project, root} = scene;
  const {key, cert} = certify(scene, 'own');
  const token = join(root, 'token');
  await writeFile(token, TOKEN, {mode: 0o600});
  const words = ['mcp', 'serve', '--http', '--token-file', token, '--tls-cert', cert, '--tls-key', key];
  const child = spawn(process.execPath, [program, ...words], {
    cwd: project,
    env: isolate(home),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.once('close', () => reject(new Error(printed)));
      child.stderr.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const [found] = /https:\S+/.exec(printed) ?? [];
        if (found) resolve(found);
      });
    });
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const servers = {secure: {httpUrl: url, headers: {Authorization: `Bearer ${TOKEN}`}}};
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({mcpServers: servers}));
    const call = (variables: Record<string, string>) =>
      runGemini(['mcp', 'call', 'secure', 'read_file', 'file_path=a.txt', '--yes'], {cwd: project, home, variables});
    const trusting = await call({NODE_EXTRA_CA_CERTS: cert});
    expect([trusting.code, trusting.stdout]).toEqual([0, expect.stringContaining('alpha')]);
    const doubting = await call({});
    expect(doubting.code).not.toBe(0);
    expect(doubting.stderr).toMatch(/self.signed certificate/);
  } finally {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
  }
});

test('refuses a file without a certificate, and the key of another one: MCP_SERVE_INVALID [serve.tls]', async () => {
  await using scene = await createScene();
  const {home, project, root} = scene;
  const [own, other] = [certify(scene, 'own'), certify(scene, 'other')];
  const text = join(root, 'text.pem');
  await writeFile(text, 'no certificate\n');
  const run = (cert: string, key: string) =>
    runGemini(['mcp', 'serve', '--http', '--tls-cert', cert, '--tls-key', key], {cwd: project, home});
  const results = await Promise.all([run(text, own.key), run(own.cert, other.key), run(join(root, 'no.pem'), own.key)]);
  expect(results.map(({code, stderr}) => [code, stderr.split('\n')[0]])).toEqual([
    [42, expect.stringContaining(`Cannot serve over TLS with the certificate ${text}`)],
    [42, expect.stringContaining(`Cannot serve over TLS with the certificate ${own.cert} and the key ${other.key}`)],
    [42, expect.stringContaining(`Cannot read ${join(root, 'no.pem')}`)],
  ]);
});

test('refuses a key that others can read or change: MCP_SERVE_INVALID [serve.tls]', async () => {
  await using scene = await createScene();
  const {home, project} = scene;
  const run = async (mode: number) => {
    const {key, cert} = certify(scene, `mode-${mode.toString(8)}`);
    await chmod(key, mode);
    const options = ['--http', '--tls-cert', cert, '--tls-key', key];
    const {code, stderr} = await runGemini(['mcp', 'serve', ...options], {cwd: project, home});
    return [code, stderr.replaceAll(key, 'KEY').split('\n').slice(0, 2).join(' ')];
  };
  expect(await Promise.all([run(0o604), run(0o620)])).toEqual([
    [42, expect.stringMatching(/Others can read the TLS key in KEY\..*`chmod 600 KEY`/)],
    [42, expect.stringMatching(/Others can change the TLS key in KEY\..*`chmod 600 KEY`/)],
  ]);
});
