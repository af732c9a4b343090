import {resolve} from 'node:path';
import type {ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {IgnoreOptions, IgnoreRule, IgnoreSources, IgnoreWalk} from './contract.js';
import {expandHome} from './directory.js';
import type {IgnoreRules, IgnoreScope} from './ignore-rules.js';
import type {Roots} from './roots.js';
import {listOf} from './starting-roots.js';

/** What ignore files exclude, as configured. */
export class Ignoring {
  #rules: Promise<IgnoreRules> | undefined;

  constructor(
    private readonly context: Pick<ServiceContext, 'environment' | 'service' | 'tell'>,
    private readonly place: {readonly cwd: string; readonly roots: Roots},
  ) {}

  /** For each absolute path, the line that leaves it out. */
  async decide(paths: readonly string[], options: IgnoreOptions = {}): Promise<readonly (IgnoreRule | undefined)[]> {
    const [rules, scope] = await Promise.all([this.#load(), this.#scope(options)]);
    return rules.decide(paths, scope);
  }

  async walk(options: IgnoreOptions): Promise<IgnoreWalk> {
    const [rules, scope] = await Promise.all([this.#load(), this.#scope(options)]);
    return rules.walk(scope);
  }

  async sources(root: string, options: IgnoreOptions): Promise<IgnoreSources> {
    const [rules, scope] = await Promise.all([this.#load(), this.#scope(options)]);
    return rules.sources(root, scope);
  }

  #load(): Promise<IgnoreRules> {
    const {
      tell,
      environment: {platform},
    } = this.context;
    this.#rules ??= import('./ignore-rules.js').then(({IgnoreRules}) => new IgnoreRules({tell, platform}));
    return this.#rules;
  }

  async #scope(options: IgnoreOptions): Promise<IgnoreScope> {
    const settings = await this.context.service('settings');
    const [git, gemini, custom] = await Promise.all([
      settings.get('context.fileFiltering.respectGitIgnore'),
      settings.get('context.fileFiltering.respectGeminiIgnore'),
      settings.get('context.fileFiltering.customIgnoreFilePaths'),
    ]);
    const {home} = this.context.environment;
    return {
      roots: this.place.roots,
      git: options.git ?? git !== false,
      gemini: options.gemini ?? gemini !== false,
      custom: listOf(custom).map((file) => resolve(this.place.cwd, expandHome(file, home))),
    };
  }
}
