/** What every program may need to run at all. Anything else is declared. */
const PASSED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TMP', 'TEMP'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'DOCKER_HOST', 'DBUS_SESSION_BUS_ADDRESS', 'NVM_DIR', 'PNPM_HOME'],
  ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
  ...['PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'SYSTEMDRIVE', 'SYSTEMROOT'],
  ...['USERNAME', 'USERPROFILE', 'WINDIR', 'NUMBER_OF_PROCESSORS', 'OS'],
];
const passed = new Set(PASSED);

/** The environment of a program that a person did not start: a fixed list of harmless variables, then its own. */
export function passedVariables(
  variables: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const given = Object.entries(variables).flatMap(([name, value]): [string, string][] => {
    const upper = name.toUpperCase();
    // A value that begins so is a function that a shell exported.
    const isPassed = (passed.has(upper) || upper.startsWith('LC_')) && value !== undefined && !value.startsWith('()');
    return isPassed ? [[name, value]] : [];
  });
  return {...Object.fromEntries(given), GEMINI_CLI: '1', ...own};
}
