import {KernelError} from '@gemini-kernel/kernel';
import {isSafeAddress} from '../remote/remote-fetch.js';
import type {OpenIdLogin} from './tokens.js';

type Flags = {readonly [K in keyof OpenIdLogin]?: OpenIdLogin[K] | undefined};

const LONGEST = 500;

/** The login that flags name; undefined without one. Throws KernelError PEER_TOKEN_INVALID. */
export function readLogin({issuer, audience, subject}: Flags): OpenIdLogin | undefined {
  const given = [issuer, audience, subject].filter((one) => one !== undefined);
  if (given.length === 0) return undefined;
  if (issuer === undefined || audience === undefined || subject === undefined)
    throw invalid('--issuer, --audience and --subject belong together.');
  const long = given.find((one) => one.trim() === '' || one.length > LONGEST);
  if (long !== undefined) throw invalid(`${JSON.stringify(long.slice(0, 40))} is empty or too long.`);
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url && isSafeAddress(url) && url.search === '' && url.hash === '' && url.username === '')
    return {issuer, audience, subject};
  throw invalid(`--issuer does not accept ${JSON.stringify(issuer.slice(0, 200))}: it is an https address.`);
}

function invalid(sentence: string): KernelError {
  return new KernelError('PEER_TOKEN_INVALID', sentence, {
    hint: 'Pass what the tokens have as iss, aud and sub, as the issuer writes them.',
  });
}
