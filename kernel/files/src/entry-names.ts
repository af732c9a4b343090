/** Device names on Windows, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;
/** Characters that some system does not allow in a name, and characters that people cannot see. */
const ODD = /[\p{Cc}\p{Cf}\\:*?"<>|]/u;

/** What is wrong with the path of an entry on some system, or undefined. */
export function findNameFault(path: string): string | undefined {
  if (path.startsWith('/')) return 'is an absolute path';
  if (path.split('/').includes('..')) return 'leads outside the archive';
  if (ODD.test(path)) return 'has an invisible character in its name, or one that some systems do not allow';
  if (path.length > 1000) return 'has a name longer than 1000 characters';
  for (const segment of path.split('/')) {
    if (DEVICES.test(segment)) return 'has the name of a device';
    if (/[. ]$/.test(segment) && segment !== '.') return 'has a name that ends with a dot or a space';
  }
  return undefined;
}

/**
 * Reserves the name of an entry and of the folders above it, as the least exact file system sees them. Returns why a
 * name cannot be used. `seen` contains folded names, and `=` before written ones.
 */
export function claimName(path: string, isFolder: boolean, seen: Map<string, boolean>): string | undefined {
  const segments = path.split('/');
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const written = segments.slice(0, depth).join('/');
    const folded = written.normalize('NFC').toLowerCase();
    const isAbove = depth < segments.length || isFolder;
    const known = seen.get(folded);
    if (known !== undefined && !(known && isAbove))
      return 'is there twice, or under a name that some systems treat as the same';
    if (known && !seen.has(`=${written}`)) return 'is in a folder whose name some systems treat as that of another';
    seen.set(folded, isAbove);
    seen.set(`=${written}`, true);
  }
  return undefined;
}
