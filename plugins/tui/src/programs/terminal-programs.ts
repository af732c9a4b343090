import type {Environment} from '@gemini-kernel/kernel';

type Variables = Environment['variables'];

/** What is known about a terminal program beside what it answers; most of it was not tried. */
export interface TerminalProgram {
  readonly name: string;
  /** Whether another terminal shows it. */
  readonly isInside?: true;
  /** Whether it belongs to VS Code or a fork of it, whose keys are in a file. */
  readonly isEditor?: true;
  /** How Shift+Enter arrives as a key of its own; without it, what helps everywhere is said. */
  readonly newline?: string;
  readonly focus?: string;
  readonly frames?: string;
  /** Whether programs may write the clipboard (OSC 52). */
  readonly clipboard?: 'yes' | 'no';
  /** What allows it. */
  readonly clipboardFix?: string;
}

interface Known extends TerminalProgram {
  isIn(variables: Variables): boolean;
}

const NO_CLIPBOARD = 'It has no such setting; over ssh, copy with the mouse.';

/** Programs inside of others come first: they decide what reaches gemini. */
const PROGRAMS: readonly Known[] = [
  {
    name: 'tmux',
    isInside: true,
    isIn: ({TMUX}) => TMUX !== undefined,
    newline: 'Add to ~/.tmux.conf: set -s extended-keys on. Until then use Ctrl+J.',
    focus: 'Add to ~/.tmux.conf: set -g focus-events on',
    frames: 'tmux 3.5 and later pass frames on.',
    clipboardFix: 'Add to ~/.tmux.conf: set -s set-clipboard on; the terminal around tmux must allow it, too.',
  },
  {
    name: 'GNU screen',
    isInside: true,
    isIn: ({STY}) => STY !== undefined,
    newline: 'screen does not pass it on: use Ctrl+J, Alt+Enter or a backslash before Enter.',
    clipboard: 'no',
    clipboardFix: 'screen does not pass it on; copy with the mouse, or use tmux.',
  },
  {
    name: 'Zellij',
    isInside: true,
    isIn: ({ZELLIJ}) => ZELLIJ !== undefined,
    newline: 'Set support_kitty_keyboard_protocol true in its config.kdl; the terminal around it must know it, too.',
    clipboard: 'yes',
  },
  {
    name: 'VS Code',
    isEditor: true,
    isIn: ({TERM_PROGRAM}) => TERM_PROGRAM === 'vscode',
    newline: 'Run gemini terminal-setup: it adds the key to keybindings.json. VS Code 1.109 and later need nothing.',
    clipboard: 'yes',
  },
  {
    name: 'JetBrains',
    isIn: ({TERMINAL_EMULATOR = ''}) => /jetbrains/i.test(TERMINAL_EMULATOR),
    clipboard: 'no',
    clipboardFix: NO_CLIPBOARD,
  },
  {
    name: 'iTerm2',
    isIn: ({TERM_PROGRAM}) => TERM_PROGRAM === 'iTerm.app',
    newline:
      'Update iTerm2; or Settings > Profiles > Keys > Key Mappings: Shift+Return sends the escape sequence [13;2u',
    clipboardFix: 'Settings > General > Selection: allow that applications in terminal access the clipboard.',
  },
  {
    name: 'Apple Terminal',
    isIn: ({TERM_PROGRAM}) => TERM_PROGRAM === 'Apple_Terminal',
    newline:
      'Settings > Profiles > Keyboard: use Option as Meta key; then Option+Return is a new line. Ctrl+J always works.',
    clipboard: 'no',
    clipboardFix: NO_CLIPBOARD,
  },
  {
    name: 'WezTerm',
    isIn: ({TERM_PROGRAM, WEZTERM_PANE}) => TERM_PROGRAM === 'WezTerm' || WEZTERM_PANE !== undefined,
    newline: 'Add to wezterm.lua: config.enable_kitty_keyboard = true',
    clipboard: 'yes',
  },
  {
    name: 'Ghostty',
    isIn: ({TERM_PROGRAM, GHOSTTY_RESOURCES_DIR}) => TERM_PROGRAM === 'ghostty' || GHOSTTY_RESOURCES_DIR !== undefined,
    newline: 'Remove lines with keybind = shift+enter=… from its config.',
    clipboard: 'yes',
    clipboardFix: 'Set clipboard-write = allow in its config.',
  },
  {
    name: 'kitty',
    isIn: ({TERM, KITTY_WINDOW_ID}) => TERM === 'xterm-kitty' || KITTY_WINDOW_ID !== undefined,
    newline: 'Remove lines with map shift+enter from kitty.conf.',
    clipboard: 'yes',
    clipboardFix: 'Have write-clipboard in clipboard_control of kitty.conf.',
  },
  {
    name: 'Alacritty',
    isIn: ({TERM, ALACRITTY_WINDOW_ID}) => TERM === 'alacritty' || ALACRITTY_WINDOW_ID !== undefined,
    newline: 'Update to Alacritty 0.13 or later.',
    clipboard: 'yes',
    clipboardFix: 'Set osc52 = "OnlyCopy" below [terminal] in alacritty.toml.',
  },
  {name: 'foot', isIn: ({TERM = ''}) => /^foot\b/.test(TERM), clipboard: 'yes'},
  {
    name: 'Windows Terminal',
    isIn: ({WT_SESSION}) => WT_SESSION !== undefined,
    newline:
      'Add to "actions" of its settings.json: ' +
      '{"command": {"action": "sendInput", "input": "\\u001b[13;2u"}, "keys": "shift+enter"}',
    clipboard: 'yes',
  },
  {
    name: 'Konsole',
    isIn: ({KONSOLE_VERSION}) => KONSOLE_VERSION !== undefined,
    newline: 'Edit Current Profile > Keyboard > Edit: let Return+Shift send \\E[13;2u',
  },
  {
    name: 'a terminal of VTE, such as GNOME Terminal',
    isIn: ({VTE_VERSION}) => VTE_VERSION !== undefined,
    clipboard: 'no',
    clipboardFix: NO_CLIPBOARD,
  },
  {
    name: 'xterm',
    isIn: ({XTERM_VERSION}) => XTERM_VERSION !== undefined,
    newline: 'Add to ~/.Xresources: XTerm*allowModifyOps: true',
    clipboard: 'no',
    clipboardFix: 'Add to ~/.Xresources: XTerm*disallowedWindowOps: 20,21,SetXprop',
  },
  {
    name: 'the Linux console',
    isIn: ({TERM}) => TERM === 'linux',
    clipboard: 'no',
    clipboardFix: 'It has no clipboard.',
  },
];

/** The programs that show this terminal, the innermost first. What a multiplexer was started in may be gone. */
export function findPrograms(variables: Variables): readonly TerminalProgram[] {
  const found = PROGRAMS.filter((one) => one.isIn(variables));
  const outer = found.find(({isInside}) => !isInside);
  return [...found.filter(({isInside}) => isInside), ...(outer ? [outer] : [])];
}
