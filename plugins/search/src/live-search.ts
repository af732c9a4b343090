import {stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {chooseEngine, openJavascriptEngine, type EngineContext} from './choose-engine.js';
import type {EngineInfo} from './contract.js';
import {
  EngineRefused,
  type Engine,
  type Matched,
  type MatchRequest,
  type Place,
  type Walked,
  type WalkRequest,
} from './engine/engine.js';
import {comparePaths} from './engine/path-order.js';
import type {ListRequest, Search} from './search.js';
import {sortPlaces, withLost} from './usable-places.js';
import {withSeparator} from './with-separator.js';

/** Searching in one session: the engine is chosen once, on first use. */
export class LiveSearch implements Search {
  readonly #context: EngineContext;
  readonly #choose: (context: EngineContext) => Promise<Engine>;
  #chosen: Promise<Engine> | undefined;
  #fallback: Promise<Engine> | undefined;

  constructor(context: EngineContext, choose = chooseEngine) {
    this.#context = context;
    this.#choose = choose;
  }

  async info(): Promise<EngineInfo> {
    return (await this.#engine()).info;
  }

  async places(path?: string): Promise<readonly Place[]> {
    const workspace = await this.#workspace();
    const roots = (await workspace.roots()).map((root) => root.path);
    if (path === undefined)
      return roots
        .map((root) => ({path: root, root, bases: [root] as const, isFile: false}))
        .sort((a, b) => comparePaths(a.path, b.path));
    // Of nested roots the innermost has the last word.
    const root = roots
      .filter((one) => path === one || path.startsWith(withSeparator(one)))
      .sort((a, b) => b.length - a.length)[0];
    const isFile = await stat(path).then(
      (found) => found.isFile(),
      (error: NodeJS.ErrnoException) => {
        // What has just vanished is searched in vain.
        if (error.code === undefined) throw error;
        return false;
      },
    );
    return [{path, root: root ?? dirname(path), bases: [isFile ? dirname(path) : path], isFile}];
  }

  async list(request: ListRequest): Promise<Walked> {
    const {meant, lost} = await this.#meant(request);
    const engine = await this.#engine();
    const told: (readonly string[])[] = [];
    const onPaths = (paths: readonly string[]): void => {
      told.push(paths);
      meant.onPaths(paths);
    };
    try {
      return withLost(await engine.list({...meant, onPaths}), lost);
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      const known = new Set(told.flat());
      const others = (paths: readonly string[]): void => meant.onPaths(paths.filter((path) => !known.has(path)));
      return withLost(await (await this.#javascript(error.message)).list({...meant, onPaths: others}), lost);
    }
  }

  async match(request: MatchRequest): Promise<Matched> {
    const {meant, lost} = await this.#meant(request);
    return withLost(await this.#matchIn(meant), lost);
  }

  async #matchIn(meant: MatchRequest): Promise<Matched> {
    const engine = await this.#engine();
    if (!engine.canMatch(meant.pattern))
      return (await this.#javascript('The pattern needs more than the other engine knows.')).match(meant);
    try {
      return await engine.match(meant);
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      return (await this.#javascript(error.message)).match(meant);
    }
  }

  /**
   * Each place once, and none that is ignored or lost. Patterns hold also from directories of the workspace around a
   * place.
   */
  async #meant<R extends WalkRequest>(request: R): Promise<{readonly meant: R; readonly lost: readonly string[]}> {
    const {places, ignore} = request;
    const {usable, lost} = await sortPlaces(places);
    const once = usable.filter(({path}, index) => usable.findIndex((other) => other.path === path) === index);
    const workspace = await this.#workspace();
    const asked = once.map(({path, isFile}) => (isFile ? path : withSeparator(path)));
    const ignored = ignore === false ? [] : await workspace.ignored(asked, ignore);
    const basesOf = ({path, bases}: Place): Place['bases'] => {
      const around = places
        .filter((other) => !other.isFile && (path === other.path || path.startsWith(withSeparator(other.path))))
        .flatMap((other) => other.bases);
      const [first, ...others] = bases;
      return [first, ...new Set([...others, ...around].filter((base) => base !== first))];
    };
    const kept = once.filter((_, index) => ignored[index] !== true).map((place) => ({...place, bases: basesOf(place)}));
    return {meant: {...request, places: kept}, lost};
  }

  #workspace(): Promise<Workspace> {
    return this.#context.service('workspace');
  }

  #engine(): Promise<Engine> {
    this.#chosen ??= this.#choose(this.#context).catch((error: unknown) => {
      // The next search tries again.
      this.#chosen = undefined;
      throw error;
    });
    return this.#chosen;
  }

  /** The engine that needs no other program. */
  #javascript(reason: string): Promise<Engine> {
    this.#fallback ??= openJavascriptEngine(this.#context, reason);
    return this.#fallback;
  }
}
