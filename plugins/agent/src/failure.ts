import type {ModelFailure, TurnEnd} from './contract.js';

/** The code of each kind of failure; see errors.ts. */
const codes = {
  auth: 'MODEL_AUTH',
  quota: 'MODEL_QUOTA',
  overloaded: 'MODEL_OVERLOADED',
  blocked: 'MODEL_BLOCKED',
  invalid: 'MODEL_REQUEST_INVALID',
  network: 'MODEL_UNREACHABLE',
} as const satisfies Record<ModelFailure['kind'], string>;

/** Converts a model's failure to an error of ours. */
export function describeFailure({kind, message, hint, status}: ModelFailure): NonNullable<TurnEnd['error']> {
  return {code: codes[kind], message, ...(hint ? {hint} : {}), ...(status === undefined ? {} : {status})};
}
