import {noteUse} from './flow.js';
import type {ShellWord} from './syntax.js';
import {fixVariable, setVariable} from './variable-values.js';
import {doubt, doubtProgram, runWordAsText, type Position, type Walk} from './walk.js';

/** Variables whose value is a command. */
const COMMANDS = new Set(
  (
    'BROWSER CARGO_BUILD_RUSTC_WRAPPER CVS_RSH EDITOR FCEDIT GH_EDITOR GH_PAGER GIT_ASKPASS GIT_EDITOR ' +
    'GIT_EXTERNAL_DIFF GIT_PAGER GIT_PROXY_COMMAND GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND HGEDITOR KUBE_EDITOR ' +
    'LESSCLOSE LESSEDIT LESSOPEN MANPAGER PAGER PROMPT_COMMAND RSYNC_RSH RUSTC RUSTC_WRAPPER RUSTDOC SSH_ASKPASS ' +
    'SUDO_ASKPASS SUDO_EDITOR SVN_EDITOR SVN_SSH SYSTEMD_EDITOR SYSTEMD_PAGER VISUAL'
  ).split(' '),
);

/** Variables that decide which programs, libraries, start-up files or settings are used, or how a shell reads. */
const DECISIVE = [
  /^(?:PATH|IFS|ENV|CDPATH|HOME|SHELL|SHELLOPTS|BASHOPTS|PS[0-4]|BASH_(?:ENV|FUNC|LOADABLES_PATH|XTRACEFD|ARGV0|ALIASES|CMDS).*|GCONV_PATH|TERMINFO|OPENSSL_(?:CONF|ENGINES|MODULES)|XDG_(?:CONFIG|DATA)_\w+)$/,
  /^(?:LD_\w+|DYLD_\w+|GLIBC_TUNABLES|LESS|LESSKEY\w*|TAR_OPTIONS|RIPGREP_CONFIG_PATH|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|SSLKEYLOGFILE|EXINIT|VIMINIT|MYVIMRC|ZDOTDIR|FPATH|INPUTRC)$/,
  /^GIT_(?:CONFIG\w*|DIR|WORK_TREE|COMMON_DIR|EXEC_PATH|TEMPLATE_DIR|ALLOW_PROTOCOL|PROTOCOL_FROM_USER|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|INDEX_FILE)$/,
  /^(?:PYTHON(?!UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|HASHSEED|UTF8|FAULTHANDLER|OPTIMIZE)\w+|PERL\w*|RUBY(?:OPT|LIB|SHELL)|GEM_\w+|BUNDLE_\w+|NODE_(?:PATH|REPL_EXTERNAL_MODULE|EXTRA_CA_CERTS)|LUA_\w+|PHPRC|PHP_INI_SCAN_DIR|R_\w+)$/,
  /^(?:_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GOFLAGS|GOROOT|GOTOOLDIR|CARGO_(?:HOME|TARGET_\w+|ALIAS_\w+|BUILD_\w+)|RUSTFLAGS|npm_config_(?!loglevel|yes|fund|audit|progress)\w+|NPM_CONFIG_(?!LOGLEVEL|YES|FUND|AUDIT|PROGRESS)\w+|COREPACK_\w+|YARN_\w+)$/i,
];

const HARMLESS_NODE =
  /^(?:\s*--(?:max-old-space-size|max-semi-space-size|stack-trace-limit|max-http-header-size|dns-result-order|unhandled-rejections|disable-warning|experimental-vm-modules|no-warnings|no-deprecation|trace-warnings|trace-deprecation|enable-source-maps|openssl-legacy-provider|preserve-symlinks)(?:=[\w.-]+)?\s*)*$/;

/** Variables of bash that compute whatever they are set to. */
const COMPUTED = /^(?:RANDOM|SRANDOM|SECONDS|OPTIND|HISTCMD|LINENO|EPOCHSECONDS|BASH_MONOSECONDS)$/;

interface Setting {
  readonly name: string;
  /** One word; undefined when there are several, or only running could tell. */
  readonly value: ShellWord | undefined;
  readonly raw: string;
  /** The command it stands in front of. */
  readonly prefixOf: string | undefined;
}

/** Notes what setting a variable changes about the commands that run. */
export function noteAssignment(walk: Walk, {name, value, raw, prefixOf}: Setting, position: Position): void {
  if (prefixOf === undefined || prefixOf === 'unset') setVariable(walk, name);
  if (prefixOf === 'unset') {
    if (/^(?:PATH|HOME|IFS)$/.test(name)) doubt(walk, `${name} changes what other commands run.`, raw);
  } else if (COMMANDS.has(name)) {
    if (value?.value !== undefined)
      walk.runText(value.value, {...position, via: [...position.via, name], input: {kind: 'open'}});
    else if (value) runWordAsText(walk, value, position);
    else doubt(walk, `${name} names a program, which is decided while it runs.`, raw);
  } else if (COMPUTED.test(name)) noteComputed(walk, name, raw);
  else if (isDecisive({name, value, raw, prefixOf}))
    (HIDING.test(name) ? doubt : doubtProgram)(walk, `${name} changes what other commands run.`, raw);
}

/** Variables that decide which files names mean; of `IFS` and `CDPATH` it is known where they count. */
const HIDING = /^(?:HOME|ENV|SHELLOPTS|BASHOPTS|BASH_\w+|GIT_\w+)$/;

function isDecisive({name, value, prefixOf}: Setting): boolean {
  if (name === 'IFS' && prefixOf === 'read') return false;
  const text = value?.value;
  if (name === 'NODE_OPTIONS') return text === undefined || !HARMLESS_NODE.test(text);
  if (/^GIT_CONFIG_(?:GLOBAL|SYSTEM)$/.test(name) && text === '/dev/null') return false;
  if (/^GIT_TRACE/.test(name)) return text === undefined || text.startsWith('/');
  return DECISIVE.some((pattern) => pattern.test(name)) || !/^[A-Za-z_]\w*$/.test(name);
}

/** Notes the variables that a computation may set. */
export function noteComputedSettings(walk: Walk, text: string, position: Position): void {
  if (!/=|\+\+|--/.test(text)) return;
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) fixVariable(walk, name);
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? [])
    if (isDecisive({name, value: undefined, raw: text, prefixOf: undefined}))
      noteAssignment(walk, {name, value: undefined, raw: text, prefixOf: undefined}, position);
}

/** Notes that whatever a variable is set to is computed with. */
export function noteComputed({flow}: Walk, name: string, text: string): void {
  noteUse(
    flow,
    'number',
    {names: [name], isOpen: false, scripts: []},
    {kind: 'dynamic', reason: 'It computes with a value from elsewhere, which could hold a command.', text},
  );
}
