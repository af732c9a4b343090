// The suite that every model provider passes. It includes no test runner.
export {createModelSuite, type ModelCase, type ModelSuiteOptions, type ModelTopic} from './model-suite.js';
export type * from './model-under-test.js';
export type * from './scripted-answer.js';
