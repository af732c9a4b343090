import {isAbsolute, resolve, win32} from 'node:path';
import {KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {keepAgreed, revokeAgreed} from './agreed-directories.js';
import type {RemoveResult} from './contract.js';
import {expandHome, expandNames, findDirectories, type FoundDirectory} from './directory.js';
import {INCLUDE_DIRECTORIES, listOf} from './starting-roots.js';

type Scope = 'project' | 'user';
type Context = Pick<ServiceContext, 'environment' | 'service'>;

/** The directories that the settings of a project or of the user name. */
export class KeptDirectories {
  constructor(
    private readonly context: Context,
    /** Real path of the project. */
    private readonly project: string,
  ) {}

  /** The real paths of existing ones. */
  async paths(scope: Scope): Promise<readonly string[]> {
    return findDirectories((await this.#written(scope)).texts, this.#place).paths;
  }

  /**
   * Adds directories to the settings. Project settings keep the typed text if it means the same on every machine with
   * the project: a path relative to the project, to the home directory, or with a variable.
   */
  async add(directories: readonly FoundDirectory[], scope: Scope): Promise<void> {
    const settings = await this.context.service('settings');
    const {platform} = this.context.environment;
    const texts = directories.map(({given, path}) => (scope === 'user' ? path : spellForAnyone(given, path, platform)));
    await settings.append(INCLUDE_DIRECTORIES, texts, {scope});
  }

  /** Records that the person agreed to directories outside the project. */
  async agree(paths: readonly string[]): Promise<void> {
    const outside = paths.filter((path) => path !== this.project);
    if (outside.length > 0) await keepAgreed(await this.#agreement(), outside);
  }

  /** Removes directories from the settings, and the agreement for them. Throws KernelError DIRECTORY_NOT_KEPT. */
  async remove(paths: readonly string[], scope: Scope): Promise<RemoveResult> {
    const {texts, from} = await this.#written(scope);
    const written = texts.map((text) => ({text, path: this.#pathOf(text)}));
    const wanted = paths.map((given) => ({given, path: this.#pathOf(given)}));
    const meant = wanted.map(({given, path}) => written.filter((one) => one.text === given || one.path === path));
    const missing = wanted.filter((_, index) => meant[index]?.length === 0);
    if (missing.length > 0)
      throw notKept(
        missing.map(({given}) => given),
        scope,
        from,
      );
    const settings = await this.context.service('settings');
    const removed = [...new Set(meant.flat())];
    const {path: file} = await settings.remove(
      INCLUDE_DIRECTORIES,
      removed.map(({text}) => text),
      {scope},
    );
    if (scope === 'project')
      await revokeAgreed(
        await this.#agreement(),
        removed.map(({path}) => path),
      );
    return {removed: removed.map(({path}) => path), from: file};
  }

  async #written(scope: Scope): Promise<{readonly texts: readonly string[]; readonly from: string | undefined}> {
    const {layers} = await (await this.context.service('settings')).explain(INCLUDE_DIRECTORIES);
    const layer = layers.find((one) => one.layer === (scope === 'project' ? 'workspace' : 'user'));
    return {texts: listOf(layer?.value), from: layer?.source};
  }

  /** The real path, or where it would be. */
  #pathOf(given: string): string {
    const {home, variables} = this.context.environment;
    const [found] = findDirectories([given], {...this.#place, variables, withClosed: true}).paths;
    return found ?? resolve(this.project, expandHome(expandNames(given, variables), home));
  }

  get #place(): {readonly home: string; readonly from: string} {
    return {home: this.context.environment.home, from: this.project};
  }

  async #agreement(): Promise<Parameters<typeof keepAgreed>[0]> {
    const {environment, service} = this.context;
    return {files: await service('config-files'), environment, project: this.project};
  }
}

function spellForAnyone(given: string, path: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return isAbsolute(given) ? path : given;
  // A drive-relative path such as `c:lib` depends on the machine too.
  return win32.isAbsolute(given) || /^[a-z]:/i.test(given) ? path : given.replaceAll('\\', '/');
}

function notKept(given: readonly string[], scope: Scope, from: string | undefined): KernelError {
  const names = given.map((one) => JSON.stringify(one)).join(', ');
  const place = from === undefined ? `the ${scope} settings` : from;
  return new KernelError('DIRECTORY_NOT_KEPT', `${INCLUDE_DIRECTORIES} in ${place} does not contain ${names}.`, {
    hint: 'Run `gemini directory show` to see which file names a directory. Use --scope user for your own settings.',
  });
}
