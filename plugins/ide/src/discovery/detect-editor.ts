import type {Environment} from '@gemini-kernel/kernel';
import type {IdeInfo} from '../protocol.js';
import type {Ancestor} from './ancestor.js';
import {SHELLS} from './find-ide-pid.js';

type Variables = Environment['variables'];

interface Known extends IdeInfo {
  /** One of these variables is set, or has this value (`NAME=value`). */
  readonly signs: readonly string[];
}

/** In order: forks of VS Code set its variables too. */
const known: readonly Known[] = [
  {name: 'antigravity', displayName: 'Antigravity', signs: ['ANTIGRAVITY_CLI_ALIAS']},
  {name: 'devin', displayName: 'Devin', signs: ['__COG_BASHRC_SOURCED']},
  {name: 'replit', displayName: 'Replit', signs: ['REPLIT_USER']},
  {name: 'cursor', displayName: 'Cursor', signs: ['CURSOR_TRACE_ID']},
  {name: 'codespaces', displayName: 'GitHub Codespaces', signs: ['CODESPACES']},
  {name: 'cloudshell', displayName: 'Cloud Shell', signs: ['EDITOR_IN_CLOUD_SHELL', 'CLOUD_SHELL']},
  {name: 'trae', displayName: 'Trae', signs: ['TERM_PRODUCT=Trae']},
  {name: 'firebasestudio', displayName: 'Firebase Studio', signs: ['MONOSPACE_ENV']},
  {name: 'positron', displayName: 'Positron', signs: ['POSITRON=1']},
  {name: 'neovim', displayName: 'Neovim', signs: ['NVIM']},
  {name: 'sublimetext', displayName: 'Sublime Text', signs: ['TERM_PROGRAM=sublime']},
  {name: 'zed', displayName: 'Zed', signs: ['ZED_SESSION_ID', 'TERM_PROGRAM=Zed']},
  {name: 'xcode', displayName: 'Xcode', signs: ['XCODE_VERSION_ACTUAL']},
  {name: 'jetbrains', displayName: 'JetBrains IDE', signs: []},
  {name: 'vscode', displayName: 'VS Code', signs: ['TERM_PROGRAM=vscode']},
];

const jetBrains: readonly (readonly [string, string, string])[] = [
  ['idea', 'intellijidea', 'IntelliJ IDEA'],
  ['webstorm', 'webstorm', 'WebStorm'],
  ['pycharm', 'pycharm', 'PyCharm'],
  ['goland', 'goland', 'GoLand'],
  ['studio', 'androidstudio', 'Android Studio'],
  ['clion', 'clion', 'CLion'],
  ['rustrover', 'rustrover', 'RustRover'],
  ['datagrip', 'datagrip', 'DataGrip'],
  ['phpstorm', 'phpstorm', 'PhpStorm'],
];

const forks: readonly (readonly [string, string, string])[] = [
  ['code-insiders', 'vscode-insiders', 'VS Code Insiders'],
  ['code - insiders', 'vscode-insiders', 'VS Code Insiders'],
  ['codium', 'vscodium', 'VSCodium'],
  ['windsurf', 'windsurf', 'Windsurf'],
];

function isIn({name, signs}: Known, variables: Variables): boolean {
  if (name === 'jetbrains') return isJetBrains(variables);
  return signs.some((sign) => {
    const [variable = '', value] = sign.split('=');
    return value === undefined ? Boolean(variables[variable]) : variables[variable] === value;
  });
}

function isJetBrains({TERMINAL_EMULATOR}: Variables): boolean {
  return TERMINAL_EMULATOR?.toLowerCase().includes('jetbrains') ?? false;
}

/**
 * The variables of a fork remain in a plain terminal opened from it, so the terminal itself has to indicate the editor.
 */
function isEditorTerminal(variables: Variables): boolean {
  const {TERM_PROGRAM = '', ZED_SESSION_ID, XCODE_VERSION_ACTUAL, NVIM} = variables;
  return (
    ['vscode', 'sublime', 'Zed'].includes(TERM_PROGRAM) ||
    Boolean(ZED_SESSION_ID) ||
    Boolean(XCODE_VERSION_ACTUAL) ||
    Boolean(NVIM) ||
    isJetBrains(variables)
  );
}

/**
 * The editor that this terminal belongs to, by its variables and its parent process; undefined when it does not belong
 * to one.
 */
export function detectEditor(variables: Variables, chain: readonly Ancestor[]): IdeInfo | undefined {
  if (!isEditorTerminal(variables)) return undefined;
  const {name, displayName} = known.find((one) => isIn(one, variables)) ?? {name: 'vscode', displayName: 'VS Code'};
  // A shell may be configured to set the variables of an editor that has long ended.
  const commands = chain
    .slice(1)
    .filter((one) => !SHELLS.has(one.name))
    .map(({command}) => command.toLowerCase());
  if (name === 'vscode') return detectFork(commands) ?? {name, displayName};
  if (name !== 'jetbrains') return {name, displayName};
  const found = jetBrains.find(([mark]) => commands.some((command) => command.includes(mark)));
  return found ? {name: found[1], displayName: found[2]} : {name, displayName};
}

/**
 * Forks claim in their variables to be VS Code. The processes above the shell are more exact, but not visible
 * everywhere, such as in a container.
 */
function detectFork(commands: readonly string[]): IdeInfo | undefined {
  const found = forks.find(([mark]) => commands.some((command) => command.includes(mark)));
  if (found) return {name: found[1], displayName: found[2]};
  const isUnheardOf = commands.length > 0 && !commands.some((command) => command.includes('code'));
  return isUnheardOf ? {name: 'vscodefork', displayName: 'IDE'} : undefined;
}
