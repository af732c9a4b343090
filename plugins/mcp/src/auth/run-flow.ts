import type {AuthOptions, OAuthClientProvider} from '../sdk/client.js';

type Sdk = Pick<
  typeof import('../sdk/client.js'),
  'auth' | 'discoverOAuthProtectedResourceMetadata' | 'IssuerMismatchError'
>;
type Flow = AuthOptions & {readonly fetchFn: NonNullable<AuthOptions['fetchFn']>};

/**
 * Runs a flow of the SDK. The metadata of an authorization server must name the address that they are read from, but
 * for servers of the revision 2025-03-26: they describe no resource, are their own authorization server, and may name
 * any address of their own.
 */
export async function runFlow(
  sdk: Sdk,
  client: OAuthClientProvider,
  flow: Flow,
): ReturnType<typeof import('../sdk/client.js').auth> {
  try {
    return await sdk.auth(client, flow);
  } catch (error) {
    if (!(error instanceof sdk.IssuerMismatchError) || error.kind !== 'metadata') throw error;
    const {origin} = new URL(flow.serverUrl);
    const isOwn = [error.expected, error.received].every(
      (issuer) => issuer !== undefined && originOf(issuer) === origin,
    );
    if (!isOwn || (await describesResource(sdk, flow))) throw error;
    return sdk.auth(client, {...flow, skipIssuerMetadataValidation: true});
  }
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

async function describesResource(sdk: Sdk, {serverUrl, resourceMetadataUrl, fetchFn}: Flow): Promise<boolean> {
  const options = resourceMetadataUrl === undefined ? {} : {resourceMetadataUrl};
  return sdk.discoverOAuthProtectedResourceMetadata(serverUrl, options, fetchFn).then(
    () => true,
    () => false,
  );
}
