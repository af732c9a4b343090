import type {ModelConfig, Role} from './contract.js';
import type {Schema} from './fitting-answer.js';

interface Wishes {
  readonly role: Role | undefined;
  /** How much the model should think; undefined: as it decides. */
  readonly thoughtLevel: string | undefined;
  /** What the answer must match. */
  readonly form: Schema | undefined;
  /** Of the settings, in the provider's own words. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** The options of a request. */
export function requestConfig({role, thoughtLevel, form, own}: Wishes): ModelConfig {
  return {
    ...role?.config,
    ...(thoughtLevel === undefined ? {} : {thoughtLevel}),
    ...(form ? {answer: form} : {}),
    ...(Object.keys(own).length > 0 ? {own} : {}),
  };
}
