import type {Environment} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {TerminalModes} from '@gemini-kernel/terminal';
import {FOCUS_MODES, openNotifier} from './notifier.js';
import {hasProgress, Progress, PROGRESS_OFF} from './progress.js';
import type {Sign} from './sign.js';
import {openTitle, TITLE_MODES} from './title.js';

/** What shows outside of the screen what the conversation waits for. */
export interface Signs {
  readonly all: readonly Sign[];
  /** What they switch on in the terminal, and off again. */
  readonly modes: TerminalModes;
  /** The window got or lost the focus. */
  focus(isFocused: boolean): void;
  /** Another program had the terminal. */
  forget(): void;
}

interface SignParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Pick<Environment, 'variables'>;
  write(text: string): unknown;
}

/** Prepares the signs that the person wants and the terminal knows. */
export async function openSigns({folder, settings, environment, write}: SignParts): Promise<Signs> {
  const [title, notifier] = await Promise.all([
    openTitle({folder, write}, settings),
    openNotifier({folder, write}, settings, environment),
  ]);
  const progress = hasProgress(environment) ? new Progress(write) : undefined;
  const modes = [
    ...(title ? [TITLE_MODES] : []),
    ...(notifier ? [FOCUS_MODES] : []),
    ...(progress ? [{on: '', off: PROGRESS_OFF}] : []),
  ];
  return {
    all: [title, notifier, progress].filter((sign) => sign !== undefined),
    modes: {on: modes.map(({on}) => on).join(''), off: modes.map(({off}) => off).join('')},
    focus: (isFocused) => notifier?.focus(isFocused),
    forget: () => title?.forget(),
  };
}
