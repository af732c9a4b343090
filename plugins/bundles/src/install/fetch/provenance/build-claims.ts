import type {ObjectIdentifierValuePair} from '@sigstore/verify';
import {omitUndefined} from '../../../omit-undefined.js';
import type {VerifiedAttestation} from './verify-attestation.js';

/**
 * What a certificate says about the build: attested by the authority, which got it from the issuer of the build
 * machine.
 */
export interface BuildClaims {
  readonly issuer: string;
  /** An https address, unchanged. */
  readonly repository: string;
  /** Its path in the repository; the whole address if it is elsewhere. */
  readonly workflow: string;
  /** Of the workflow's own file. */
  readonly workflowRef?: string;
  readonly ref?: string;
  readonly commit?: string;
  readonly runner?: string;
}

/**
 * Sigstore's object identifiers and what each one contains. Those of the first kind contain plain text, and are only
 * in older certificates of GitHub.
 */
const ARC = '1.3.6.1.4.1.57264.1.';
const PLACES = {issuer: 8, runner: 11, repository: 12, commit: 13, ref: 14, workflow: 18} as const;
const FIRST = {issuer: 1, commit: 3, repository: 5, ref: 6} as const;
const GITHUB_ISSUER = 'https://token.actions.githubusercontent.com';

/**
 * Reads what a certificate says about a build; undefined when it names no repository, because it belongs to a person
 * or another program. Throws Error when its repository is not valid.
 */
export function readClaims({
  name,
  extensions,
}: NonNullable<VerifiedAttestation['certificate']>): BuildClaims | undefined {
  const texts: Extensions = new Map(extensions.map((one) => [one.oid?.id.join('.') ?? '', one]));
  const read = isOfFirstKind(texts) ? readFirst : readOwn;
  const repository = read(texts, 'repository');
  const issuer = read(texts, 'issuer');
  if (repository === undefined || issuer === undefined) return undefined;
  checkAddress(repository);
  const [ref, commit, runner] = [read(texts, 'ref'), read(texts, 'commit'), read(texts, 'runner')];
  if (commit !== undefined && !/^[0-9a-f]{40,64}$/.test(commit))
    throw new Error(`its certificate names ${JSON.stringify(commit)}, which is not a commit`);
  const [place, workflowRef] = splitRef(read(texts, 'workflow') ?? name);
  const workflow = place.startsWith(`${repository}/`) ? place.slice(repository.length).replace(/^\/+/, '') : place;
  const rest = omitUndefined({workflowRef, ref: ref || undefined, commit, runner: runner || undefined});
  return {issuer, repository, workflow, ...rest};
}

type Extensions = ReadonlyMap<string, ObjectIdentifierValuePair>;
type Place = keyof typeof PLACES;

function isOfFirstKind(texts: Extensions): boolean {
  return (
    !texts.has(`${ARC}${PLACES.repository}`) &&
    readPlain(texts, FIRST.issuer) === GITHUB_ISSUER &&
    texts.has(`${ARC}${FIRST.repository}`)
  );
}

function readOwn(texts: Extensions, what: Place): string | undefined {
  return readText(texts.get(`${ARC}${PLACES[what]}`));
}

/** The first kind names neither the runner nor the file of the workflow. */
function readFirst(texts: Extensions, what: Place): string | undefined {
  if (what === 'runner' || what === 'workflow') return undefined;
  const written = readPlain(texts, FIRST[what]);
  return what === 'repository' ? `https://github.com/${written ?? ''}` : written;
}

function readPlain(texts: Extensions, place: number): string | undefined {
  return texts.get(`${ARC}${place}`)?.value.toString('utf8');
}

/** Splits an address from the ref after its last @. */
export function splitRef(text: string): readonly [place: string, ref: string | undefined] {
  const at = text.lastIndexOf('@');
  return at < 0 || !text.startsWith('refs/', at + 1) ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** An address that two programs could read differently is not accepted as a repository. */
function checkAddress(repository: string): void {
  const url = URL.canParse(repository) ? new URL(repository) : undefined;
  const isPlain =
    url?.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    url.href === repository &&
    !repository.includes('%') &&
    url.pathname !== '/';
  if (!isPlain)
    throw new Error(`its certificate names ${JSON.stringify(repository)}, which is not the address of a repository`);
}

/** The text of an extension: a UTF8String in DER that fills it completely. */
function readText(extension: ObjectIdentifierValuePair | undefined): string | undefined {
  if (!extension) return undefined;
  const {value} = extension;
  const [tag, first = 0] = value;
  const count = first < 0x80 ? 0 : first & 0x7f;
  const length = count === 0 ? first : count <= 3 && value.length >= 2 + count ? value.readUIntBE(2, count) : -1;
  if (tag !== 0x0c || value.length !== 2 + count + length)
    throw new Error('its certificate has an extension that is not text');
  return value.toString('utf8', 2 + count);
}
