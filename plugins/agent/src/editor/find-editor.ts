import type {Environment} from '@gemini-kernel/kernel';
import type {Seat} from '../contract.js';

export const SETTING = 'general.preferredEditor';

/** Editors by their names in the settings, with the command that waits until a file is closed. */
export const EDITORS: Readonly<Record<string, {readonly label: string; readonly command: string}>> = {
  vscode: {label: 'VS Code', command: 'code --wait'},
  vscodium: {label: 'VSCodium', command: 'codium --wait'},
  windsurf: {label: 'Windsurf', command: 'windsurf --wait'},
  cursor: {label: 'Cursor', command: 'cursor --wait'},
  antigravity: {label: 'Antigravity', command: 'agy --wait'},
  zed: {label: 'Zed', command: 'zed --wait'},
  vim: {label: 'Vim', command: 'vim'},
  neovim: {label: 'Neovim', command: 'nvim'},
  emacs: {label: 'Emacs', command: 'emacs'},
  hx: {label: 'Helix', command: 'hx'},
};

interface EditorParts {
  readonly seat: Pick<Seat, 'service'>;
  readonly environment: Pick<Environment, 'variables'>;
}

/** The command of the person's editor: the one of the settings, VISUAL or EDITOR. A project has no say. */
export async function findEditor({seat, environment: {variables}}: EditorParts): Promise<string | undefined> {
  const preferred = await (await seat.service('settings')).getApart(SETTING);
  const known = typeof preferred === 'string' ? EDITORS[preferred] : undefined;
  return known?.command ?? (variables['VISUAL'] || variables['EDITOR'] || undefined);
}
