import type {AuthConfig} from './auth-config.js';
import type {Fetch} from './guarded-fetch.js';

interface MachineRequest {
  readonly sdk: typeof import('../sdk/client.js');
  readonly config: AuthConfig;
  readonly fetch: Fetch;
  readonly scope: string | undefined;
  /** The authorization server, and the resource that tokens are for. */
  readonly server: {readonly issuer: string; readonly resource?: string};
}

/** What a program sends for a token: nothing but a scope, or a statement about who it is. */
export async function machineToken(request: MachineRequest): Promise<URLSearchParams> {
  const {config, scope} = request;
  const wanted = scope ?? config.scopes?.join(' ');
  const form = new URLSearchParams({grant_type: config.grant});
  if (wanted) form.set('scope', wanted);
  if (config.grant !== 'jwt-bearer') return form;
  form.set('grant_type', 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  form.set('assertion', config.assertion ?? (await askIdentityProvider(request)));
  return form;
}

/** The statement of an organisation's identity provider about its person, for this server. */
async function askIdentityProvider({sdk, config, fetch, scope, server}: MachineRequest): Promise<string> {
  const {identityProvider: provider} = config;
  if (!provider) throw new Error('oauth.identityProvider is missing');
  const {issuer, tokenUrl, idToken, clientId, clientSecret} = provider;
  const request = {
    audience: server.issuer,
    resource: server.resource ?? server.issuer,
    idToken,
    clientId,
    ...(clientSecret === undefined ? {} : {clientSecret}),
    ...(scope === undefined ? {} : {scope}),
    fetchFn: fetch,
  };
  const {jwtAuthGrant} =
    tokenUrl === undefined
      ? await sdk.discoverAndRequestJwtAuthGrant({...request, idpUrl: issuer})
      : await sdk.requestJwtAuthorizationGrant({...request, tokenEndpoint: tokenUrl});
  return jwtAuthGrant;
}
