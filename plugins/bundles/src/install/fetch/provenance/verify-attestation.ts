import type {ObjectIdentifierValuePair} from '@sigstore/verify';
import {messageOf} from '@gemini-kernel/kernel';
import type {Trust} from './trust-root.js';

/** A statement about an archive, in in-toto form. */
export interface Statement {
  readonly subject?: unknown;
  readonly predicateType?: unknown;
  readonly predicate?: unknown;
}

/** An attestation whose signature, certificate and entry in a public log are valid. */
export interface VerifiedAttestation {
  readonly statement: Statement;
  /** What the authority wrote into the certificate; absent when a registry signed with its own key. */
  readonly certificate?: {readonly name: string; readonly extensions: readonly ObjectIdentifierValuePair[]};
}

const PAYLOAD = 'application/vnd.in-toto+json';

/**
 * Verifies one attestation without a network; undefined when it is signed with an unknown key and so proves nothing.
 * Throws Error with the reason when it is not valid.
 */
export async function verifyAttestation(
  written: unknown,
  {material, keys}: Trust,
): Promise<VerifiedAttestation | undefined> {
  const [{bundleFromJSON}, {toSignedEntity, Verifier}] = await Promise.all([
    import('@sigstore/bundle'),
    import('@sigstore/verify'),
  ]);
  const bundle = readWritten(() => bundleFromJSON(written));
  const {content, verificationMaterial} = bundle;
  if (content.$case !== 'dsseEnvelope' || content.dsseEnvelope.payloadType !== PAYLOAD)
    throw new Error('it is not a statement about a package');
  if (verificationMaterial.content.$case === 'publicKey' && !keys.has(verificationMaterial.content.publicKey.hint))
    return undefined;
  const {identity} = verify(() => new Verifier(material).verify(toSignedEntity(bundle)));
  const statement = readWritten(() => JSON.parse(content.dsseEnvelope.payload.toString('utf8')) as Statement | null);
  if (statement === null || typeof statement !== 'object') throw new Error('its statement is not valid');
  return {
    statement,
    ...(identity ? {certificate: {name: identity.subjectAlternativeName ?? '', extensions: identity.oids ?? []}} : {}),
  };
}

function readWritten<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(`it cannot be read (${messageOf(cause)})`, {cause});
  }
}

/** What the library's codes mean. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^TLOG_/, 'the signature log that it names does not confirm it'],
  [/^CERTIFICATE_/, 'no trusted authority vouches for its certificate at the time of the signature'],
  [/^TIMESTAMP_/, 'nothing proves when it was signed'],
  [/^SIGNATURE_/, 'its signature does not match its content'],
  [/^PUBLIC_KEY_/, 'its key was not in use at the time of the signature'],
];

function verify<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    const {code} = cause as {readonly code?: unknown};
    const known = typeof code === 'string' ? REASONS.find(([pattern]) => pattern.test(code))?.[1] : undefined;
    throw new Error(known ?? `it cannot be verified (${messageOf(cause)})`, {cause});
  }
}
