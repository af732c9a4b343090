/** What the loader and the C library obey: bubblewrap itself runs before anything is confined. */
const LOADER = /^(?:LD_|GLIBC_|MALLOC_|GCONV_PATH$|LOCPATH$|NLSPATH$|RES_OPTIONS$|HOSTALIASES$|LOCALDOMAIN$|TZDIR$)/;
/** What leads to programs that act for the person, which are not there inside. */
const OUTSIDE = [
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'DBUS_SESSION_BUS_ADDRESS', 'DBUS_SYSTEM_BUS_ADDRESS'],
  ...['XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DOCKER_HOST', 'CONTAINER_HOST', 'TMUX', 'STY'],
  ...[
    'VSCODE_IPC_HOOK_CLI',
    'VSCODE_GIT_IPC_HANDLE',
    'NVIM',
    'PULSE_SERVER',
    'TMPDIR',
    'TMP',
    'TEMP',
    'NODE_CHANNEL_FD',
    'XDG_CACHE_HOME',
    'npm_config_cache',
  ],
];

/** Caches stay from one command to the next without a mount of their own: mounts cost time. */
const OWN = [
  ['SANDBOX', 'bwrap'],
  ['TMPDIR', '/tmp'],
  ['XDG_CACHE_HOME', '/tmp/.cache'],
  ['npm_config_cache', '/tmp/.cache/npm'],
] as const;

/** The variables that bubblewrap starts with, and those that it sets for the program only. */
export interface Variables {
  readonly outer: Readonly<Record<string, string>>;
  readonly inner: readonly (readonly [name: string, value: string])[];
}

/**
 * The variables of a confined program. Bubblewrap has no others: its first process inside shows the ones that it has
 * to every program there.
 */
export function innerVariables(given: Readonly<Record<string, string>>): Variables {
  const passed = Object.entries(given).filter(([name]) => !OUTSIDE.includes(name));
  return {
    outer: Object.fromEntries(passed.filter(([name]) => !LOADER.test(name))),
    inner: [...passed.filter(([name]) => LOADER.test(name)), ...OWN],
  };
}
