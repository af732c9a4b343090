import type {IdeInfo} from '../protocol.js';
import {EXTENSION, installableEditors} from './installable-editors.js';

const GUIDE = 'docs/write-a-companion.md shows how an editor becomes a companion.';

/** What a person does themselves for an editor that has no command line to install with. */
export function adviceFor({name, displayName}: IdeInfo): string {
  if (name === 'neovim') return 'gemini ide neovim --install has every Neovim start the companion by itself.';
  if (name === 'vscodefork' || name === 'devin' || name === 'replit' || name === 'cloudshell') {
    const names = installableEditors.map((one) => one.name).join(', ');
    return (
      `Add the extension ${EXTENSION} in its view of extensions, if it takes extensions of VS Code. If it is one of ` +
      `${names}, gemini ide install does it by that name.`
    );
  }
  return (
    `There is no companion of ${displayName} that gemini could install. Look among its plugins for one of Gemini ` +
    `CLI; ${GUIDE}`
  );
}

/** Editors that are known by name, but not installed into. */
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
