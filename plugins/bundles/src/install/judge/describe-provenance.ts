import type {LockedPlugin, Provenance} from '@gemini-kernel/admission';

/** Where a plugin was built, for people. */
export function describeProvenance({repository, workflow, ref, commit, issuer}: Provenance): string {
  const place = commit ? ` at ${commit.slice(0, 12)}` : '';
  return `${repository}${place}${ref ? ` (${ref})` : ''} by ${workflow}, proven by Sigstore, attested by ${issuer}`;
}

/** The line about the place of build in a consent question; undefined when there is nothing to say. */
export function describeBuild(
  {provenance}: Pick<LockedPlugin, 'provenance'>,
  unproven: string | undefined,
): string | undefined {
  return provenance ? describeProvenance(provenance) : unproven && `unproven: ${unproven}`;
}

/** How the proof became weaker: it is missing, or names another repository; undefined when it did not. */
export function findLostProof(before: Provenance | undefined, after: Provenance | undefined): string | undefined {
  if (!before || (before.repository === after?.repository && before.issuer === after.issuer)) return undefined;
  if (!after)
    return `it was proven before to be built from ${before.repository}; now nothing proves where it was built`;
  const same = before.repository === after.repository;
  return (
    `before, it was built from ${before.repository}${same ? `, attested by ${before.issuer}` : ''}; now ` +
    `${same ? `attested by ${after.issuer}` : `from ${after.repository}`}`
  );
}
