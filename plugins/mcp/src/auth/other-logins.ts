import {findKeychain, MasterKey} from '@gemini-kernel/files/sealed';
import {isKernelError, KernelError, messageOf, ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {LoginDesk, LoginState, OtherLogin, OtherLogins} from '../contract.js';
import {Authorization} from './authorization.js';
import type {CredentialStore} from './credential.js';
import {CredentialFile} from './credential-file.js';
import {googleConfigFor} from './google/google-config.js';
import type {Fetch} from './guarded-fetch.js';
import {findLoginNeeded} from './login-needed.js';

type OAuth = OtherLogin & {readonly auth: {readonly kind: 'oauth'}};

/** Logins at addresses that are not MCP servers. */
export class LiveOtherLogins implements OtherLogins {
  readonly #store: CredentialStore;
  /** By what their login says. */
  readonly #authorizations = new Map<string, Promise<Authorization>>();
  readonly #google = new Map<string, Promise<Fetch>>();

  constructor(
    private readonly context: Pick<ServiceContext, 'environment' | 'service'>,
    private readonly version: string,
  ) {
    const {environment} = context;
    const key = new MasterKey(environment.home, findKeychain(environment));
    this.#store = new CredentialFile(environment.home, key, {name: 'other-credentials.json'});
  }

  async send(login: OtherLogin, url: string, init: RequestInit): Promise<Response> {
    // A token is for one server.
    const [origin, own] = [new URL(url).origin, new URL(login.address).origin];
    if (origin !== own) throw new Error(`a request to ${origin} was not made: the login is for ${own}`);
    try {
      const fetch = isOAuth(login) ? (await this.#authorization(login)).fetch : await this.#googleFetch(login);
      return await fetch(url, init);
    } catch (error) {
      const needed = findLoginNeeded(error);
      if (!needed) throw error;
      const {subject, command} = login;
      throw new ToolError('LOGIN_NEEDED', `${capital(subject)} asks for a login: ${needed.reason}.`, {
        hint: `Run \`${command}\`.`,
        cause: error,
      });
    }
  }

  async logIn(login: OtherLogin, desk: LoginDesk): Promise<Omit<LoginState, 'name'>> {
    const {address, subject, command} = login;
    try {
      if (!isOAuth(login)) throw new Error('its tokens come from the credentials of Google on this machine');
      const authorization = await this.#authorization(login);
      const challenge = await authorization.fetch(address, {redirect: 'manual', signal: desk.signal}).then(
        (answer) => void answer.body?.cancel(),
        (error: unknown) => findLoginNeeded(error)?.challenge,
      );
      await authorization.logIn(challenge ?? {isStepUp: false}, desk);
    } catch (error) {
      if (isKernelError(error)) throw error;
      const needed = findLoginNeeded(error);
      const reason = needed?.reason ?? messageOf(error).replace(/\.$/, '');
      throw new KernelError('LOGIN_FAILED', `Cannot log in to ${subject}: ${reason}.`, {
        hint: needed
          ? 'Log in at a terminal, or set BROWSER to a program that opens addresses.'
          : `Try again with \`${command}\`.`,
        cause: error,
      });
    }
    const {scope, expiresAt} = (await storeOf(this.#store, login).read(address))?.tokens ?? {};
    return {
      address,
      ...(scope === undefined ? {} : {scope}),
      ...(expiresAt === undefined ? {} : {expiresAt}),
    };
  }

  async logOut(login: OtherLogin): Promise<boolean> {
    this.#authorizations.delete(JSON.stringify(login));
    return (await storeOf(this.#store, login).update(login.address, () => undefined)) !== undefined;
  }

  #authorization(login: OAuth): Promise<Authorization> {
    return remember(this.#authorizations, login, async () => {
      const {kind, ...said} = login.auth;
      void kind;
      const network = await this.context.service('network');
      return new Authorization({
        ...{server: login.subject, subject: login.subject, address: login.address, isWholeServer: true},
        config: {isOn: true, grant: 'authorization_code', dpop: false, ...said},
        version: this.version,
        environment: this.context.environment,
        store: storeOf(this.#store, login),
        sdk: await import('#sdk'),
        fetch: (url, init) => network.fetch(url, init),
      });
    });
  }

  /** Requests with a token of Google, which is kept as long as this program runs. */
  #googleFetch(login: OtherLogin): Promise<Fetch> {
    return remember(this.#google, login, async () => {
      const config = googleConfigFor(new URL(login.address), login.auth.scopes);
      const network = await this.context.service('network');
      const {GoogleTokens} = await import('./google/google-tokens.js');
      const {environment} = this.context;
      return new GoogleTokens({
        ...{config, environment, now: () => Date.now()},
        fetch: (url, init) => network.fetch(url, init),
      }).fetch;
    });
  }
}

function isOAuth(login: OtherLogin): login is OAuth {
  return login.auth.kind === 'oauth';
}

/** What a definition says that names another place for tokens has tokens of its own: none is renewed elsewhere. */
function storeOf(store: CredentialStore, {auth}: OtherLogin): CredentialStore {
  const tokenUrl = auth.kind === 'oauth' ? auth.tokenUrl : undefined;
  const keyOf = (address: string): string => (tokenUrl === undefined ? address : `${address} ${tokenUrl}`);
  return {
    read: (address) => store.read(keyOf(address)),
    update: (address, change) => store.update(keyOf(address), change),
    alone: (address, act) => store.alone(keyOf(address), act),
  };
}

async function remember<T>(known: Map<string, Promise<T>>, login: OtherLogin, make: () => Promise<T>): Promise<T> {
  const key = JSON.stringify(login);
  const made = known.get(key) ?? make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
