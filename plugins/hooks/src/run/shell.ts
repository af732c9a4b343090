import type {Environment} from '@gemini-kernel/kernel';

// All that differs between systems for a hook is in this file.

/** The program that runs a command, and its arguments. */
export function shellFor(command: string, platform: Environment['platform']): readonly [string, readonly string[]] {
  if (platform === 'win32')
    return ['powershell.exe', ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command]];
  return ['bash', ['--norc', '-c', command]];
}

/** One word that the shell takes as it is. */
function quote(value: string, platform: Environment['platform']): string {
  return platform === 'win32' ? `'${value.replaceAll("'", "''")}'` : `'${value.replaceAll("'", "'\\''")}'`;
}

/**
 * The command with `$NAME` replaced by the quoted value. Within quotes bash finds the same name among its variables, so
 * that a path with a space is one word in both places.
 */
export function insertVariables(
  command: string,
  variables: Readonly<Record<string, string>>,
  platform: Environment['platform'],
): string {
  const parts = /\\.|'[^']*'|"(?:[^"\\]|\\.)*"|\$([A-Z_]+)(?![A-Za-z0-9_])|[^\\'"$]+|./gs;
  const isWindows = platform === 'win32';
  return command.replace(parts, (part: string, name: string | undefined) => {
    if (name !== undefined && Object.hasOwn(variables, name)) return quote(variables[name] ?? '', platform);
    if (!isWindows || !part.startsWith('"')) return part;
    return part.replace(/\$([A-Z_]+)\b/g, (found, inner: string) =>
      Object.hasOwn(variables, inner) ? `\${env:${inner}}` : found,
    );
  });
}
