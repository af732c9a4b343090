// For plugins whose texts a model follows: cases that say what a run with them has to do.
export {readCases, type Case, type Invalid} from './read-cases.js';
export {describeResult, runCases, type Tested} from './run-cases.js';
export type {CaseResult, RunReport} from './run-case.js';
