import {isTable} from '../config/is-table.js';
import type {ServerOrigin} from '../contract.js';

/** How often a server may ask the model, and for how many tokens in all, while the program runs. */
export interface SamplingLimits {
  readonly requests: number;
  readonly tokens: number;
}

const USUAL: SamplingLimits = {requests: 20, tokens: 100_000};

/** Reads the key `sampling` of a server; a text says what is wrong. A project cannot spend a person's tokens. */
export function readSampling(value: unknown, {layer}: ServerOrigin): SamplingLimits | string | undefined {
  if (value === undefined || value === false) return undefined;
  if (layer === 'workspace') return 'sampling can be switched on only in user or system settings';
  if (value === true) return USUAL;
  if (!isTable(value)) return 'sampling must be true, false or an object with requests and tokens';
  const {requests = USUAL.requests, tokens = USUAL.tokens} = value;
  if (!isCount(requests) || !isCount(tokens)) return 'sampling.requests and sampling.tokens must be positive numbers';
  return {requests, tokens};
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}
