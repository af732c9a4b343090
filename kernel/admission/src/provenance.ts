import {matchesSource, normaliseLocation} from './source.js';

/** Where an archive was built, in the words of a certificate that was verified. */
export interface Provenance {
  readonly repository: string;
  readonly workflow: string;
  readonly ref?: string;
  readonly commit?: string;
  readonly issuer: string;
}

/**
 * Where an archive must have been built: a repository, or all below `https://host/owner/*`; a ref is one, or all below
 * `refs/tags/*`.
 */
export type ProvenanceRule = Pick<Provenance, 'repository' | 'ref'> & Partial<Pick<Provenance, 'workflow' | 'issuer'>>;

/**
 * Whose word counts for builds of these hosts. For others a rule names somebody, because one authority certifies what
 * many say of each other's repositories.
 */
const ISSUERS = new Map([
  ['github.com', 'https://token.actions.githubusercontent.com'],
  ['gitlab.com', 'https://gitlab.com'],
]);

/** Why a build is not the one that a rule asks for, or undefined when it is. */
export function findProvenanceFault(
  {repository, workflow, ref, issuer = ISSUERS.get(normaliseLocation(repository)?.host ?? '')}: ProvenanceRule,
  found?: Provenance,
): string | undefined {
  if (!found || !isFrom(repository, found.repository))
    return (
      `${found ? `it was built from ${found.repository}` : 'nothing proves where it was built'}, and the ` +
      `administrator wants it built from ${repository}`
    );
  if (issuer !== found.issuer)
    return (
      `that it was built from ${found.repository} is the word of ${found.issuer}, and the administrator ` +
      `${issuer === undefined ? 'names no issuer' : `wants that of ${issuer}`}`
    );
  if (workflow !== undefined && workflow !== found.workflow)
    return `it was built by ${found.workflow}, and the administrator wants ${workflow}`;
  return ref === undefined || ref === found.ref || (ref.endsWith('/*') && found.ref?.startsWith(ref.slice(0, -1)))
    ? undefined
    : `it was built from ${found.ref ?? 'no ref'}, and the administrator wants ${ref}`;
}

function isFrom(wanted: string, found: string, folder = wanted.replace(/\/\*$/, '')): boolean {
  const holds = (a: string, b: string): boolean =>
    matchesSource({type: 'git', ...(normaliseLocation(a) ?? {host: ' '})}, {type: 'git', location: b, commit: ''});
  return holds(folder, found) && holds(found, folder) === (folder === wanted);
}
