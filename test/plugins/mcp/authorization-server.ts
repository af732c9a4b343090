import {createHash, randomBytes} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** How the authorization server and the MCP server beside it, or another one, behave. */
export interface AuthorizationOptions {
  /** Seconds until an access token ends; none unless given. */
  readonly lifetime?: number;
  /** How clients prove themselves at the token endpoint. */
  readonly method?: 'none' | 'client_secret_basic' | 'client_secret_post';
  /** Whether clients can register themselves. */
  readonly registers?: boolean;
  /** What the refresh token endpoint answers. */
  readonly refresh?: 'rotate' | 'fail' | 'refuse';
  /** The scope that calls of tools need, beyond the one of a login. */
  readonly stepUp?: string;
  readonly iss?: 'right' | 'wrong' | 'none';
  /** Where the metadata of the resource say that the authorization server is. */
  readonly elsewhere?: string;
  /** What else is there: the result of a request, for the token's scope; undefined for what needs a login. */
  other?(
    path: string,
    asked: {readonly origin: string; readonly scope: string | undefined; readonly id: number},
  ): unknown;
  /** A client that is known beforehand. */
  readonly known?: {readonly id: string; readonly secret?: string};
}

export interface AuthorizationScene extends AsyncDisposable {
  /** The address of the MCP server. */
  readonly url: string;
  /** What was asked of it: `POST /token refresh_token`, `POST /mcp 401`. */
  readonly seen: readonly string[];
  /** Bodies of the requests for tokens. */
  readonly grants: readonly URLSearchParams[];
  /** Makes every access token that was given out invalid. */
  expire(): void;
  /** The access token that was given out last. */
  lastToken(): string;
}

const SCOPE = 'read';

/** An MCP server that wants tokens, with its authorization server, on one port of this machine. */
export async function serveAuthorization(options: AuthorizationOptions = {}): Promise<AuthorizationScene> {
  const scene = new Scene(options);
  const server = createServer((request, response) => {
    void scene.answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  scene.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: `${scene.origin}/mcp`,
    seen: scene.seen,
    grants: scene.grants,
    expire: () => scene.valid.clear(),
    lastToken: () => [...scene.valid.keys()].at(-1) ?? '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Scene {
  origin = '';
  readonly seen: string[] = [];
  readonly grants: URLSearchParams[] = [];
  /** Valid access tokens with their scopes. */
  readonly valid = new Map<string, string>();
  readonly #codes = new Map<string, {readonly challenge: string; readonly scope: string; readonly redirect: string}>();
  readonly #refreshes = new Map<string, string>();
  readonly #clients = new Map<string, string | undefined>();

  constructor(private readonly options: AuthorizationOptions) {
    const {known} = options;
    if (known) this.#clients.set(known.id, known.secret);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const body = await read(request);
    const send = (status: number, value?: unknown, headers: Record<string, string> = {}): void => {
      this.seen.push(`${request.method ?? ''} ${url.pathname} ${status}`);
      response.writeHead(status, {'content-type': 'application/json', ...headers});
      response.end(value === undefined ? undefined : JSON.stringify(value));
    };
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return send(200, {
          resource: `${this.origin}/mcp`,
          authorization_servers: [this.options.elsewhere ?? this.origin],
          scopes_supported: [SCOPE],
        });
      case '/.well-known/oauth-authorization-server':
        return send(200, this.#metadata());
      case '/register':
        return this.#register(JSON.parse(body) as Record<string, unknown>, send);
      case '/authorize':
        return this.#authorize(url, send);
      case '/token':
        return this.#token(new URLSearchParams(body), request.headers.authorization, send);
      case '/mcp':
        return this.#serve(request, body, send);
      default:
        return this.#other(url.pathname, {request, body, send});
    }
  }

  #metadata(): Record<string, unknown> {
    const {method = 'none', registers = true, iss} = this.options;
    return {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      ...(registers ? {registration_endpoint: `${this.origin}/register`} : {}),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [method],
      scopes_supported: [SCOPE, 'write', 'offline_access'],
      ...(iss === undefined ? {} : {authorization_response_iss_parameter_supported: true}),
    };
  }

  #register(metadata: Record<string, unknown>, send: Send): void {
    const {method = 'none'} = this.options;
    const id = `client-${this.#clients.size + 1}`;
    const secret = method === 'none' ? undefined : `secret-of-${id}`;
    this.#clients.set(id, secret);
    send(201, {
      ...metadata,
      client_id: id,
      token_endpoint_auth_method: method,
      ...(secret === undefined ? {} : {client_secret: secret}),
    });
  }

  /** Every person agrees at once. */
  #authorize({searchParams}: URL, send: Send): void {
    const ask = (name: string): string => searchParams.get(name) ?? '';
    if (!this.#clients.has(ask('client_id')) || ask('code_challenge_method') !== 'S256') return send(400);
    const code = randomBytes(8).toString('hex');
    const redirect = ask('redirect_uri');
    this.#codes.set(code, {challenge: ask('code_challenge'), scope: ask('scope'), redirect});
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', ask('state'));
    const {iss = 'none'} = this.options;
    if (iss !== 'none') back.searchParams.set('iss', iss === 'right' ? this.origin : 'https://other.example');
    send(302, undefined, {location: back.href});
  }

  #token(form: URLSearchParams, authorization: string | undefined, send: Send): void {
    this.grants.push(form);
    if (!this.#isClient(form, authorization)) return send(401, {error: 'invalid_client'});
    const grant = form.get('grant_type');
    if (grant === 'client_credentials') return send(200, this.#issue(form.get('scope') ?? SCOPE, false));
    if (grant === 'refresh_token') return this.#refresh(form, send);
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!code || code.challenge !== verifier || code.redirect !== form.get('redirect_uri'))
      return send(400, {error: 'invalid_grant'});
    send(200, this.#issue(code.scope, true));
  }

  #refresh(form: URLSearchParams, send: Send): void {
    const {refresh = 'rotate'} = this.options;
    if (refresh === 'fail') return send(503, {error: 'temporarily_unavailable'});
    const token = form.get('refresh_token') ?? '';
    const scope = this.#refreshes.get(token);
    // A token that is used twice was stolen.
    this.#refreshes.delete(token);
    if (scope === undefined || refresh === 'refuse') return send(400, {error: 'invalid_grant'});
    send(200, this.#issue(scope, true));
  }

  #isClient(form: URLSearchParams, authorization = ''): boolean {
    const {method = 'none'} = this.options;
    const [id = '', secret] =
      method === 'client_secret_basic'
        ? Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
            .toString()
            .split(':')
        : [form.get('client_id') ?? '', form.get('client_secret') ?? undefined];
    return this.#clients.has(id) && this.#clients.get(id) === (method === 'none' ? undefined : secret);
  }

  #issue(scope: string, refreshes: boolean): Record<string, unknown> {
    const [access, refresh] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
    this.valid.set(access, scope);
    if (refreshes) this.#refreshes.set(refresh, scope);
    const {lifetime} = this.options;
    return {
      access_token: access,
      token_type: 'Bearer',
      scope,
      ...(lifetime === undefined ? {} : {expires_in: lifetime}),
      ...(refreshes ? {refresh_token: refresh} : {}),
    };
  }

  #other(path: string, {request, body, send}: {request: IncomingMessage; body: string; send: Send}): void {
    const {other} = this.options;
    if (!other || path.startsWith('/.well-known')) return send(404);
    const scope = this.valid.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    const {id = 0} = (body === '' ? {} : JSON.parse(body)) as {readonly id?: number};
    const result = other(path, {origin: this.origin, scope, id});
    if (result === undefined) return send(401, undefined, {'www-authenticate': 'Bearer'});
    send(200, result);
  }

  #serve(request: IncomingMessage, body: string, send: Send): void {
    const scope = this.valid.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    const metadata = `resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"`;
    if (scope === undefined) return send(401, undefined, {'www-authenticate': `Bearer ${metadata}`});
    if (request.method !== 'POST') return send(405);
    const {id, method} = JSON.parse(body) as {readonly id?: number; readonly method: string};
    const {stepUp} = this.options;
    if (method === 'tools/call' && stepUp !== undefined && !scope.split(' ').includes(stepUp)) {
      const challenge = `Bearer error="insufficient_scope", scope="${stepUp}", ${metadata}`;
      return send(403, undefined, {'www-authenticate': challenge});
    }
    if (id === undefined) return send(202);
    const result = results[method];
    if (result) send(200, {jsonrpc: '2.0', id, result});
    else send(200, {jsonrpc: '2.0', id, error: {code: -32601, message: 'Method not found'}});
  }
}

type Send = (status: number, value?: unknown, headers?: Record<string, string>) => void;

const results: Readonly<Record<string, unknown>> = {
  initialize: {protocolVersion: '2025-11-25', capabilities: {tools: {}}, serverInfo: {name: 'guarded', version: '1'}},
  'tools/list': {tools: [{name: 'secret', description: 'Tells.', inputSchema: {type: 'object'}}]},
  'tools/call': {content: [{type: 'text', text: 'the secret'}]},
};

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
