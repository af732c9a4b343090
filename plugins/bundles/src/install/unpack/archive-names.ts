/** Names that stand for devices on Windows, whatever follows a dot. */
const DEVICES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;
/** What some system does not take in a name, and what a person cannot see in one. */
const ODD = /[\p{Cc}\p{Cf}\\:*?"<>|]/u;

/** What is wrong with the path of an entry, on any system, or undefined. */
export function findNameFault(path: string): string | undefined {
  if (path.startsWith('/')) return 'is an absolute path';
  if (path.split('/').includes('..')) return 'leads out of the archive';
  if (ODD.test(path)) return 'has a character in its name that not every system takes, or that nobody sees';
  if (path.length > 1000) return 'has a name of more than 1000 characters';
  for (const segment of path.split('/')) {
    if (DEVICES.test(segment)) return 'has the name of a device';
    if (/[. ]$/.test(segment) && segment !== '.') return 'has a name that ends with a dot or a space';
  }
  return undefined;
}

/**
 * Takes the name of an entry, as the least discerning file system sees it, and those of the folders above it. Says why
 * it cannot be had. `seen` holds folded names, and `=` before written ones.
 */
export function claimName(path: string, isFolder: boolean, seen: Map<string, boolean>): string | undefined {
  const segments = path.split('/');
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const written = segments.slice(0, depth).join('/');
    const folded = written.normalize('NFC').toLowerCase();
    const isAbove = depth < segments.length || isFolder;
    const known = seen.get(folded);
    if (known !== undefined && !(known && isAbove))
      return 'is there twice, or under a name that some systems take for the same';
    if (known && !seen.has(`=${written}`)) return 'lies in a folder whose name some systems take for that of another';
    seen.set(folded, isAbove);
    seen.set(`=${written}`, true);
  }
  return undefined;
}
