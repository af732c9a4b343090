import type {Environment, FormReply, SentForm} from '@gemini-kernel/kernel';
import type {KeyBindings, LineInput} from '@gemini-kernel/terminal';
import type {Outputs} from '../outputs.js';
import type {Screen} from '../screen.js';
import type {Speaker} from '../speaker.js';
import type {Viewing} from '../views/viewing.js';
import {copyAnswer} from './copy.js';
import {chooseEditor} from './choose-editor.js';
import {HelpView} from './help-view.js';
import {chooseTheme, type ThemeParts} from './themes.js';
import {toggleVim} from './vim-mode.js';
import type {Seat, SlashCommand} from '../../contract.js';

export interface OwnParts extends ThemeParts {
  readonly screen: Pick<Screen, 'hasWindow'>;
  readonly environment: Environment;
  readonly seat: Seat;
  readonly speaker: Speaker;
  readonly input: LineInput;
  readonly keys: KeyBindings;
  commands(): Promise<readonly SlashCommand[]>;
  readonly viewing: Viewing;
  readonly outputs: Outputs;
  /** Ends the conversation. */
  leave(): void;
  /** Asks the person; undefined without one. */
  fill(form: SentForm): Promise<FormReply | undefined>;
}

/** Commands of the interface itself that need more than the screen, by name. */
export type Own = Readonly<Record<string, (words: readonly string[]) => Promise<void>>>;

export function ownOf(parts: OwnParts): Own {
  return {
    copy: (words) => copyAnswer(words.slice(1).join(' '), parts),
    help: () =>
      parts.viewing.showList(
        new HelpView({keys: parts.keys, commands: parts.commands, insert: (text) => parts.input.set(text)}),
      ),
    editor: (words) => chooseEditor(words.slice(1).join(' '), parts),
    output: () => parts.viewing.showList(parts.outputs),
    quit: async () => parts.leave(),
    exit: async () => parts.leave(),
    vim: () => toggleVim(parts),
    theme: (words) => chooseTheme(words.slice(1).join(' '), {...parts, hasPreview: parts.screen.hasWindow === true}),
  };
}
