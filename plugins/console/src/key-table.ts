/** What a key does in the prompt: an edit by its name, or something that the prompt does itself. */
export const keyTable: Readonly<Record<string, string>> = {
  left: 'left', 'ctrl+b': 'left', right: 'right', 'ctrl+f': 'right',
  'alt+b': 'word-left', 'ctrl+left': 'word-left', 'alt+left': 'word-left', 'alt+f': 'word-right', 'ctrl+right': 'word-right', 'alt+right': 'word-right',
  home: 'line-start', 'ctrl+a': 'line-start', end: 'line-end', 'ctrl+e': 'line-end', 'ctrl+home': 'text-start', 'ctrl+end': 'text-end',
  backspace: 'delete-left', 'shift+backspace': 'delete-left', 'ctrl+h': 'delete-left', delete: 'delete-right',
  'ctrl+k': 'kill-line', 'ctrl+u': 'kill-line-left', 'alt+d': 'kill-word', 'ctrl+delete': 'kill-word',
  'alt+backspace': 'kill-word-left', 'ctrl+backspace': 'kill-word-left', 'ctrl+w': 'kill-blank-left',
  'ctrl+y': 'yank', 'alt+y': 'yank-older', 'ctrl+t': 'swap',
  'ctrl+z': 'undo', 'ctrl+_': 'undo', 'ctrl+shift+z': 'redo', 'alt+z': 'redo',
  'ctrl+j': 'newline', 'alt+enter': 'newline', 'shift+enter': 'newline', 'ctrl+enter': 'newline',
  enter: 'submit', tab: 'complete', up: 'up', 'ctrl+p': 'up', down: 'down', 'ctrl+n': 'down', 'ctrl+r': 'search', 'ctrl+l': 'clear', 'ctrl+g': 'editor',
  'ctrl+c': 'interrupt', 'ctrl+d': 'end', escape: 'escape',
};

/** The keys, for people. */
export const keyHelp: readonly (readonly [string, string])[] = [
  ['Enter', 'send; while the agent works: send when it is done'],
  ['Alt+Enter, Ctrl+J, \\ Enter', 'new line (Shift+Enter where the terminal tells it apart)'],
  ['Ctrl+C', 'stop the agent, or empty the prompt; twice: leave'],
  ['Esc', 'stop the agent'],
  ['Ctrl+D', 'leave, when the prompt is empty'],
  ['Up, Down', 'line up or down, then earlier prompts'],
  ['Ctrl+R', 'search earlier prompts'],
  ['Tab', 'complete a command, a path or an @file'],
  ['Ctrl+A, Ctrl+E', 'start, end of the line'],
  ['Alt+B, Alt+F', 'word back, word on'],
  ['Ctrl+K, Ctrl+U, Ctrl+W', 'cut to the end, to the start, a word'],
  ['Ctrl+Y, Alt+Y', 'put back what was cut, or what was cut before'],
  ['Ctrl+Z, Alt+Z', 'undo, redo'],
  ['Ctrl+G', 'write in $VISUAL or $EDITOR'],
  ['Ctrl+L', 'clear the screen'],
];
