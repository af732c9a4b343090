import {posix, win32} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';

/** VS Code and its forks, by the short names of editors, with the folder of their settings. */
export const EDITORS: Readonly<Record<string, {readonly name: string; readonly folder: string}>> = {
  vscode: {name: 'VS Code', folder: 'Code'},
  'vscode-insiders': {name: 'VS Code Insiders', folder: 'Code - Insiders'},
  vscodium: {name: 'VSCodium', folder: 'VSCodium'},
  cursor: {name: 'Cursor', folder: 'Cursor'},
  windsurf: {name: 'Windsurf', folder: 'Windsurf'},
  antigravity: {name: 'Antigravity', folder: 'Antigravity'},
  positron: {name: 'Positron', folder: 'Positron'},
  trae: {name: 'Trae', folder: 'Trae'},
};

type Where = Pick<Environment, 'home' | 'platform' | 'variables'>;

/** The folder in which an editor keeps its keys; it makes that when it is started first. */
export function keysFolder(editor: string, {home, platform, variables}: Where): string {
  const folder = EDITORS[editor]?.folder ?? 'Code';
  const {join, isAbsolute} = platform === 'win32' ? win32 : posix;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', folder, 'User');
  if (platform === 'win32') return join(variables['APPDATA'] ?? join(home, 'AppData', 'Roaming'), folder, 'User');
  const config = variables['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(config) ? config : join(home, '.config'), folder, 'User');
}

/** Whether the window of the editor is on another machine than this shell: its keys are there, too. */
export function isElsewhere({variables}: Pick<Where, 'variables'>): boolean {
  const signs = ['SSH_CONNECTION', 'WSL_DISTRO_NAME', 'REMOTE_CONTAINERS', 'CODESPACES'];
  return signs.some((name) => Boolean(variables[name]));
}
