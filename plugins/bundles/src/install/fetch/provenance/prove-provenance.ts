import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Provenance} from '@gemini-kernel/admission';
import {readClaims, type BuildClaims} from './build-claims.js';
import {findDisagreement, isBuildStatement, readWords} from './build-words.js';
import type {Trust} from './trust-root.js';
import {verifyAttestation, type Statement, type VerifiedAttestation} from './verify-attestation.js';

/** The archive that attestations must be about. */
export interface ProvenSubject {
  readonly name: string;
  readonly version: string;
  /** Of the fetched bytes: `sha512-` and base64. */
  readonly integrity: string;
}

/** A registry must send exactly one list. */
const MOST = 32;

/**
 * What the attestations of an archive prove about where it was built; undefined when they prove nothing. All of them
 * must be valid and about this archive. Throws KernelError PROVENANCE_BROKEN.
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
      `An attestation of ${subject.name} ${subject.version} is not valid: ${messageOf(cause)}.`,
      {
        cause,
        hint: 'Nothing was installed. Report it to its author or to the operator of the registry.',
      },
    );
  }
}

function readList(answer: Uint8Array): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(answer).toString('utf8'));
  } catch (cause) {
    throw new Error('the registry sent invalid JSON', {cause});
  }
  const {attestations} = Object(value) as {readonly attestations?: unknown};
  if (!Array.isArray(attestations)) throw new Error('the registry did not send a list of attestations');
  if (attestations.length > MOST)
    throw new Error(`there are ${attestations.length} attestations, more than any package has`);
  return attestations.map((one) => (Object(one) as {readonly bundle?: unknown}).bundle);
}

async function proveOne(bundle: unknown, subject: ProvenSubject, trust: Trust): Promise<BuildClaims | undefined> {
  const verified = await verifyAttestation(bundle, trust);
  if (!verified) return undefined;
  checkSubject(verified.statement, subject);
  return claimsOf(verified);
}

/** A statement about exactly one archive with these bytes. */
function checkSubject({subject}: Statement, {name, version, integrity}: ProvenSubject): void {
  const [only, ...others] = (Array.isArray(subject) ? subject : []) as readonly unknown[];
  const {name: named, digest} = Object(only) as {readonly name?: unknown; readonly digest?: unknown};
  const wanted = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  if (named !== wanted || others.length > 0)
    throw new Error(
      `it is about ${others.length > 0 ? `${others.length + 1} archives` : JSON.stringify(named)}, not ` +
        `about ${wanted}`,
    );
  const {sha512} = Object(digest) as {readonly sha512?: unknown};
  if (sha512 !== Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'))
    throw new Error('it is about an archive with other bytes');
}

function claimsOf({statement: {predicateType, predicate}, certificate}: VerifiedAttestation): BuildClaims | undefined {
  // Other statements say who published it, or what was found in it.
  if (!certificate || !isBuildStatement(predicateType)) return undefined;
  const claims = readClaims(certificate);
  const fault = claims && findDisagreement(readWords(predicateType, predicate), claims);
  if (fault) throw new Error(fault);
  return claims;
}

function provenanceOf({repository, workflow, ref, commit, issuer}: BuildClaims): Provenance {
  return {repository, workflow, ...(ref ? {ref} : {}), ...(commit ? {commit} : {}), issuer};
}
