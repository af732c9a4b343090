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
 * Whose word counts for builds of these hosts. For others a rule names an issuer, because one authority certifies what
 * many say of each other's repositories.
 */
const ISSUERS = new Map([
  ['github.com', 'https://token.actions.githubusercontent.com'],
  ['gitlab.com', 'https://gitlab.com'],
]);

/** Why a build is not the one that a rule asks for, or undefined when it is. */
export function findProvenanceFault(rule: ProvenanceRule, found?: Provenance): string | undefined {
  const {repository, workflow} = rule;
  if (!found) return `nothing proves where it was built, and the administrator wants it built from ${repository}`;
  if (!isFrom(repository, found.repository))
    return `it was built from ${found.repository}, and the administrator wants it built from ${repository}`;
  const fault = findIssuerFault(rule, found);
  if (fault) return fault;
  if (workflow !== undefined && workflow !== found.workflow)
    return `it was built by ${found.workflow}, and the administrator wants ${workflow}`;
  return findRefFault(rule, found);
}

function findIssuerFault({repository, issuer}: ProvenanceRule, found: Provenance): string | undefined {
  const wanted = issuer ?? ISSUERS.get(normaliseLocation(repository)?.host ?? '');
  if (wanted === found.issuer) return undefined;
  return (
    `that it was built from ${found.repository} is the word of ${found.issuer}, and the administrator ` +
    `${wanted === undefined ? 'names no issuer' : `wants that of ${wanted}`}`
  );
}

function findRefFault({ref}: ProvenanceRule, found: Provenance): string | undefined {
  const isBelow = ref?.endsWith('/*') === true && found.ref?.startsWith(ref.slice(0, -1)) === true;
  if (ref === undefined || ref === found.ref || isBelow) return undefined;
  return `it was built from ${found.ref ?? 'no ref'}, and the administrator wants ${ref}`;
}

function isFrom(wanted: string, found: string, folder = wanted.replace(/\/\*$/, '')): boolean {
  const holds = (a: string, b: string): boolean =>
    matchesSource({type: 'git', ...(normaliseLocation(a) ?? {host: ' '})}, {type: 'git', location: b, commit: ''});
  return holds(folder, found) && holds(found, folder) === (folder === wanted);
}
