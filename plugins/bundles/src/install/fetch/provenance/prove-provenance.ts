import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Provenance} from '@gemini-kernel/admission';
import {readClaims, type BuildClaims} from './build-claims.js';
import {findDisagreement, isBuildStatement, readWords} from './build-words.js';
import type {Trust} from './trust-root.js';
import {verifyAttestation, type Statement, type VerifiedAttestation} from './verify-attestation.js';

/** The archive that attestations have to be about. */
export interface ProvenSubject {
  readonly name: string;
  readonly version: string;
  /** Of the bytes that came: `sha512-` and base64. */
  readonly integrity: string;
}

/** What a registry sends is one list, or it is none. */
const MOST = 32;

/**
 * What the attestations of an archive prove of where it was built; undefined when they prove nothing of that. All of
 * them have to be in order and about this archive. Throws KernelError PROVENANCE_BROKEN.
 */
export async function proveProvenance(
  answer: Uint8Array,
  subject: ProvenSubject,
  trust: Trust,
): Promise<Provenance | undefined> {
  try {
    const proven: BuildClaims[] = [];
    for (const bundle of readList(answer)) {
      const claims = await proveOne(bundle, subject, trust);
      if (claims) proven.push(claims);
    }
    const [first, ...others] = proven.map(provenanceOf);
    if (others.some((one) => JSON.stringify(one) !== JSON.stringify(first)))
      throw new Error('another one names another build');
    return first;
  } catch (cause) {
    throw new KernelError(
      'PROVENANCE_BROKEN',
      `An attestation of ${subject.name} ${subject.version} does not hold: ${messageOf(cause)}.`,
      {
        cause,
        hint: 'Nothing was installed. Tell its author, or whoever runs the registry.',
      },
    );
  }
}

function readList(answer: Uint8Array): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(answer).toString('utf8'));
  } catch (cause) {
    throw new Error('what the registry sent is no JSON', {cause});
  }
  const {attestations} = Object(value) as {readonly attestations?: unknown};
  if (!Array.isArray(attestations)) throw new Error('what the registry sent is no list of them');
  if (attestations.length > MOST) throw new Error(`there are ${attestations.length}, which nobody has`);
  return attestations.map((one) => (Object(one) as {readonly bundle?: unknown}).bundle);
}

async function proveOne(bundle: unknown, subject: ProvenSubject, trust: Trust): Promise<BuildClaims | undefined> {
  const verified = await verifyAttestation(bundle, trust);
  if (!verified) return undefined;
  checkSubject(verified.statement, subject);
  return claimsOf(verified);
}

/** A statement about one archive, and about these bytes. */
function checkSubject({subject}: Statement, {name, version, integrity}: ProvenSubject): void {
  const [only, ...others] = (Array.isArray(subject) ? subject : []) as readonly unknown[];
  const {name: named, digest} = Object(only) as {readonly name?: unknown; readonly digest?: unknown};
  const wanted = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  if (named !== wanted || others.length > 0)
    throw new Error(
      `it is about ${others.length > 0 ? `${others.length + 1} archives` : JSON.stringify(named)}, and not about ` +
        `${wanted}`,
    );
  const {sha512} = Object(digest) as {readonly sha512?: unknown};
  if (sha512 !== Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'))
    throw new Error('it is about an archive with other bytes');
}

function claimsOf({statement: {predicateType, predicate}, certificate}: VerifiedAttestation): BuildClaims | undefined {
  // Others say who published it, or what was found in it.
  if (!certificate || !isBuildStatement(predicateType)) return undefined;
  const claims = readClaims(certificate);
  const fault = claims && findDisagreement(readWords(predicateType, predicate), claims);
  if (fault) throw new Error(fault);
  return claims;
}

function provenanceOf({repository, workflow, ref, commit, issuer}: BuildClaims): Provenance {
  return {repository, workflow, ...(ref ? {ref} : {}), ...(commit ? {commit} : {}), issuer};
}
