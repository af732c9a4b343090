import {createRequire} from 'node:module';
import {KernelError} from '@gemini-kernel/kernel';

interface Ssri {
  fromData(data: Uint8Array, options: {readonly algorithms: readonly string[]}): {toString(): string};
  parse(text: string): (Readonly<Record<string, readonly unknown[]>> & {pickAlgorithm(): string}) | null;
  checkData(data: Uint8Array, text: string): unknown;
}

/** The SRI text of an archive: `sha512-` and base64. */
export function integrityOf(bytes: Uint8Array): string {
  return ssri()
    .fromData(bytes, {algorithms: ['sha512']})
    .toString();
}

/** Throws KernelError INSTALL_CHANGED unless the bytes have that digest; `by` is who names it. */
export function checkIntegrity(
  bytes: Uint8Array,
  expected: string,
  {what, by}: {readonly what: string; readonly by: string},
): void {
  // An unreadable digest matches nothing.
  if (ssri().checkData(bytes, expected) !== false) return;
  throw wrongArchive({what, by, expected, found: integrityOf(bytes)});
}

/** KernelError INSTALL_CHANGED for an archive with the wrong digest. */
export function wrongArchive({
  what,
  by,
  expected,
  found,
}: {
  readonly what: string;
  readonly by: string;
  readonly expected: string;
  readonly found: string;
}): KernelError {
  return new KernelError(
    'INSTALL_CHANGED',
    `The archive of ${what} does not match ${by}: expected ${expected.slice(0, 30)}…, got ${found.slice(0, 30)}….`,
    {
      hint:
        'Nothing was unpacked, and installed plugins are unchanged. The archive was changed on the way, or ' +
        'the version was published again. Report it to the operator of the registry.',
    },
  );
}

function ssri(): Ssri {
  return createRequire(import.meta.url)('ssri') as Ssri;
}
