import {isKernelError, KernelError, type Tell} from '@gemini-kernel/kernel';
import {chooseModel, type ChosenModel} from './model-choice.js';
import {resolveConfig, type ModelConfigs} from './model-configs.js';
import type {Model, ModelAbilities} from './contract.js';
import {AUTO} from './current-model.js';

interface Providers {
  readonly names: readonly string[];
  open(provider: string): Promise<Model>;
  /** The fallback models from the settings, each `provider:model`; undefined = the provider's own chain. */
  fallback(): Promise<readonly string[] | undefined>;
  configs(): Promise<ModelConfigs>;
  /** Warns about a named model that does not exist. */
  readonly tell: Tell;
}

/** A resolved model. */
export interface FoundModel extends ChosenModel {
  readonly abilities: ModelAbilities;
  /** The request options from the settings, in the provider's own words. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** `provider:model`. */
export function nameOf({provider, name}: Pick<ChosenModel, 'provider' | 'name'>): string {
  return `${provider}:${name}`;
}

/** The level of thinking that is asked of a model: the chosen one, if the model has it. */
export function levelFor({thoughtLevels = []}: ModelAbilities, level: string): string | undefined {
  return thoughtLevels.includes(level) ? level : undefined;
}

/** The name of a model for other programs: models of the default provider have no prefix. */
export function plainName(model: string): string {
  return model.replace(/^gemini:/, '');
}

/** Resolves which model to ask, and which ones to try after it. */
export class ModelRoute {
  #chosen: string;
  #thoughtLevel = AUTO;
  /** Models that are not asked again in this conversation. */
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

  /** The level of thinking that was chosen last, which a model may not have. */
  get thoughtLevel(): string {
    return this.#thoughtLevel;
  }

  /** The way to another model, with the same providers. */
  other(name: string): ModelRoute {
    return new ModelRoute(name, this.providers);
  }

  /** Throws KernelError MODEL_UNKNOWN. */
  async choose(name: string): Promise<void> {
    await this.find(name);
    this.#chosen = name;
    this.#gone.clear();
  }

  /** Throws KernelError THOUGHT_LEVEL_UNKNOWN for a level that the chosen model does not have. */
  async think(level: string): Promise<void> {
    const found = await this.find(this.#chosen);
    const {thoughtLevels: levels = []} = found.abilities;
    if (level !== AUTO && !levels.includes(level))
      throw new KernelError('THOUGHT_LEVEL_UNKNOWN', `${nameOf(found)} has no thought level "${level}".`, {
        hint: levels.length > 0 ? `It has: ${[AUTO, ...levels].join(', ')}.` : 'It decides itself how much it thinks.',
      });
    this.#thoughtLevel = level;
  }

  /** The model of a name, with its alias resolved. Throws KernelError MODEL_UNKNOWN. */
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

  /** A model of the chain; a missing one causes a warning and is skipped. */
  async #findFallback(name: string): Promise<FoundModel | undefined> {
    try {
      return await this.find(name);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (!this.#said.has(name))
        this.providers.tell({
          code: 'MODEL_FALLBACK_UNUSABLE',
          sentence: `Cannot use ${name} from model.fallback: ${error.message}`,
        });
      this.#said.add(name);
      return undefined;
    }
  }

  /** Excludes a model for the rest of this conversation. */
  giveUp(model: ChosenModel): void {
    this.#gone.add(nameOf(model));
  }
}
