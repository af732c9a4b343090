import type {Grant} from './tokens.js';

/** How a caller shows who it is, for people. */
export function describeProof({openid, certificate}: Pick<Grant, 'openid' | 'certificate'>): string {
  const login = openid && `a token of ${openid.issuer} with the audience ${openid.audience} for ${openid.subject}`;
  const own = certificate === undefined ? undefined : `the certificate ${certificate.slice(0, 16)}…`;
  return [login, own].filter((one) => one !== undefined).join(', and ') || 'a token of this server';
}
