import {readFile, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {Form, FormAnswer} from '@gemini-kernel/kernel';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-mcp/contract';
import {checkout} from '../../helpers/plugin-root.js';
import {serveAuthorization, type AuthorizationOptions, type AuthorizationScene} from './authorization-server.js';
import {foreign, startMcp, textOf, toolNames} from './scene.js';

const browser = `${process.execPath} ${join(checkout, 'test', 'fixtures', 'mcp', 'browser.mjs')}`;

interface Place extends AsyncDisposable {
  readonly server: AuthorizationScene;
  readonly kernel: TestKernel;
  login(ask?: (form: Form) => Promise<FormAnswer>): Promise<unknown>;
}

const unanswered = (): Promise<FormAnswer> => Promise.resolve({outcome: 'nobody'});

async function place(
  options: AuthorizationOptions = {},
  {
    oauth = {},
    homeFiles = {},
    variables = {BROWSER: browser},
  }: {
    readonly oauth?: Record<string, unknown>;
    readonly homeFiles?: Record<string, string>;
    readonly variables?: Record<string, string>;
  } = {},
): Promise<Place> {
  const server = await serveAuthorization(options);
  const kernel = await startMcp({far: {httpUrl: server.url, oauth}}, {variables, homeFiles});
  return {
    server,
    kernel,
    login: async (ask = unanswered) =>
      (await kernel.service('mcp')).login('far', {signal: AbortSignal.timeout(10_000), ask}),
    async [Symbol.asyncDispose]() {
      await kernel.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const call = async ({kernel}: Place): Promise<string> => textOf(await kernel.call('mcp_far_secret', {}));
const SECRET = foreign('the secret');

describe('a server that wants a login', () => {
  test('is named with the command to run, and opens nothing [mcp.login-needed]', async () => {
    await using scene = await place();
    expect(await toolNames(scene.kernel)).toEqual([]);
    expect(scene.kernel.warnings).toEqual([
      'The MCP server "far" asks for a login: you have not logged in yet. Run `gemini mcp login far`.',
    ]);
    expect(scene.server.seen.filter((line) => !line.includes('/mcp'))).toEqual([]);
    const check = await (await scene.kernel.service('mcp')).check('far');
    expect(check.steps.at(-1)).toMatchObject({ok: false, hint: 'Run `gemini mcp login far`.'});
  });

  test('is used after it, with PKCE, the resource, and tokens that no one else can read [mcp.login]', async () => {
    await using scene = await place({lifetime: 3600});
    expect(await scene.login()).toMatchObject({name: 'far', address: scene.server.url, scope: 'read offline_access'});
    expect(await call(scene)).toBe(SECRET);
    expect(scene.server.grants[0]?.get('resource')).toBe(scene.server.url);
    const folder = join(scene.kernel.home, '.gemini');
    for (const name of (await readdir(folder)).filter((one) => one.startsWith('mcp-credentials'))) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      expect(await readFile(join(folder, name), 'utf8')).not.toMatch(/access_token|[0-9a-f]{16}"/);
    }
  });

  test('is renewed inside a session, once for calls that run side by side [mcp.refresh]', async () => {
    await using scene = await place();
    await scene.login();
    expect(await call(scene)).toBe(SECRET);
    scene.server.expire();
    expect(await Promise.all([call(scene), call(scene), call(scene)])).toEqual([SECRET, SECRET, SECRET]);
    expect(scene.server.grants.map((form) => form.get('grant_type'))).toEqual(['authorization_code', 'refresh_token']);
  });

  test('keeps a login that could not be renewed for now, says so, and renews it later [mcp.refresh]', async () => {
    const options = {refresh: 'fail'} as {refresh: 'fail' | 'rotate'};
    await using scene = await place(options);
    await scene.login();
    expect(await call(scene)).toBe(SECRET);
    scene.server.expire();
    expect(await call(scene)).toContain('the login could not be renewed: temporarily_unavailable');
    options.refresh = 'rotate';
    expect(await call(scene)).toBe(SECRET);
  });

  test('asks for a login when its renewal is refused, and forgets nothing [mcp.refresh]', async () => {
    await using scene = await place({refresh: 'refuse'});
    await scene.login();
    expect(await call(scene)).toBe(SECRET);
    scene.server.expire();
    expect(await call(scene)).toContain(
      'MCP_LOGIN_NEEDED: The MCP server "far" asks for a login: your login has ended',
    );
    expect(await (await scene.kernel.service('mcp')).logout('far')).toBe(true);
  });

  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'knows clients with a secret by %s, also when it renews [mcp.login-clients]',
    async (method) => {
      const known = {id: 'known', secret: 'between us'};
      await using scene = await place(
        {method, known, registers: false},
        {oauth: {clientId: known.id, clientSecret: known.secret}},
      );
      await scene.login();
      expect(await call(scene)).toBe(SECRET);
      scene.server.expire();
      expect(await call(scene)).toBe(SECRET);
    },
  );

  test('asks for more permissions when a call needs them, and keeps those it has [mcp.step-up]', async () => {
    await using scene = await place({stepUp: 'write'});
    await scene.login();
    expect(await call(scene)).toContain('asks for a login: it wants the permission "write".');
    expect(await scene.login()).toMatchObject({scope: 'read offline_access write'});
    expect(await call(scene)).toBe(SECRET);
  });

  test('offers the login in a conversation, and continues with the call [mcp.login-offer]', async () => {
    await using scene = await place({stepUp: 'write'});
    await scene.login();
    expect(await toolNames(scene.kernel)).toEqual(['mcp_far_secret']);
    const titles: string[] = [];
    (await scene.kernel.service('mcp')).attach({
      session: scene.kernel.session.info.id,
      roots: async () => [],
      changed: () => undefined,
      sample: () => Promise.reject(new Error('No model is asked here.')),
      ask: async ({title, about}) => {
        titles.push(title);
        return about.kind === 'mcp-login-offer' ? {outcome: 'answered', values: {login: true}} : unanswered();
      },
    });
    expect(await call(scene)).toBe(SECRET);
    expect(titles[0]).toBe('The MCP server "far" asks for a login: it wants the permission "write".');
  });

  test.each([
    ['wrong', 'issuer'],
    ['right', undefined],
  ] as const)('checks who answers where the server announces it: %s [mcp.login-issuer]', async (iss, fault) => {
    await using scene = await place({iss});
    const outcome = scene.login().then(
      () => undefined,
      ({message}: Error) => message,
    );
    if (fault === undefined) expect(await outcome).toBeUndefined();
    else expect((await outcome)?.toLowerCase()).toContain(fault);
  });

  test('takes the address that a person pastes, and no other [mcp.login-paste]', async () => {
    await using scene = await place({}, {variables: {NO_BROWSER: '1'}});
    const descriptions: string[] = [];
    const ask = async ({about, fields}: Form): Promise<FormAnswer> => {
      descriptions.push(fields[0]?.description ?? '');
      if (descriptions.length === 1)
        return {outcome: 'answered', values: {address: 'http://localhost/?code=1&state=2'}};
      const {headers} = await fetch(String(about['url']), {redirect: 'manual'});
      return {outcome: 'answered', values: {address: headers.get('location') ?? ''}};
    };
    await scene.login(ask);
    expect(descriptions[1]).toContain('That is not the address of this login. ');
    expect(await call(scene)).toBe(SECRET);
  });

  test('fails at once where there is neither a browser nor a person [mcp.login-paste]', async () => {
    await using scene = await place({}, {variables: {NO_BROWSER: '1'}});
    await expect(scene.login()).rejects.toMatchObject({
      code: 'MCP_LOGIN_FAILED',
      message: expect.stringContaining('no browser can be opened here'),
      hint: expect.stringContaining('BROWSER'),
    });
  });

  test('is not sent to addresses in other networks that it names [mcp.login-guard]', async () => {
    await using scene = await place({elsewhere: 'http://169.254.169.254/'});
    await expect(scene.login()).rejects.toMatchObject({
      code: 'MCP_LOGIN_FAILED',
      message: expect.stringContaining('169.254.169.254'),
    });
  });

  test('needs no person for a client with its own permission [mcp.login-machine]', async () => {
    const known = {id: 'robot', secret: 'oil'};
    await using scene = await place(
      {method: 'client_secret_basic', known},
      {oauth: {grantType: 'client_credentials', clientId: known.id, clientSecret: known.secret}},
    );
    expect(await call(scene)).toBe(SECRET);
    await expect(scene.login()).rejects.toMatchObject({code: 'MCP_SERVER_INVALID'});
    expect(await readdir(join(scene.kernel.home, '.gemini'))).not.toContain('mcp-credentials.json');
  });

  test('is forgotten by a logout [mcp.logout]', async () => {
    await using scene = await place();
    const mcp = await scene.kernel.service('mcp');
    expect(await mcp.logout('far')).toBe(false);
    await scene.login();
    expect(await mcp.logout('far')).toBe(true);
    expect(await toolNames(scene.kernel)).toEqual([]);
  });

  test('is reached with the tokens that Gemini CLI kept [mcp.login-reference]', async () => {
    const server = await serveAuthorization();
    await using first = await startMcp({far: {httpUrl: server.url}}, {variables: {BROWSER: browser}});
    await (await first.service('mcp')).login('far', {signal: AbortSignal.timeout(10_000), ask: unanswered});
    const token = server.seen.length > 0 ? server.lastToken() : '';
    const kept = [{serverName: 'far', mcpServerUrl: server.url, clientId: 'client-1', token: {accessToken: token}}];
    await using scene = await startMcp(
      {far: {httpUrl: server.url}},
      {homeFiles: {'.gemini/mcp-oauth-tokens.json': JSON.stringify(kept)}},
    );
    expect(textOf(await scene.call('mcp_far_secret', {}))).toBe(SECRET);
    await server[Symbol.asyncDispose]();
  });

  test('is not used with credentials that cannot be read, and they stay [mcp.login-broken]', async () => {
    await using scene = await place({}, {homeFiles: {'.gemini/mcp-credentials.json': '{"version": 2}'}});
    await expect(scene.login()).rejects.toMatchObject({
      code: 'MCP_CREDENTIALS_BROKEN',
      message: expect.stringContaining('it has the version 2'),
    });
    expect(await readFile(join(scene.kernel.home, '.gemini', 'mcp-credentials.json'), 'utf8')).toBe('{"version": 2}');
  });
});

test('a program has no login, and a name without a server is unclear [mcp.login]', async () => {
  await using kernel = await startMcp({near: {command: 'node'}});
  const mcp = await kernel.service('mcp');
  const desk = {signal: AbortSignal.timeout(1000), ask: unanswered};
  await expect(mcp.login('near', desk)).rejects.toMatchObject({code: 'MCP_SERVER_INVALID'});
  await expect(mcp.login('far', desk)).rejects.toMatchObject({code: 'MCP_SERVER_UNKNOWN', hint: 'Configured: near.'});
});
