import {randomBytes} from 'node:crypto';
import type {Environment, Form, FormAnswer} from '@gemini-kernel/kernel';
import {openBrowser} from '@gemini-kernel/processes';
import type {CredentialStore} from './credential.js';
import {checkAddress, type Fetch} from './guarded-fetch.js';
import {LoginNeeded, type Challenge} from './login-needed.js';
import {openLoopback, readAddress, type Loopback, type Returned} from './loopback.js';
import type {OAuthClient} from './oauth-client.js';
import {runFlow} from './run-flow.js';

export interface LoginRequest {
  readonly server: string;
  /** What is there, as messages name it. */
  readonly subject: string;
  readonly address: string;
  readonly redirectUri?: string | undefined;
  readonly client: OAuthClient;
  readonly store: CredentialStore;
  readonly sdk: typeof import('../sdk/client.js');
  readonly guarded: Fetch;
  readonly environment: Pick<Environment, 'platform' | 'variables'>;
  readonly challenge: Challenge;
  readonly signal: AbortSignal;
  ask(form: Form, signal: AbortSignal): Promise<FormAnswer>;
}

const LIMIT_MS = 5 * 60_000;

/**
 * Has a person log in with a browser, on this machine or another one. Throws LoginNeeded when no one can, and an Error
 * whose message ends a sentence when it fails.
 */
export async function logIn(request: LoginRequest): Promise<void> {
  const {client, environment, redirectUri, signal} = request;
  const port = Number(environment.variables['OAUTH_CALLBACK_PORT']) || undefined;
  const state = randomBytes(24).toString('base64url');
  const loopback = await openLoopback({state, redirectUri, port});
  const ending = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    let opened: URL | undefined;
    client.visit = {
      redirectUrl: loopback.redirectUrl,
      state,
      open: async (url) => {
        checkAddress(url, new URL(request.address));
        opened = url;
      },
    };
    await begin(request);
    if (!opened) return;
    const returned = await wait(request, loopback, opened, ending);
    await finish(request, returned);
  } finally {
    client.visit = undefined;
    await loopback.close();
  }
}

async function begin({sdk, client, store, address, guarded, challenge}: LoginRequest): Promise<void> {
  client.forgetDiscovery();
  const wanted = (await store.read(address))?.wantedScope;
  const scope = wanted ?? challenge.scope;
  const {resourceMetadataUrl} = challenge;
  await runFlow(sdk, client, {
    serverUrl: address,
    fetchFn: guarded,
    forceReauthorization: true,
    ...(scope === undefined ? {} : {scope}),
    ...(resourceMetadataUrl === undefined ? {} : {resourceMetadataUrl}),
  });
}

async function finish({sdk, client, address, guarded}: LoginRequest, {code, iss}: Returned): Promise<void> {
  await runFlow(sdk, client, {
    serverUrl: address,
    fetchFn: guarded,
    authorizationCode: code,
    ...(iss === undefined ? {} : {iss}),
  });
}

/** Waits for the browser to return, or for the address that a person pastes. */
async function wait(request: LoginRequest, loopback: Loopback, url: URL, ending: AbortSignal): Promise<Returned> {
  const {environment} = request;
  const isOpen = await openBrowser(url, environment);
  const closing = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new Error(describeEnd(request.signal)));
    ending.addEventListener('abort', stop, {once: true, signal: closing.signal});
    if (ending.aborted) stop();
  });
  const pasted = askAddress(request, url, isOpen, AbortSignal.any([ending, closing.signal]));
  pasted.catch(() => undefined);
  try {
    return await Promise.race([loopback.returned, pasted, aborted]);
  } finally {
    closing.abort();
  }
}

function describeEnd({aborted}: AbortSignal): string {
  return aborted ? 'it was cancelled' : `no answer came within ${LIMIT_MS / 60_000} minutes`;
}

/** Never settles when the browser is to answer. */
async function askAddress(
  {server, subject, client, ask}: LoginRequest,
  url: URL,
  isOpen: boolean,
  signal: AbortSignal,
): Promise<Returned> {
  let fault = '';
  for (;;) {
    const answer = await ask(addressForm({server, subject, url, isOpen}, fault), signal).catch((error: unknown) => {
      if (signal.aborted) return {outcome: 'closed'} as const;
      throw error;
    });
    if (signal.aborted) throw new Error('it is over');
    if (answer.outcome === 'nobody' && !isOpen)
      throw new LoginNeeded('no browser can be opened here, and no one is there to open one');
    if (answer.outcome === 'closed') throw new Error('it was cancelled');
    const text = answer.outcome === 'answered' ? String(answer.values['address'] ?? '').trim() : '';
    if (text === '') return new Promise<never>(() => undefined);
    const returned = URL.canParse(text) ? readAddress(new URL(text), client.state()) : 'foreign';
    if (returned instanceof Error) throw returned;
    if (returned !== 'foreign') return returned;
    fault = 'That is not the address of this login. ';
  }
}

interface Shown extends Pick<LoginRequest, 'server' | 'subject'> {
  readonly url: URL;
  readonly isOpen: boolean;
}

function addressForm({server, subject, url, isOpen}: Shown, fault: string): Form {
  const opened = isOpen ? 'Your browser should show this page:' : 'Open this page in a browser:';
  return {
    title: `Log in to ${subject}.`,
    text: `${opened}\n${url.href}`,
    about: {kind: 'mcp-login', server, url: url.href},
    fields: [
      {
        name: 'address',
        label: 'Address',
        description:
          `${fault}After the login the browser returns here. If it runs on another machine, ` +
          'paste the address that it shows then; otherwise press Enter.',
        kind: 'text',
        default: '',
      },
    ],
  };
}
