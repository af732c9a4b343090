import type {LockedPlugin, Provenance} from '@gemini-kernel/admission';

/** Where a plugin was built, as people read it. */
export function describeProvenance({repository, workflow, ref, commit, issuer}: Provenance): string {
  const place = commit ? ` at ${commit.slice(0, 12)}` : '';
  return `${repository}${place}${ref ? ` (${ref})` : ''} by ${workflow}, proven by Sigstore on the word of ${issuer}`;
}

/** The line about it for somebody who may say yes; undefined when nobody said anything of it. */
export function describeBuild(
  {provenance}: Pick<LockedPlugin, 'provenance'>,
  unproven: string | undefined,
): string | undefined {
  return provenance ? describeProvenance(provenance) : unproven && `nobody knows where: ${unproven}`;
}

/** How the proof became less than it was: it is gone, or of another repository; undefined when it did not. */
export function findLostProof(before: Provenance | undefined, after: Provenance | undefined): string | undefined {
  if (!before || (before.repository === after?.repository && before.issuer === after.issuer)) return undefined;
  if (!after)
    return `it was proven before to be built from ${before.repository}, and nothing proves where this one was`;
  const same = before.repository === after.repository;
  return (
    `it was built from ${before.repository}${same ? ` on the word of ${before.issuer}` : ''} before, and ` +
    `${same ? `on that of ${after.issuer}` : `from ${after.repository}`} now`
  );
}
