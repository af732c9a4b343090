export {startCompanion, type Companion, type CompanionOptions} from './companion/start-companion.js';
export type {CompanionEditor} from './companion/diff-book.js';
export type {IdeInfo, OpenFile} from './protocol.js';
