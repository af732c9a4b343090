import type {IncomingMessage} from 'node:http';
import {TLSSocket} from 'node:tls';
import {fingerprintOf, isInDate} from './certificates.js';
import {TokenRefused, type OpenIdIssuers} from './openid-issuers.js';
import type {Grant, Tokens} from './tokens.js';

export interface Known {
  readonly tokens: Tokens;
  readonly issuers: OpenIdIssuers;
}

const BEARER = /^Bearer +([\w.~+/-]{1,8192}=*)$/i;
/** Three parts; a token of this server has two. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The grant of who asks; undefined for everyone else. Throws TokenRefused where there is a reason to tell. */
export async function identify(request: IncomingMessage, known: Known): Promise<Grant | undefined> {
  const {authorization} = request.headers;
  const certificate = certificateOf(request);
  if (authorization === undefined) {
    if (certificate === undefined) return undefined;
    const admitted = await known.tokens.admitted();
    return admitted.find((grant) => grant.openid === undefined && grant.certificate === certificate);
  }
  const [, token = ''] = BEARER.exec(authorization) ?? [];
  if (!JWT.test(token)) return known.tokens.find(token);
  return (await identifyByIssuer(token, known)).find(
    (grant) => grant.certificate === undefined || grant.certificate === certificate,
  );
}

/** A token is checked against issuers that a grant names, and no others are asked. */
async function identifyByIssuer(token: string, {tokens, issuers}: Known): Promise<readonly Grant[]> {
  const issuer = await issuers.issuerOf(token);
  const grants = (await tokens.admitted()).filter(({openid}) => openid !== undefined && openid.issuer === issuer);
  if (issuer === undefined || grants.length === 0) return [];
  const {aud = [], sub} = await issuers.verify(token, {
    issuer,
    audiences: grants.flatMap(({openid}) => (openid ? [openid.audience] : [])),
  });
  const own = grants.filter(({openid}) => openid?.subject === sub && [aud].flat().includes(openid?.audience ?? ''));
  if (own.length === 0) throw new TokenRefused(`No grant is for the subject ${JSON.stringify(sub)} of ${issuer}.`);
  return own;
}

/** The certificate that the other side has shown to have the key of, if it counts now. */
function certificateOf({socket}: IncomingMessage): string | undefined {
  const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  return shown && isInDate(shown) ? fingerprintOf(shown) : undefined;
}
