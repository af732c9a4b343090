/** Where a plugin came from, in parts that were resolved, never as the text a person typed. */
export type PluginSource =
  | {readonly type: 'registry'; readonly registry: string; readonly wanted: string}
  | {readonly type: 'tarball'; readonly location: string}
  | {readonly type: 'folder'; readonly location: string}
  | {readonly type: 'git'; readonly location: string; readonly commit: string; readonly wanted?: string}
  | {readonly type: 'link'; readonly location: string}
  | {readonly type: 'bundle'; readonly bundle: string; readonly serial: number};

/**
 * A rule about sources: one kind, and optionally a host (`*.corp.example` for all below it) and the beginning of a path
 * (or a whole folder).
 */
export interface SourceRule {
  readonly type: PluginSource['type'] | '*';
  readonly host?: string;
  readonly path?: string;
}

/** An address in its parts; a path on this machine has no host. */
export interface SourceParts {
  readonly host: string;
  readonly path: string;
}

/**
 * Host and path of an address as they really are: scp-like git addresses read as ssh, hosts decoded and in lower case,
 * without user, port of the protocol, query or dot segments; a path on this machine has no host. Undefined when two
 * programs could read it differently.
 */
export function normaliseLocation(location: string): SourceParts | undefined {
  const text = unwrapHost(location.trim().replace(/^git\+/i, ''));
  const scp = /^(?:[^@/\s]+@)?(\[[^\]]*\]|[^:/\s]+):(?!\/\/)(.+)$/.exec(text);
  const isDrive = /^[A-Za-z]:[\\/]/.test(text);
  // With one slash, or with none, it leads to the same place.
  if (/^https?:/i.test(text)) return readAddress(text);
  if (scp && !isDrive && !/^file:/i.test(text))
    return readAddress(`ssh://${scp[1] ?? ''}/${(scp[2] ?? '').replace(/^\/+/, '')}`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return readAddress(text);
  return {host: '', path: tidyPath(text.replace(/^file:/i, '').replaceAll('\\', '/'))};
}

/**
 * Whether a rule speaks of a source. `unreadable` is the answer for an address that cannot be read: true where the rule
 * forbids, false where it lets in.
 */
export function matchesSource(rule: SourceRule, source: PluginSource, unreadable = false): boolean {
  if (rule.type !== '*' && rule.type !== source.type) return false;
  if (source.type === 'bundle')
    return rule.host === undefined && (rule.path === undefined || rule.path === source.bundle);
  const parts = normaliseLocation(source.type === 'registry' ? source.registry : source.location);
  if (!parts) return unreadable;
  const {host, path} = parts;
  const fold = CASELESS.test(host) ? (text: string): string => text.toLowerCase() : (text: string): string => text;
  return matchesHost(rule.host, host) && (rule.path === undefined || isBelow(fold(tidyPath(rule.path)), fold(path)));
}

/** Hosts that take the names of owners and repositories in any case. */
const CASELESS = /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org)$/;

/** Git takes the brackets of an IPv6 address around any host, and a user and a port inside of them. */
function unwrapHost(text: string): string {
  const [, before = '', inner, after = ''] =
    /^((?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/\s[]*@)?)\[([^\]/]*)\](.*)$/is.exec(text) ?? [];
  if (inner === undefined) return text;
  const host = inner.slice(inner.lastIndexOf('@') + 1);
  if (host.split(':').length > 2) return `${before}[${host}]${after}`;
  if (before.includes('//') || !host.includes(':')) return `${before}${host}${after}`;
  return `ssh://${before}${host}/${after.replace(/^:\/*/, '')}`;
}

function readAddress(address: string): SourceParts | undefined {
  try {
    const {protocol, host, port, hostname, pathname} = new URL(address);
    const path = decodeURIComponent(pathname);
    // What is still a way upwards was hidden from those who do not decode.
    if (path.split(/[/\\]/).some((segment) => segment === '..' || segment === '.') || path.includes('\0'))
      return undefined;
    if (protocol === 'file:') return {host: '', path: tidyPath(path)};
    const plain = decodeURIComponent(hostname);
    if (host === '' || !/^(\[[0-9a-f:.]+\]|[^\s%@/:?#[\]\\]+)$/i.test(plain)) return undefined;
    // Only hosts of well-known protocols are made plain: other alphabets, numbers in other forms.
    const {hostname: known} = new URL(`http://${plain}`);
    return {
      host: `${known.replace(/\.$/, '')}${/^(?:22|80|443|9418)?$/.test(port) ? '' : `:${port}`}`,
      path: tidyPath(path),
    };
  } catch {
    // No address, or one with characters that cannot be decoded.
    return undefined;
  }
}

function tidyPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`.replace(/\.git$/, '');
}

function matchesHost(rule: string | undefined, host: string): boolean {
  if (rule === undefined) return true;
  const wanted = rule.toLowerCase();
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}
