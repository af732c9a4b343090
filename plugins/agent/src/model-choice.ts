import {findNearest, KernelError} from '@gemini-kernel/kernel';
import type {Model} from './contract.js';

/** A model of a provider. */
export interface ChosenModel {
  readonly provider: string;
  /** As the provider is asked for it. */
  readonly name: string;
  readonly model: Model;
}

interface Providers {
  /** Names of the providers there are, without `model:`. */
  readonly names: readonly string[];
  open(provider: string): Promise<Model>;
}

/** The provider that a name without one means. */
const USUAL = 'gemini';

/** Finds the model that `provider:name`, or a name alone, means. Throws KernelError MODEL_UNKNOWN. */
export async function chooseModel(given: string, {names, open}: Providers): Promise<ChosenModel> {
  const [first = '', ...rest] = given.split(':');
  if (given.trim() === '' || (rest.length > 0 && rest.join(':').trim() === ''))
    throw new KernelError('MODEL_UNKNOWN', `"${given}" names no model.`, {
      hint: 'Write it as provider:model; gemini models lists what there is.',
    });
  if (rest.length > 0 && names.includes(first))
    return {provider: first, name: rest.join(':'), model: await open(first)};
  const provider = names.includes(USUAL) ? USUAL : names.length === 1 ? names[0] : undefined;
  if (provider === undefined) {
    const known =
      names.length > 0
        ? `Write it as provider:model. There are ${names.join(', ')}.`
        : 'Install a plugin that provides models.';
    throw new KernelError('MODEL_UNKNOWN', `No provider is named for the model ${given}.`, {hint: known});
  }
  if (rest.length > 0) {
    const near = findNearest(first, names);
    throw new KernelError('MODEL_UNKNOWN', `There is no provider ${first} for the model ${rest.join(':')}.`, {
      hint:
        near.length > 0
          ? `Did you mean ${near.map((name) => `${name}:${rest.join(':')}`).join(' or ')}?`
          : `There are ${names.join(', ')}.`,
    });
  }
  return {provider, name: given, model: await open(provider)};
}
