import {createServer, type Server} from 'node:http';
import {createVerify, generateKeyPairSync} from 'node:crypto';
import {once} from 'node:events';
import {text as readAll} from 'node:stream/consumers';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {readServer} from '#plugins/mcp/dist/config/server-config.js';
import {googleConfigFor} from '#plugins/mcp/dist/auth/google/google-config.js';
import {GoogleTokens} from '#plugins/mcp/dist/auth/google/google-tokens.js';

interface Seen {
  readonly host: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly project: string | undefined;
  readonly body: string;
}

const {publicKey, privateKey} = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: {type: 'spki', format: 'pem'},
  privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
});
const account = {type: 'service_account', client_email: 'bot@shop.iam.gserviceaccount.com', private_key: privateKey};
const person = {
  type: 'authorized_user',
  client_id: 'id',
  client_secret: 'secret',
  refresh_token: 'refresh',
  quota_project_id: 'shop',
};

let server: Server;
let home: string;
let seen: Seen[] = [];
let status = 200;
let now = 1_000_000;

/** The real server answers for every host of Google; `x-host` says which was meant. */
beforeAll(async () => {
  server = createServer((request, answer) => {
    void readAll(request).then((body) => {
      const {authorization, 'x-goog-user-project': project, 'x-host': host} = request.headers;
      seen.push({
        host: String(host),
        path: request.url ?? '',
        authorization,
        project: project as string | undefined,
        body,
      });
      const isToken = host !== 'api.googleapis.com';
      const token = isToken
        ? {
            access_token: `token-${seen.length}`,
            token: `id-${seen.length}`,
            id_token: `identity-${seen.length}`,
            expires_in: 3600,
          }
        : {ok: true};
      answer.writeHead(isToken ? status : 200, {'content-type': 'application/json'});
      answer.end(
        JSON.stringify(status === 200 ? token : {error: 'invalid_grant', error_description: 'it was revoked'}),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  home = await mkdtemp(join(tmpdir(), 'gemini-google-'));
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(home, {recursive: true, force: true});
});

beforeEach(() => {
  seen = [];
  status = 200;
  now = 1_000_000;
});

async function send(
  credentials: unknown,
  config: object = {kind: 'credentials', scopes: ['a', 'b']},
): Promise<() => Promise<Response>> {
  const folder = join(home, '.config', 'gcloud');
  await mkdir(folder, {recursive: true});
  const file = join(folder, 'application_default_credentials.json');
  await rm(file, {force: true});
  if (credentials !== undefined)
    await writeFile(file, typeof credentials === 'string' ? credentials : JSON.stringify(credentials));
  const {port} = server.address() as AddressInfo;
  const tokens = new GoogleTokens({
    config: config as ConstructorParameters<typeof GoogleTokens>[0]['config'],
    environment: {variables: {}, home, platform: 'linux'},
    fetch: (url, init) => {
      const wanted = new URL(url);
      const headers = new Headers(init?.headers);
      headers.set('x-host', wanted.host);
      return fetch(`http://127.0.0.1:${port}${wanted.pathname}${wanted.search}`, {...init, headers});
    },
    now: () => now,
  });
  return () => tokens.fetch('https://api.googleapis.com/mcp', {method: 'POST', body: 'x'});
}

describe('a server with authProviderType google_credentials [mcp.google]', () => {
  test('gets the token of a service account, which proves itself with its key, until it ends', async () => {
    const request = await send(account);
    await request();
    await request();
    expect(seen.map(({host}) => host)).toEqual(['oauth2.googleapis.com', 'api.googleapis.com', 'api.googleapis.com']);
    expect(seen[1]).toMatchObject({authorization: 'Bearer token-1', project: undefined, body: 'x'});
    const form = new URLSearchParams(seen[0]?.body);
    const [head, claims, signature = ''] = (form.get('assertion') ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toEqual({
      iss: account.client_email,
      scope: 'a b',
      aud: 'https://oauth2.googleapis.com/token',
      iat: 1000,
      exp: 4600,
    });
    expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(true);
    now += 3_600_000;
    await request();
    expect(seen.at(-1)?.authorization).toBe('Bearer token-4');
  });

  test('gets the token of a person, and names the project that pays', async () => {
    await (
      await send(person)
    )();
    expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh',
    });
    expect(seen[1]).toMatchObject({authorization: 'Bearer token-1', project: 'shop'});
  });

  test('gets that of a machine at Google where there is no file', async () => {
    await (
      await send(undefined)
    )();
    expect(seen[0]).toMatchObject({
      host: 'metadata.google.internal',
      path: '/computeMetadata/v1/instance/service-accounts/default/token?scopes=a%2Cb',
    });
  });

  test.each([
    ['{', 'cannot be used: they are not a JSON object'],
    [{type: 'external_account'}, 'cannot be used: their type is "external_account"'],
    [{...account, private_key: ''}, 'cannot be used: client_email or private_key is missing'],
    [{...person, token_uri: 'http://evil.example'}, 'cannot be used: token_uri is not https'],
  ])('names credentials that cannot be used: %j', async (credentials, sentence) => {
    await expect((await send(credentials))()).rejects.toThrow(sentence);
    expect(seen).toEqual([]);
  });

  test('names a refusal of Google, and asks again the next time', async () => {
    const request = await send(person);
    status = 400;
    await expect(request()).rejects.toThrow('oauth2.googleapis.com gave no token (status 400: it was revoked)');
    status = 200;
    expect((await request()).status).toBe(200);
  });

  test('says what to do where there are no credentials', async () => {
    const request = await send(undefined);
    status = 404;
    await expect(request()).rejects.toThrow('run gcloud auth application-default login');
  });
});

test('a server with service_account_impersonation gets a statement for its audience [mcp.google]', async () => {
  const config = {kind: 'impersonation', audience: 'shop', account: 'bot@shop.iam.gserviceaccount.com'};
  await (
    await send(person, config)
  )();
  expect(seen[1]).toMatchObject({
    host: 'iamcredentials.googleapis.com',
    path: '/v1/projects/-/serviceAccounts/bot@shop.iam.gserviceaccount.com:generateIdToken',
    authorization: 'Bearer token-1',
    body: '{"audience":"shop","includeEmail":true}',
  });
  expect(seen[2]).toMatchObject({authorization: 'Bearer id-2', project: undefined});
});

describe('the entry of a server', () => {
  const google = {authProviderType: 'google_credentials', oauth: {scopes: ['a']}};
  const other = {
    authProviderType: 'service_account_impersonation',
    targetAudience: 'shop',
    targetServiceAccount: 'bot@shop.example',
  };
  const read = (entry: object, layer = 'user'): unknown => readServer('one', entry, {layer});

  test.each([
    [{...google, httpUrl: 'https://x.googleapis.com/mcp'}, 'user'],
    [{...google, httpUrl: 'https://x.luci.app/mcp'}, 'workspace'],
    [{...other, httpUrl: 'https://shop.example/mcp'}, 'user'],
  ])('%j is accepted in %s', (entry, layer) => {
    expect(read(entry, layer)).toMatchObject({way: {google: expect.anything(), auth: {isOn: false}}});
  });

  test.each([
    [
      {...google, httpUrl: 'https://evil.example/mcp'},
      'user',
      'only for https addresses of googleapis.com and luci.app',
    ],
    [{...google, httpUrl: 'https://googleapis.com.evil.example/'}, 'user', 'only for https addresses'],
    [{...google, httpUrl: 'https://evilgoogleapis.com/'}, 'user', 'only for https addresses'],
    [{...google, httpUrl: 'http://x.googleapis.com/'}, 'user', 'only for https addresses'],
    [{...google, oauth: {}, httpUrl: 'https://x.googleapis.com/'}, 'user', 'needs oauth.scopes'],
    [{...other, httpUrl: 'https://shop.example/'}, 'workspace', 'only in settings of the person or an administrator'],
    [{...other, httpUrl: 'http://shop.example/'}, 'user', 'needs an https address'],
    [{...other, targetServiceAccount: '../x', httpUrl: 'https://shop.example/'}, 'user', 'needs targetAudience and'],
    [{authProviderType: 'magic', httpUrl: 'https://shop.example/'}, 'user', '"magic" is unknown'],
  ])('%j in %s is refused: %s [mcp.google]', (entry, layer, sentence) => {
    expect(read(entry, layer)).toContain(sentence);
  });

  test('gets a statement for itself at Cloud Run, and an access token at hosts of Google only', async () => {
    const config = googleConfigFor(new URL('https://agent-x.a.run.app/card'));
    expect(config).toEqual({kind: 'identity', audience: 'https://agent-x.a.run.app'});
    await (
      await send(account, config)
    )();
    const [, claims] = (new URLSearchParams(seen[0]?.body).get('assertion') ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({
      target_audience: 'https://agent-x.a.run.app',
    });
    expect(seen[1]).toMatchObject({authorization: 'Bearer identity-1', project: undefined});
    await (
      await send(undefined, config)
    )();
    expect(seen[2]?.path).toContain('/identity?audience=https%3A%2F%2Fagent-x.a.run.app');
    expect(googleConfigFor(new URL('https://x.googleapis.com'))).toMatchObject({kind: 'credentials'});
    for (const url of ['http://x.run.app', 'https://run.app.example', 'https://googleapis.com.example', 'https://x'])
      expect(() => googleConfigFor(new URL(url))).toThrow('are only for https addresses');
  });
});
