import type {KeyBindings} from './key-bindings.js';
import {showKeyName} from './key-name.js';

/** The keys to know, each with the commands it stands for. */
const rows: readonly (readonly [commands: readonly string[], says: string])[] = [
  [['input.submit'], 'send; while the agent works: send when it is done'],
  [['input.newline'], 'new line; \\ Enter too'],
  [['basic.quit'], 'stop the agent, or empty the prompt; twice: leave'],
  [['basic.cancel'], 'stop the agent'],
  [['basic.exit'], 'leave, when the prompt is empty'],
  [['cursor.up', 'cursor.down'], 'line up or down, then earlier prompts; on an empty prompt, Up edits queued lines'],
  [['history.search.start'], 'search earlier prompts'],
  [['app.cycleApprovalMode'], 'change the mode: default, auto_edit, plan'],
  [['suggest.expand'], 'complete a command, a path or an @file'],
  [['cursor.home', 'cursor.end'], 'start, end of the line'],
  [['cursor.right'], 'at the end of the text: take what is offered of an earlier prompt'],
  [['cursor.wordLeft', 'cursor.wordRight'], 'word back, word on'],
  [['edit.deleteRightAll', 'edit.deleteLeftAll', 'edit.deleteBlankLeft'], 'cut to the end, to the start, or a word'],
  [['edit.yank', 'edit.yankOlder'], 'insert the last cut, or an earlier one'],
  [['edit.undo', 'edit.redo'], 'undo, redo'],
  [['input.openExternalEditor'], 'write in $VISUAL or $EDITOR'],
  [['input.paste'], 'attach the image of the clipboard'],
  [['app.clearScreen'], 'clear the screen'],
  [['scroll.pageUp', 'scroll.pageDown', 'scroll.search'], 'in the whole window: look back, on, search in the history'],
  [['app.showMoreLines'], 'show all of the last shortened output; again: of the one before'],
  [['app.showOutputs'], 'look through what tools have printed'],
  [['app.showQueue'], 'change the lines that wait'],
  [['background.toggle'], 'while a command runs: send it to the background; /shells shows those that are there'],
  [['app.focusShellInput'], 'while a command runs: type into it; Shift+Tab gives the keys back'],
  [['app.suspend'], 'suspend; fg in the shell continues'],
];

/** The keys, for display; what no key is bound to is left out. */
export function keyHelp(bindings: KeyBindings): readonly (readonly [string, string])[] {
  return rows.flatMap(([commands, says]) => {
    const keys = commands.flatMap((name) => bindings.keysOf(name).slice(0, 1)).map(showKeyName);
    return keys.length === 0 ? [] : [[keys.join(', '), says] as const];
  });
}
