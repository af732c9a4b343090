import {isKernelError, type Tell} from '@gemini-kernel/kernel';
import {chooseModel, type ChosenModel} from './model-choice.js';
import {resolveConfig, type ModelConfigs} from './model-configs.js';
import type {Model, ModelAbilities} from './contract.js';

interface Providers {
  readonly names: readonly string[];
  open(provider: string): Promise<Model>;
  /** Models to fall back to that the settings name, `provider:model` each; undefined = as the provider says. */
  fallback(): Promise<readonly string[] | undefined>;
  configs(): Promise<ModelConfigs>;
  /** Tells the person about a model that is named and not there. */
  readonly tell: Tell;
}

/** A model as it will be asked. */
export interface FoundModel extends ChosenModel {
  readonly abilities: ModelAbilities;
  /** What the settings want sent along, in the provider's own words. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** `provider:model`. */
export function nameOf({provider, name}: Pick<ChosenModel, 'provider' | 'name'>): string {
  return `${provider}:${name}`;
}

/** A model as other programs know it: those of the usual provider have no prefix. */
export function plainName(model: string): string {
  return model.replace(/^gemini:/, '');
}

/** Which model is asked, and which ones after it when it cannot answer. */
export class ModelRoute {
  #chosen: string;
  /** Models that will not answer any more in this conversation. */
  readonly #gone = new Set<string>();
  readonly #said = new Set<string>();

  constructor(
    chosen: string,
    private readonly providers: Providers,
  ) {
    this.#chosen = chosen;
  }

  get chosen(): string {
    return this.#chosen;
  }

  /** Throws KernelError MODEL_UNKNOWN. */
  async choose(name: string): Promise<void> {
    await this.find(name);
    this.#chosen = name;
    this.#gone.clear();
  }

  /** The model that a name means, its alias resolved. Throws KernelError MODEL_UNKNOWN. */
  async find(name: string): Promise<FoundModel> {
    const {model, own} = resolveConfig(name, await this.providers.configs());
    const chosen = await chooseModel(model, this.providers);
    const abilities = await chosen.model.describe(chosen.name);
    return {...chosen, name: abilities.model, abilities, own};
  }

  /** The models to try, the chosen one first. */
  async candidates(): Promise<readonly FoundModel[]> {
    const first = await this.find(this.#chosen);
    const others =
      (await this.providers.fallback()) ?? first.abilities.fallback.map((name) => `${first.provider}:${name}`);
    const found = [first];
    for (const other of others) {
      const model = await this.#findFallback(other);
      if (model && !found.some((known) => nameOf(known) === nameOf(model))) found.push(model);
    }
    const left = found.filter((model) => !this.#gone.has(nameOf(model)));
    return left.length > 0 ? left : [first];
  }

  /** A model of the chain; one that is not there is said, and the chain is shorter. */
  async #findFallback(name: string): Promise<FoundModel | undefined> {
    try {
      return await this.find(name);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (!this.#said.has(name))
        this.providers.tell({
          code: 'MODEL_FALLBACK_UNUSABLE',
          sentence: `model.fallback names ${name}, which cannot be asked: ${error.message}`,
        });
      this.#said.add(name);
      return undefined;
    }
  }

  /** Does not ask a model again in this conversation. */
  giveUp(model: ChosenModel): void {
    this.#gone.add(nameOf(model));
  }
}
