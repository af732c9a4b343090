import {normaliseLocation} from '@gemini-kernel/admission';
import {splitRef, type BuildClaims} from './build-claims.js';

/**
 * What a statement itself says about a build, in SLSA form. Its author can write anything; only the certificate counts.
 */
export interface BuildWords {
  /** Every address that it names as its source. */
  readonly repositories: readonly string[];
  readonly workflow?: string;
  readonly workflowRef?: string;
  readonly refs: readonly string[];
  readonly commits: readonly string[];
  readonly builder?: string;
}

const V1 = 'https://slsa.dev/provenance/v1';
const V02 = 'https://slsa.dev/provenance/v0.2';
const GITHUB_RUNNERS = 'https://github.com/actions/runner/';

/** Whether this type of statement says where something was built. */
export function isBuildStatement(predicateType: unknown): boolean {
  return predicateType === V1 || predicateType === V02;
}

/** Reads what a SLSA statement, version 1 or 0.2, says about a build. */
export function readWords(predicateType: unknown, predicate: unknown): BuildWords {
  return predicateType === V1 ? readFirst(predicate) : readEarly(predicate);
}

function readFirst(predicate: unknown): BuildWords {
  const workflow = at(predicate, 'buildDefinition', 'externalParameters', 'workflow');
  const material = at(predicate, 'buildDefinition', 'resolvedDependencies', '0');
  const [place, ref] = splitRef(text(at(material, 'uri')) ?? '');
  return {
    repositories: known(text(at(workflow, 'repository')), place),
    refs: known(ref),
    commits: known(text(at(material, 'digest', 'gitCommit')), text(at(material, 'digest', 'sha1'))),
    ...maybe('workflow', text(at(workflow, 'path'))),
    ...maybe('workflowRef', text(at(workflow, 'ref'))),
    ...maybe('builder', text(at(predicate, 'runDetails', 'builder', 'id'))),
  };
}

function readEarly(predicate: unknown): BuildWords {
  const source = at(predicate, 'invocation', 'configSource');
  const [place, ref] = splitRef(text(at(source, 'uri')) ?? '');
  const material = at(predicate, 'materials', '0');
  const [from] = splitRef(text(at(material, 'uri')) ?? '');
  // GitLab puts the name of a job there.
  const [entry, workflowRef] = splitRef(text(at(source, 'entryPoint')) ?? '');
  const workflow = entry.includes('.github/workflows/') ? entry.slice(entry.indexOf('.github/workflows/')) : undefined;
  return {
    repositories: known(place, from),
    refs: known(ref),
    commits: known(text(at(source, 'digest', 'sha1')), text(at(material, 'digest', 'sha1'))),
    ...maybe('workflow', workflow),
    ...maybe('workflowRef', workflowRef),
    ...maybe('builder', text(at(predicate, 'builder', 'id'))),
  };
}

/** Where a statement contradicts the certificate it was signed with, or undefined. */
export function findDisagreement(
  {repositories, workflow, workflowRef, refs, commits, builder}: BuildWords,
  claims: BuildClaims,
): string | undefined {
  if (repositories.length === 0) return 'it names no repository';
  const other = repositories.find((one) => !isSamePlace(one, claims.repository));
  const runner = builder?.startsWith(GITHUB_RUNNERS) ? builder.slice(GITHUB_RUNNERS.length) : undefined;
  const pairs: readonly (readonly [what: string, said: string | undefined, certified: string | undefined])[] = [
    ['the repository', other, claims.repository],
    ['the workflow', workflow, claims.workflow],
    ['the workflow at', workflowRef, claims.workflowRef],
    ['the ref', refs.find((one) => one !== claims.ref), claims.ref],
    ['the commit', commits.find((one) => one !== claims.commit), claims.commit],
    ['the runner', runner, claims.runner],
  ];
  const found = pairs.find(
    ([, said, certified]) => said !== undefined && certified !== undefined && said !== certified,
  );
  return found && `it names ${found[0]} ${found[1] ?? ''}, but its certificate ${found[2] ?? ''}`;
}

function isSamePlace(one: string, other: string): boolean {
  const [a, b] = [normaliseLocation(one), normaliseLocation(other)];
  return a !== undefined && b !== undefined && a.host === b.host && a.path.toLowerCase() === b.path.toLowerCase();
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function known(...texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((one): one is string => one !== undefined && one !== '');
}

function maybe<K extends string>(key: K, value: string | undefined): {readonly [P in K]?: string} {
  return value === undefined || value === '' ? {} : ({[key]: value} as {readonly [P in K]?: string});
}
