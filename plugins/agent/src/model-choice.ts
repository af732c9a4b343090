import {findNearest, KernelError} from '@gemini-kernel/kernel';
import type {Model} from './contract.js';

/** A model of a provider. */
export interface ChosenModel {
  readonly provider: string;
  /** The name for the provider. */
  readonly name: string;
  readonly model: Model;
}

interface Providers {
  /** Names of the installed providers, without `model:`. */
  readonly names: readonly string[];
  open(provider: string): Promise<Model>;
}

/** The provider for names without one. */
const USUAL = 'gemini';

/** Resolves `provider:name`, or a name alone. Throws KernelError MODEL_UNKNOWN. */
export async function chooseModel(given: string, {names, open}: Providers): Promise<ChosenModel> {
  const [first = '', ...rest] = given.split(':');
  if (given.trim() === '' || (rest.length > 0 && rest.join(':').trim() === ''))
    throw new KernelError('MODEL_UNKNOWN', `"${given}" does not name a model.`, {
      hint: 'Write it as provider:model. gemini models lists the available models.',
    });
  if (rest.length > 0 && names.includes(first))
    return {provider: first, name: rest.join(':'), model: await open(first)};
  const provider = usualOf(names);
  if (provider === undefined) throw unnamedProvider(given, names);
  if (rest.length > 0) throw unknownProvider(first, rest.join(':'), names);
  return {provider, name: given, model: await open(provider)};
}

function usualOf(names: readonly string[]): string | undefined {
  return names.includes(USUAL) ? USUAL : names.length === 1 ? names[0] : undefined;
}

function unnamedProvider(given: string, names: readonly string[]): KernelError {
  const hint =
    names.length > 0
      ? `Write it as provider:model. Installed providers: ${names.join(', ')}.`
      : 'Install a plugin that provides models.';
  return new KernelError('MODEL_UNKNOWN', `The model ${given} needs a provider.`, {hint});
}

function unknownProvider(provider: string, name: string, names: readonly string[]): KernelError {
  const near = findNearest(provider, names);
  return new KernelError('MODEL_UNKNOWN', `There is no provider ${provider} for the model ${name}.`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.map((one) => `${one}:${name}`).join(' or ')}?`
        : `Installed providers: ${names.join(', ')}.`,
  });
}
