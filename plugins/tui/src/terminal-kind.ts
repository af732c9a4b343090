import type {Environment} from '@gemini-kernel/kernel';
import type {Reflow} from './screen/floating.js';

/** What is known about a terminal by its environment. */
export interface TerminalKind {
  /** Whether rows that leave a scroll region at the top of the screen reach the scrollback. */
  readonly hasRegions: boolean;
  readonly reflow: Reflow;
  /** Whether there is a second screen, which leaves history as it is. */
  readonly hasAlternate: boolean;
}

/** Recognises terminals that differ from what most do. */
export function recogniseTerminal({variables, platform}: Pick<Environment, 'variables' | 'platform'>): TerminalKind {
  const isZellij = variables['ZELLIJ'] !== undefined;
  const isLinuxConsole = variables['TERM'] === 'linux';
  return {
    // Zellij drops such rows; on Windows this was not tried.
    hasRegions: !isZellij && !isLinuxConsole && platform !== 'win32',
    reflow: reflowOf(variables),
    hasAlternate: !isLinuxConsole,
  };
}

function reflowOf(variables: Environment['variables']): Reflow {
  if (variables['TMUX'] !== undefined) return 'whole';
  if (variables['XTERM_VERSION'] !== undefined || variables['STY'] !== undefined) return 'none';
  return variables['TERM_PROGRAM'] === 'vscode' ? 'shifted' : 'whole';
}
