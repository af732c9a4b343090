import {emptyFile} from './platform.js';

/** No program may page. */
const UNPAGED: Readonly<Record<string, string>> = {
  GEMINI_CLI: '1',
  TERM: 'xterm-256color',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
};
/** Without a terminal, no program may ask for a password, or open a window to ask for one. */
const QUIET: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GH_PROMPT_DISABLED: '1',
  GCM_INTERACTIVE: 'never',
};
/** Options of the user's own bash that would change what a command means. */
const SHELL_OPTIONS = ['SHELLOPTS', 'BASHOPTS'];

/** The environment of a command. With `isolateGit`, git sees neither the user's nor the system's configuration. */
export function commandVariables(
  given: Readonly<Record<string, string>>,
  {
    isolateGit,
    platform,
    hasTerminal = false,
  }: {readonly isolateGit: boolean; readonly platform: NodeJS.Platform; readonly hasTerminal?: boolean},
): Record<string, string> {
  const nothing = emptyFile(platform);
  const isolation: Record<string, string> = isolateGit
    ? {GIT_CONFIG_GLOBAL: nothing, GIT_CONFIG_SYSTEM: nothing, GIT_CONFIG_NOSYSTEM: '1'}
    : {};
  const variables = {...given, ...UNPAGED, ...(hasTerminal ? {} : QUIET), ...isolation};
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !SHELL_OPTIONS.includes(name)));
}

/** The withheld variables that a command uses, or that the output of a failed command names. */
export function findMissed(
  withheld: readonly string[],
  {command, output}: {readonly command: string; readonly output: string | undefined},
): readonly string[] {
  const named = output?.replace(/\[redacted: [^\]]*\]/g, '') ?? '';
  // There may be thousands of names, so each text is read once.
  const asked = new Set([...command.matchAll(/(?:\$env:|\$\{?|%)(\w+)/gi)].map(([, name = '']) => name.toLowerCase()));
  const words = new Set(named.match(/\w+/g));
  return withheld.filter((name) => {
    if (/\W/.test(name)) return isNamed(name, {command, named});
    return asked.has(name.toLowerCase()) || (name.includes('_') && words.has(name));
  });
}

/** The same for a name that is more than a word. */
function isNamed(name: string, {command, named}: {readonly command: string; readonly named: string}): boolean {
  const plain = name.replace(/[^\w]/g, '\\$&');
  const isAsked = new RegExp(`(?:\\$\\{?|\\$env:|%)${plain}(?!\\w)`, 'i').test(command);
  return isAsked || (name.includes('_') && new RegExp(`(?<!\\w)${plain}(?!\\w)`).test(named));
}
