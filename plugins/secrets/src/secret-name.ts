/**
 * Variables that commands cannot do without, though their names look secret: places of sockets and of public
 * certificates, proxies.
 */
const NEEDED = new Set([
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'LANG',
  'TERM',
  'TMPDIR',
  'SSH_AUTH_SOCK',
  'GPG_AGENT_INFO',
  'XAUTHORITY',
  'GOOGLE_CLOUD_PROJECT',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'GIT_SSL_CAINFO',
  'PIP_CERT',
  'CARGO_HTTP_CAINFO',
  'NIX_SSL_CERT_FILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'FTP_PROXY',
]);
const NEEDED_PREFIX = /^(?:GEMINI_CLI_|GIT_CONFIG_|GIT_AUTHOR_|LC_)/;
/** What a proxy or git is given may hold a password that the model need not see. */
const VEILED = /^(?:(?:HTTPS?|ALL|FTP)_PROXY|GIT_CONFIG_)/;

const SECRET_WORD = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT|CONNECTION_?STRING/;
const SECRET_NAME = /(?:^|_)PASS$|^(?:DATABASE_URL|MYSQL_PWD)$/;
/** Words that hold one of those above and mean something else. */
const HARMLESS_WORD = /AUTHOR(?!I[ZS])S?|TOKENI[ZS]ERS?|KEYBOARD|KEYMAP|KEYTIMEOUT|MONKEY|HOTKEY/g;

/** Whether commands get the variable whatever it holds. */
export function isNeeded(name: string): boolean {
  const upper = name.toUpperCase();
  return NEEDED.has(upper) || NEEDED_PREFIX.test(upper);
}

/** Whether what such a variable holds is searched for passwords although commands get it. */
export function isVeiled(name: string): boolean {
  return VEILED.test(name.toUpperCase());
}

/** Whether a variable is secret by its name alone. */
export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return SECRET_NAME.test(upper) || SECRET_WORD.test(upper.replace(HARMLESS_WORD, ''));
}
