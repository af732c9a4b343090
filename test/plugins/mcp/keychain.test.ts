import {chmod, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {findKeychain, MasterKey} from '@gemini-kernel/files/sealed';
import {CredentialFile} from '#plugins/mcp/dist/auth/credential-file.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-keychain-'));
});
afterEach(() => rm(folder, {recursive: true, force: true}));

/** A program that answers as secret-tool does, and keeps the value in a file. */
async function installSecretTool(body: string): Promise<ReturnType<typeof findKeychain>> {
  const program = join(folder, 'secret-tool');
  await writeFile(program, `#!/bin/sh\nkept='${join(folder, 'kept')}'\n${body}\n`);
  await chmod(program, 0o755);
  const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  return findKeychain({platform: 'linux', variables: {PATH, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere'}});
}

const works = 'case "$1" in store) cat > "$kept" ;; lookup) cat "$kept" ;; esac';
const token = {tokens: {access_token: 'secret token', token_type: 'Bearer'}};
const address = 'https://mcp.example/';

function storeIn(keychain: ReturnType<typeof findKeychain>): CredentialFile {
  return new CredentialFile(folder, new MasterKey(folder, keychain), {name: 'mcp-credentials.json'});
}

test('credentials are encrypted with the key of the keychain, where there is one [mcp.keychain]', async () => {
  const keychain = await installSecretTool(works);
  await storeIn(keychain).update(address, () => token);
  const text = await readFile(join(folder, '.gemini', 'mcp-credentials.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({version: 1, key: 'keychain'});
  expect(text).not.toContain('secret token');
  expect(await storeIn(keychain).read(address)).toEqual(token);
  await expect(storeIn(undefined).read(address)).rejects.toMatchObject({
    code: 'MCP_CREDENTIALS_BROKEN',
    message: expect.stringContaining("their key is not in the system's keychain"),
  });
});

test.each([
  ['keeps nothing', 'exit 0'],
  ['fails', 'exit 1'],
])('a keychain that %s leaves the key in a file [mcp.keychain]', async (_, body) => {
  const keychain = await installSecretTool(body);
  await storeIn(keychain).update(address, () => token);
  expect(JSON.parse(await readFile(join(folder, '.gemini', 'mcp-credentials.json'), 'utf8'))).toMatchObject({
    key: 'file',
  });
  expect(await storeIn(keychain).read(address)).toEqual(token);
});

test('a file that was changed is refused as a whole [mcp.keychain]', async () => {
  const store = storeIn(undefined);
  await store.update(address, () => token);
  const file = join(folder, '.gemini', 'mcp-credentials.json');
  const sealed = JSON.parse(await readFile(file, 'utf8')) as {data: string};
  const data = Buffer.from(sealed.data, 'base64');
  data[0] = (data[0] ?? 0) ^ 1;
  await writeFile(file, JSON.stringify({...sealed, data: data.toString('base64')}));
  await expect(store.read(address)).rejects.toMatchObject({code: 'MCP_CREDENTIALS_BROKEN'});
  await expect(store.update(address, () => token)).rejects.toMatchObject({code: 'MCP_CREDENTIALS_BROKEN'});
});

test('writers at once lose nothing [mcp.keychain]', async () => {
  const names = Array.from({length: 12}, (_, index) => `https://${index}.example/`);
  await Promise.all(names.map((name) => storeIn(undefined).update(name, () => token)));
  const kept = await Promise.all(names.map((name) => storeIn(undefined).read(name)));
  expect(kept).toEqual(names.map(() => token));
});

test('without a session bus no keychain is asked [mcp.keychain]', () => {
  expect(findKeychain({platform: 'linux', variables: {}})).toBeUndefined();
  expect(findKeychain({platform: 'win32', variables: {}})).toBeUndefined();
});
