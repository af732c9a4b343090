/** The profiles of this product, as the reference names them. */
export const PROFILES = [
  ...(['permissive-open', 'permissive-proxied', 'restrictive-open', 'restrictive-proxied'] as const),
  ...(['strict-open', 'strict-proxied'] as const),
] as const;
export type Profile = (typeof PROFILES)[number];

/** Other names that the reference takes. */
const ALIASES: Readonly<Record<string, Profile>> = {
  'permissive-closed': 'strict-open',
  'restrictive-closed': 'strict-proxied',
};

/** How many added directories a profile has parameters for. */
export const MOST_INCLUDED = 5;

const INCLUDED = Array.from({length: MOST_INCLUDED}, (_, index) => `(subpath (param "INCLUDE_DIR_${index}"))`);
const inHome = (name: string): string => `(subpath (string-append (param "HOME_DIR") "/${name}"))`;
const WORKSPACE = ['(subpath (param "TARGET_DIR"))', ...INCLUDED];
const WRITTEN = [
  ...WORKSPACE,
  ...['(subpath (param "TMP_DIR"))', '(subpath (param "CACHE_DIR"))'],
  ...['.gemini', '.npm', '.cache'].map(inHome),
  ...['/dev/stdout', '/dev/stderr', '/dev/null', '/dev/ptmx'].map((path) => `(literal "${path}")`),
  '(regex #"^/dev/ttys[0-9]*$")',
];
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/opt', '/System', '/Library', '/Applications', '/private/etc', '/private/var/db'],
  ...['/private/var/select', '/private/tmp', '/dev', '/etc', '/var/select', '/nix'],
].map((path) => `(subpath "${path}")`);
const READ = [
  ...[...SYSTEM, ...WORKSPACE, '(subpath (param "TMP_DIR"))', '(subpath (param "CACHE_DIR"))'],
  ...['.gemini', '.npm', '.cache', '.config', '.nvm'].map(inHome),
  '(literal (string-append (param "HOME_DIR") "/.gitconfig"))',
  // Where a path leads is asked of each folder above it.
  '(literal "/")',
];
/** Sockets of programs that act for the person. */
const DAEMONS = [
  ...['/var/run/docker.sock', '/private/var/run/docker.sock'].map((path) => `(literal "${path}")`),
  ...['.docker/run', '.colima', '.orbstack/run', '.rd'].map(inHome),
];
const PROXY_PORT = 8877;

/** The text of a profile; undefined for a name that is not one of this product's. */
export function seatbeltProfile(name: string): string | undefined {
  const profile = Object.hasOwn(ALIASES, name) ? ALIASES[name] : PROFILES.find((one) => one === name);
  if (profile === undefined) return undefined;
  const [strictness, network] = profile.split('-');
  return [
    '(version 1)',
    ...(strictness === 'permissive' ? ['(allow default)', '(deny file-write*)'] : closed()),
    strictness === 'strict' ? rule('allow file-read*', READ) : '(allow file-read*)',
    ...(strictness === 'strict' ? ['(allow file-read-metadata)'] : []),
    rule('allow file-write*', WRITTEN),
    ...(network === 'open' ? OPEN : PROXIED),
    rule('deny file-read* file-write*', DAEMONS),
    '',
  ].join('\n');
}

/** What a program needs at all. */
function closed(): readonly string[] {
  const services = [
    ...['com.apple.system.opendirectoryd.libinfo', 'com.apple.system.opendirectoryd.membership'],
    ...['com.apple.sysmond', 'com.apple.bsd.dirhelper', 'com.apple.trustd', 'com.apple.trustd.agent'],
    ...['com.apple.SecurityServer', 'com.apple.SystemConfiguration.configd', 'com.apple.mDNSResponder'],
    'com.apple.SystemConfiguration.DNSConfiguration',
  ];
  return [
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix-sem)',
    '(allow file-ioctl (regex #"^/dev/tty.*"))',
    '(allow pseudo-tty)',
    rule(
      'allow mach-lookup',
      services.map((name) => `(global-name "${name}")`),
    ),
  ];
}
const OPEN = ['(allow network*)', '(allow system-socket)'];
/** Servers on this machine, the proxy, and nothing else. */
const PROXIED = [
  '(deny network*)',
  '(allow network-inbound (local ip "localhost:*"))',
  '(allow network-bind (local ip "localhost:*"))',
  `(allow network-outbound (remote tcp "localhost:${PROXY_PORT}"))`,
];

function rule(head: string, filters: readonly string[]): string {
  return `(${head}\n  ${filters.join('\n  ')})`;
}
