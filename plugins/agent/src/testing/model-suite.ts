import type {ModelUnderTest} from './model-under-test.js';
import {callCases} from './model-call-cases.js';
import {failureCases} from './model-failure-cases.js';
import {leavingCases} from './model-leaving-cases.js';
import {requestCases} from './model-request-cases.js';
import {streamCases} from './model-stream-cases.js';
import type {ScriptedAnswer, SeenRequest} from './scripted-answer.js';

/** What some kinds of models lack; their cases are left out. `connection`: there is no connection to break. */
export type ModelTopic = 'thoughts' | 'signatures' | 'answer-form' | 'malformed-calls' | 'connection' | 'refusals';

/** A provider with the scripted server that replaces its API. */
export interface ModelSuiteOptions {
  /** Opens a new provider that uses the server. */
  open(): Promise<ModelUnderTest>;
  /** Sets the answers to the next requests. */
  script(answers: readonly ScriptedAnswer[]): void;
  /** The requests so far, the newest last. */
  requests(): readonly SeenRequest[];
  /** Continues the server's stalled answers. */
  release(): void;
  /** A model that the provider accepts. */
  readonly model: string;
  readonly without?: readonly ModelTopic[];
  /** The time limit of one step; 5 seconds by default. */
  readonly patienceMs?: number;
}

/** One promise of the contract: `run` throws an AssertionError with the expectation when the provider breaks it. */
export interface ModelCase {
  readonly title: string;
  run(): Promise<void>;
}

/**
 * The promises that every model provider keeps, for any test runner: `for (const {title, run} of createModelSuite(…))
 * test(title, run)`. Run them one after the other.
 */
export function createModelSuite(options: ModelSuiteOptions): readonly ModelCase[] {
  const cases = [...streamCases, ...callCases, ...requestCases, ...failureCases, ...leavingCases];
  return cases
    .filter(({topic}) => topic === undefined || !options.without?.includes(topic))
    .map(({title, run}) => ({title, run: () => run(options)}));
}
