// What user interfaces in a terminal are made of. Nothing here knows an agent or a plugin.
export {Graphemes, fitWidth, widthOf} from './graphemes.js';
export {Keyboard, type TerminalModes} from './keyboard.js';
export {KeyBindings} from './bindings/key-bindings.js';
export type {KeyCommand, KeyPlace} from './bindings/key-commands.js';
export {keyHelp} from './bindings/key-help.js';
export {readKeyName, showKeyName} from './bindings/key-name.js';
export {readBindings, type ReadBindings} from './bindings/read-bindings.js';
export type {Key} from './keys.js';
export {columnAfter, inputText, layoutInput, type Layout} from './layout.js';
export {LineInput, type Act, type InputView, type LineSettings} from './line-input.js';
export type {Look} from './markdown/look.js';
export {paragraphMark, startParagraph} from './markdown/paragraph.js';
export {MarkdownStream} from './markdown/stream.js';
export {PromptHistory} from './prompt-history.js';
export {revealedLine, revealedText, safeLine, safeText} from './safe-text.js';
export {readTyped} from './slash-words.js';
export {createPaint, withoutStyle, type Paint, type Style} from './style.js';
