// For programs that run prompts without a person at a terminal: the SDK, and servers of other protocols.
export {createEventReport} from './event-report.js';
export type {Finish, Report} from './report.js';
export {runHeadless} from './run-headless.js';
