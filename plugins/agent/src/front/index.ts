// What interfaces of a conversation in a terminal share, so that each decides only how it is drawn.
export type {Asking} from './asking.js';
export {chooseCompletion, findCompletion, type CommandPlaces, type Completion} from './complete.js';
export {Conversation} from './conversation.js';
export type {ConversationParts} from './conversation-parts.js';
export {describeCall, describeElapsed} from './describe.js';
export type {Bottom, BottomState, Completing, CompletingParts, Drawers, Reach} from './drawers.js';
export type {FilePlaces} from './find-files.js';
export {FormQuestion} from './form-question.js';
export {openParts, type FrontParts} from './open-parts.js';
export {PersonAtSeat} from './person-at-seat.js';
export {editProposal, proposalOf, textsOf, type Proposal} from './proposal.js';
export {wrapPieces} from './views/pieces.js';
export {previewLines} from './preview-text.js';
export {choicesOf, introduceCall, Question, type Asked, type Choice} from './question.js';
export {briefKept, wholeKept} from './kept-rules.js';
export type {Screen} from './screen.js';
export type {OpenView, Viewable, ViewEnds} from './views/open-view.js';
