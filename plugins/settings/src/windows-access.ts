import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {win32} from 'node:path';

// In SDDL: Administrators, SYSTEM and TrustedInstaller, by short name or by number.
const ADMINISTRATORS = new Set([
  'BA',
  'SY',
  'S-1-5-32-544',
  'S-1-5-18',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
]);
// CREATOR OWNER stands for the owner, who is checked apart.
const HARMLESS = new Set([...ADMINISTRATORS, 'CO', 'S-1-3-0']);
const READING = ['FR', 'FX', 'GR', 'GX', 'RC', 'CC', 'SW', 'WP', 'LO'];
// FILE_READ_DATA, READ_EA, EXECUTE, READ_ATTRIBUTES, READ_CONTROL, SYNCHRONIZE, GENERIC_READ and GENERIC_EXECUTE.
const READING_BITS = 0x1 | 0x8 | 0x20 | 0x80 | 0x20000 | 0x100000 | 0x80000000 | 0x20000000;

// Who adds a file to a directory owns it, so adding is harmless where the owner of the file is checked; deleting is
// not.
const HARMLESS_RIGHTS = {file: new Set(READING), directory: new Set([...READING, 'DC', 'LC', 'RP', 'CR'])};
const HARMLESS_BITS = {file: READING_BITS, directory: READING_BITS | 0x2 | 0x4 | 0x10 | 0x100};

/**
 * Why someone other than an administrator may have changed a file or its directory with this security descriptor
 * (SDDL), or undefined.
 */
export function findAccessFault(descriptor: string, subject: 'file' | 'directory'): string | undefined {
  const what = subject === 'file' ? 'the file' : 'its directory';
  const owner = /^O:(S-[\d-]+|[A-Z]{2})/.exec(descriptor)?.[1];
  if (!owner || !ADMINISTRATORS.has(owner)) return `${what} is not owned by an administrator`;
  const list = /D:[A-Z]*((?:\([^)]*\))*)/.exec(descriptor)?.[1];
  if (!list) return `${what} can be changed by anyone`;
  const isChanger = ([, type = '', rights = '', holder = '']: RegExpMatchArray): boolean =>
    type.includes('A') && !HARMLESS.has(holder) && !isHarmless(rights, subject);
  return [...list.matchAll(/\((\w+);\w*;(\w*);[^;]*;[^;]*;([^;)]+)/g)].some(isChanger)
    ? `${what} can be changed by others than administrators`
    : undefined;
}

function isHarmless(rights: string, subject: 'file' | 'directory'): boolean {
  if (rights.startsWith('0x')) return (Number(rights) & ~HARMLESS_BITS[subject]) === 0;
  return (rights.match(/../g) ?? []).every((right) => HARMLESS_RIGHTS[subject].has(right));
}

/** The security descriptors of some paths, or undefined when Windows does not give them. */
export async function readSecurityDescriptors(
  paths: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[] | undefined> {
  const shell = win32.join(
    variables['SystemRoot'] ?? 'C:\\Windows',
    'System32',
    'WindowsPowerShell',
    'v1.0',
    'powershell.exe',
  );
  const list = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(',');
  const script = `${list} | ForEach-Object { (Get-Acl -LiteralPath $_).Sddl }`;
  // Whatever keeps PowerShell from answering leaves the question open, which counts as no.
  const answer = await promisify(execFile)(shell, ['-NoProfile', '-NonInteractive', '-Command', script], {
    timeout: 5000,
    windowsHide: true,
  }).catch(() => undefined);
  const lines = answer?.stdout.trim().split(/\r?\n/);
  return lines?.length === paths.length ? lines : undefined;
}
