import type {ModelUnderTest} from './model-under-test.js';
import {callCases} from './model-call-cases.js';
import {failureCases} from './model-failure-cases.js';
import {leavingCases} from './model-leaving-cases.js';
import {requestCases} from './model-request-cases.js';
import {streamCases} from './model-stream-cases.js';
import type {ScriptedAnswer, SeenRequest} from './scripted-answer.js';

/**
 * What some kinds of models do not have; their cases are left out. `connection`: nothing is sent, so nothing can break
 * off.
 */
export type ModelTopic = 'thoughts' | 'signatures' | 'answer-form' | 'malformed-calls' | 'connection' | 'refusals';

/** A provider with the scripted server that stands for its API. */
export interface ModelSuiteOptions {
  /** Opens the provider anew, so that it asks the server. */
  open(): Promise<ModelUnderTest>;
  /** What the server says to the next requests. */
  script(answers: readonly ScriptedAnswer[]): void;
  /** What the server has been asked so far, the newest last. */
  requests(): readonly SeenRequest[];
  /** Lets the server's stalled answers go on. */
  release(): void;
  /** A model that the provider takes. */
  readonly model: string;
  readonly without?: readonly ModelTopic[];
  /** How long one step may take; 5 seconds unless stated. */
  readonly patienceMs?: number;
}

/** One promise of the contract: `run` throws an AssertionError, saying what was expected, when it is not kept. */
export interface ModelCase {
  readonly title: string;
  run(): Promise<void>;
}

/**
 * The promises that every provider of models keeps, for any test runner: `for (const {title, run} of
 * createModelSuite(…)) test(title, run)`. Run them one after the other.
 */
export function createModelSuite(options: ModelSuiteOptions): readonly ModelCase[] {
  const cases = [...streamCases, ...callCases, ...requestCases, ...failureCases, ...leavingCases];
  return cases
    .filter(({topic}) => topic === undefined || !options.without?.includes(topic))
    .map(({title, run}) => ({title, run: () => run(options)}));
}
