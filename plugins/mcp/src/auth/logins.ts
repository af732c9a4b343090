import {findKeychain, MasterKey} from '@gemini-kernel/files/sealed';
import {isKernelError, KernelError, messageOf, type Form, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {ServerConfig, Way} from '../config/server-config.js';
import type {LoginDesk, LoginState} from '../contract.js';
import {Authorization} from './authorization.js';
import type {CredentialStore} from './credential.js';
import {CredentialFile} from './credential-file.js';
import type {Fetch} from './guarded-fetch.js';
import type {GoogleConfig} from './google/google-config.js';
import type {GoogleTokens} from './google/google-tokens.js';
import {readReferenceTokens} from './reference-tokens.js';
import {findLoginNeeded, loginNeeded, type Challenge, type LoginNeeded} from './login-needed.js';

type Sdk = typeof import('../sdk/client.js');
type Remote = Exclude<Way, {readonly kind: 'stdio'}>;

interface Parts {
  readonly context: Pick<ServiceContext, 'environment' | 'service' | 'signal'>;
  readonly version: string;
  /** Asks the person of a session; `nobody` where there is none. */
  readonly ask: (server: string, ...asked: Parameters<LoginDesk['ask']>) => ReturnType<LoginDesk['ask']>;
}

/** The logins at the servers of a place. */
export class Logins {
  readonly #store: CredentialStore;
  readonly #authorizations = new Map<string, Authorization>();
  readonly #google = new Map<string, GoogleTokens>();
  /** Servers whose login a person has declined in this run. */
  readonly #declined = new Set<string>();

  constructor(private readonly parts: Parts) {
    const {environment} = parts.context;
    this.#store = new CredentialFile(environment.home, new MasterKey(environment.home, findKeychain(environment)), {
      name: 'mcp-credentials.json',
      earlier: (address) => readReferenceTokens(environment.home, address),
    });
  }

  /** Requests to the server with its token. */
  async fetchFor({name, way}: ServerConfig, sdk: Sdk): Promise<Fetch> {
    if (way.kind === 'stdio') throw new Error('A program needs no authorization.');
    if (way.google) return this.#googleFetch(name, way.google);
    return (await this.#authorization(name, way, sdk)).fetch;
  }

  /** Requests with a token of Google; it is kept as long as the server's configuration. */
  async #googleFetch(name: string, config: GoogleConfig): Promise<Fetch> {
    const {context} = this.parts;
    const network = await context.service('network');
    const {GoogleTokens} = await import('./google/google-tokens.js');
    const made =
      this.#google.get(name) ??
      new GoogleTokens({
        config,
        environment: context.environment,
        fetch: (url, init) => network.fetch(url, init),
        now: () => Date.now(),
      });
    this.#google.set(name, made);
    return made.fetch;
  }

  /** Does something, after a login where a server asks for one and the person agrees. */
  async during<T>(config: ServerConfig, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const needed = findLoginNeeded(error);
      if (!needed) throw error;
      if (!(await this.#offer(config, needed))) throw loginNeeded(config.name, needed);
      return act();
    }
  }

  async #offer({name, way}: ServerConfig, {reason, challenge}: LoginNeeded): Promise<boolean> {
    if (way.kind === 'stdio' || this.#declined.has(name)) return false;
    const {signal} = this.parts.context;
    const answer = await this.parts.ask(name, offerForm(name, way.url, reason), signal);
    if (answer.outcome === 'nobody') return false;
    if (answer.outcome !== 'answered' || answer.values['login'] !== true) {
      this.#declined.add(name);
      return false;
    }
    await this.#logIn(name, way, challenge, {signal, ask: (form, end) => this.parts.ask(name, form, end)});
    return true;
  }

  /**
   * Logs in, with what the server says when `probe` connects to it. Throws KernelError MCP_LOGIN_FAILED or
   * MCP_SERVER_INVALID.
   */
  async logIn({name, way}: ServerConfig, desk: LoginDesk, probe: () => Promise<void>): Promise<LoginState> {
    const remote = requireRemote(name, way);
    if (!remote.auth.isOn || remote.auth.grant !== 'authorization_code')
      throw new KernelError('MCP_SERVER_INVALID', `The MCP server "${name}" is configured to need no login.`, {
        hint: 'Look at `oauth` in its entry of mcpServers.',
      });
    this.#declined.delete(name);
    // A server that fails otherwise may still describe its authorization.
    const challenge = await probe().then(
      () => undefined,
      (error: unknown) => findLoginNeeded(error)?.challenge,
    );
    await this.#logIn(name, remote, challenge ?? {isStepUp: false}, desk);
    const {scope, expiresAt} = (await this.#store.read(addressOf(remote)))?.tokens ?? {};
    return {
      name,
      address: remote.url,
      ...(scope === undefined ? {} : {scope}),
      ...(expiresAt === undefined ? {} : {expiresAt}),
    };
  }

  /** Forgets what is kept for a server; false when there was nothing. */
  async logOut({name, way}: ServerConfig): Promise<boolean> {
    const remote = requireRemote(name, way);
    this.#authorizations.delete(name);
    return (await this.#store.update(addressOf(remote), () => undefined)) !== undefined;
  }

  async #logIn(name: string, way: Remote, challenge: Challenge, desk: LoginDesk): Promise<void> {
    try {
      const authorization = await this.#authorization(name, way, await import('#sdk'));
      await authorization.logIn(challenge, desk);
    } catch (error) {
      if (isKernelError(error)) throw error;
      const needed = findLoginNeeded(error);
      const reason = needed?.reason ?? messageOf(error).replace(/\.$/, '');
      throw new KernelError('MCP_LOGIN_FAILED', `Cannot log in to the MCP server "${name}": ${reason}.`, {
        hint: needed
          ? 'Log in at a terminal, or set BROWSER to a program that opens addresses.'
          : `Try again with \`gemini mcp login ${name}\`.`,
        cause: error,
      });
    }
  }

  async #authorization(name: string, way: Remote, sdk: Sdk): Promise<Authorization> {
    const {context, version} = this.parts;
    const network = await context.service('network');
    const made =
      this.#authorizations.get(name) ??
      new Authorization({
        server: name,
        subject: `the MCP server "${name}"`,
        address: addressOf(way),
        config: way.auth,
        version,
        environment: context.environment,
        store: this.#store,
        sdk,
        fetch: (url, init) => network.fetch(url, init),
      });
    this.#authorizations.set(name, made);
    return made;
  }
}

/** What credentials are kept under: the address without what is not sent. */
function addressOf({url}: Remote): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

function requireRemote(name: string, way: Way): Remote {
  if (way.kind !== 'stdio') return way;
  throw new KernelError('MCP_SERVER_INVALID', `The MCP server "${name}" is a program, and has no login.`, {
    hint: 'Give it keys with `env` in its entry of mcpServers.',
  });
}

function offerForm(server: string, url: string, reason: string): Form {
  return {
    title: `The MCP server "${server}" asks for a login: ${reason}.`,
    text: `Its address is ${new URL(url).origin}.`,
    about: {kind: 'mcp-login-offer', server, url},
    fields: [{name: 'login', label: 'Log in now?', kind: 'yes-no', default: true}],
  };
}
