/**
 * Where a key has a meaning: in a history that gemini scrolls itself, in the prompt, before that while a tool runs, in
 * the search of the prompt, in a list of suggestions, or in a list of choices.
 */
export type KeyPlace = 'history' | 'prompt' | 'running' | 'search' | 'suggestions' | 'list';

/** What a key can be bound to. */
export interface KeyCommand {
  /** The name in `keybindings.json`. */
  readonly name: string;
  readonly place: KeyPlace;
  /** What the command does in its place: an edit, or an action of its owner. */
  readonly act: string;
  readonly keys: readonly string[];
  readonly summary: string;
}

type Row = readonly [act: string, summary: string, ...keys: readonly string[]];

const rows: Readonly<Record<KeyPlace, Readonly<Record<string, Row>>>> = {
  prompt: {
    'cursor.left': ['left', 'one character left', 'left', 'ctrl+b'],
    'cursor.right': ['right', 'one character right', 'right', 'ctrl+f'],
    'cursor.wordLeft': ['word-left', 'one word left', 'alt+b', 'ctrl+left', 'alt+left'],
    'cursor.wordRight': ['word-right', 'one word right', 'alt+f', 'ctrl+right', 'alt+right'],
    'cursor.home': ['line-start', 'start of the line', 'ctrl+a', 'home'],
    'cursor.end': ['line-end', 'end of the line', 'ctrl+e', 'end'],
    'cursor.textStart': ['text-start', 'start of the prompt', 'ctrl+home'],
    'cursor.textEnd': ['text-end', 'end of the prompt', 'ctrl+end'],
    'cursor.up': ['up', 'line up, then earlier prompts; on an empty prompt, edits queued lines', 'up'],
    'cursor.down': ['down', 'line down, then later prompts', 'down'],
    'edit.deleteLeft': ['delete-left', 'delete left', 'backspace', 'shift+backspace', 'ctrl+h'],
    'edit.deleteRight': ['delete-right', 'delete right', 'delete'],
    'edit.deleteRightAll': ['kill-line', 'cut to the end of the line', 'ctrl+k'],
    'edit.deleteLeftAll': ['kill-line-left', 'cut to the start of the line', 'ctrl+u'],
    'edit.deleteWordRight': ['kill-word', 'cut the word right', 'alt+d', 'ctrl+delete', 'alt+delete'],
    'edit.deleteWordLeft': ['kill-word-left', 'cut the word left', 'alt+backspace', 'ctrl+backspace'],
    'edit.deleteBlankLeft': ['kill-blank-left', 'cut left up to a blank', 'ctrl+w'],
    'edit.yank': ['yank', 'insert the last cut', 'ctrl+y'],
    'edit.yankOlder': ['yank-older', 'replace an inserted cut by the one before', 'alt+y'],
    'edit.swap': ['swap', 'swap two characters', 'ctrl+t'],
    'edit.undo': ['undo', 'undo', 'alt+z', 'ctrl+_'],
    'edit.redo': ['redo', 'redo', 'alt+shift+z', 'ctrl+shift+z'],
    'input.newline': ['newline', 'new line', 'alt+enter', 'ctrl+j', 'shift+enter', 'ctrl+enter'],
    'input.submit': ['submit', 'send; while the agent works: send when it is done', 'enter'],
    'input.openExternalEditor': ['editor', 'write in $VISUAL or $EDITOR', 'ctrl+g', 'ctrl+shift+g'],
    'input.paste': ['paste', 'attach the image of the clipboard', 'ctrl+v', 'alt+v'],
    'history.previous': ['earlier', 'earlier prompt', 'ctrl+p'],
    'history.next': ['later', 'later prompt', 'ctrl+n'],
    'history.search.start': ['search', 'search earlier prompts', 'ctrl+r'],
    'suggest.expand': ['complete', 'complete a command, a path or an @file', 'tab'],
    'app.cycleApprovalMode': ['mode', 'change the mode: default, auto_edit, plan', 'shift+tab'],
    'app.clearScreen': ['clear', 'clear the screen', 'ctrl+l'],
    'app.showMoreLines': ['unfold', 'show all of the last shortened output; again: of the one before', 'ctrl+o'],
    'app.showOutputs': ['outputs', 'look through what tools have printed', 'alt+o'],
    'app.showQueue': ['queue', 'change the lines that wait', 'alt+q'],
    'app.suspend': ['suspend', 'suspend gemini; `fg` in the shell continues', 'ctrl+z'],
    'basic.quit': ['interrupt', 'stop the agent, or empty the prompt; twice: leave', 'ctrl+c'],
    'basic.exit': ['end', 'leave, when the prompt is empty; else delete right', 'ctrl+d'],
    'basic.cancel': ['escape', 'stop the agent', 'escape'],
  },
  history: {
    'scroll.up': ['up', 'one row back', 'shift+up'],
    'scroll.down': ['down', 'one row on', 'shift+down'],
    'scroll.pageUp': ['page-up', 'a window back', 'pageup'],
    'scroll.pageDown': ['page-down', 'a window on', 'pagedown'],
    'scroll.home': ['first', 'to the start', 'shift+home'],
    'scroll.end': ['last', 'to the end', 'shift+end'],
    'scroll.search': ['search', 'search; again: the match before', 'f3', 'alt+s'],
  },
  running: {
    'background.toggle': ['background', 'send the running command to the background', 'ctrl+b'],
    'app.focusShellInput': ['type', 'type into the running command; Shift+Tab: back to the prompt', 'tab'],
  },
  search: {
    'history.search.submit': ['take', 'put the match into the prompt', 'enter'],
    'history.search.accept': ['take', 'put the match into the prompt', 'tab'],
    'history.search.start': ['older', 'next match', 'ctrl+r'],
    'edit.deleteLeft': ['delete-left', 'delete left', 'backspace', 'ctrl+h'],
    'basic.cancel': ['cancel', 'back to the prompt', 'escape', 'ctrl+g', 'ctrl+c'],
  },
  suggestions: {
    'suggest.accept': ['take', 'insert the marked entry', 'tab'],
    'suggest.confirm': ['confirm', 'insert the entry that you marked', 'enter'],
    'suggest.focusPrevious': ['up', 'previous entry', 'up', 'ctrl+p'],
    'suggest.focusNext': ['down', 'next entry', 'down', 'ctrl+n'],
    'basic.cancel': ['close', 'close the list', 'escape'],
  },
  list: {
    'basic.confirm': ['confirm', 'choose', 'enter'],
    'nav.up': ['up', 'previous entry', 'up', 'ctrl+p'],
    'nav.down': ['down', 'next entry', 'down', 'ctrl+n'],
    'dialog.up': ['up', 'previous entry', 'k'],
    'dialog.down': ['down', 'next entry', 'j'],
    'scroll.pageUp': ['page-up', 'ten entries up', 'pageup'],
    'scroll.pageDown': ['page-down', 'ten entries down', 'pagedown'],
    'scroll.home': ['first', 'first entry', 'home'],
    'scroll.end': ['last', 'last entry', 'end'],
    'basic.cancel': ['close', 'close without an answer', 'escape'],
  },
};

/** Commands and their standard keys, with the names that Gemini CLI uses where it has the command. */
export function keyCommands(): readonly KeyCommand[] {
  return Object.entries(rows).flatMap(([place, commands]) =>
    Object.entries(commands).map(([name, [act, summary, ...keys]]) => ({
      name,
      place: place as KeyPlace,
      act,
      keys,
      summary,
    })),
  );
}

/** Commands of Gemini CLI that have no counterpart here. Their bindings are read, and do nothing. */
export const foreignCommands: ReadonlySet<string> = new Set([
  'edit.clear',
  'input.queueMessage',
  'input.deprecatedOpenExternalEditor',
  'suggest.collapse',
  'dialog.next',
  'dialog.previous',
  'app.showErrorDetails',
  'app.showFullTodos',
  'app.showIdeContextDetail',
  'app.toggleMarkdown',
  'app.toggleCopyMode',
  'app.toggleMouseMode',
  'app.toggleYolo',
  'app.expandPaste',
  'app.unfocusShellInput',
  'app.showShellUnfocusWarning',
  'app.restart',
  'app.dumpFrame',
  'app.startRecording',
  'app.stopRecording',
  'app.voiceModePTT',
  'background.toggleList',
  'background.kill',
  'background.select',
  'background.escape',
  'background.unfocus',
  'background.unfocusList',
  'background.unfocusWarning',
  'extension.update',
  'extension.link',
]);
