import type {IdeInfo} from '../protocol.js';
import {EXTENSION, installableEditors} from './installable-editors.js';

const GUIDE = 'see docs/write-a-companion.md for how to write one.';

/** What to do for an editor without a command line to install with. */
export function adviceFor({name, displayName}: IdeInfo): string {
  if (name === 'neovim')
    return 'Run gemini ide neovim --install; every Neovim then starts the companion automatically.';
  if (name === 'vscodefork' || name === 'devin' || name === 'replit' || name === 'cloudshell') {
    const names = installableEditors.map((one) => one.name).join(', ');
    return (
      `Add the extension ${EXTENSION} in its Extensions view, if it supports extensions of VS Code. If it is one of ` +
      `${names}, run gemini ide install with that name.`
    );
  }
  return (
    `gemini cannot install a companion for ${displayName}. Look for a Gemini CLI plugin in its marketplace, or ` + GUIDE
  );
}

/** Editors that are known by name but cannot be installed into. */
export const otherEditors: readonly IdeInfo[] = [
  {name: 'neovim', displayName: 'Neovim'},
  {name: 'zed', displayName: 'Zed'},
  {name: 'sublimetext', displayName: 'Sublime Text'},
  {name: 'xcode', displayName: 'Xcode'},
  {name: 'jetbrains', displayName: 'JetBrains IDE'},
  {name: 'emacs', displayName: 'Emacs'},
  {name: 'vim', displayName: 'Vim'},
  {name: 'helix', displayName: 'Helix'},
];
