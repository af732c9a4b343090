// For plugins whose texts a model follows: cases that say what a run with them has to do.
export {readCases, type Case, type Invalid} from './read-cases.js';
export {runCase, type CaseResult, type CaseRun, type RunReport} from './run-case.js';
