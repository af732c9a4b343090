import {join} from 'node:path';
import {provide, type ServiceContext, type SessionInfo} from '@gemini-kernel/kernel';
import type {Policy} from '@gemini-kernel/plugin-policy/contract';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {
  folderPlaces,
  identityOf,
  isInside,
  projectPlaces,
  readPlace,
  type ContextSettings,
  type Place,
} from '../context-files.js';
import type {ContextFile, ExplainedLine, Fact, Memory, Proposal} from '../contract.js';
import {explainLines, type Candidate} from '../facts/explain.js';
import {tokensOf} from '../facts/check.js';
import {FactKeeper} from '../facts/fact-keeper.js';
import {findImports, type Judge} from '../imports.js';
import budget from '../settings/budget.js';

const USUAL = 'GEMINI.md';
const PRIVATE = 'MEMORY.md';

/** Context files of one session, read on first use. */
export default provide('memory', {
  version: '1.1.0',
  scope: 'session',
  capability: 'fs:write',
  methods: ['explain', 'files', 'keep', 'meet', 'propose', 'reload', 'takeReloaded'],
  create: (context): Memory => new SessionMemory(context),
});

/** Checks the rules as if a model read the file; files that need approval are left out too. */
function judgeBy(policy: Policy, session: SessionInfo): Judge {
  return async (path) => {
    const call = {
      id: 'memory',
      tool: 'read_file',
      effect: 'read',
      annotations: {readOnlyHint: true},
      input: {file_path: path},
      touches: [{kind: 'path', value: path, access: 'read'}],
      session,
    } as const;
    const {decision, reason} = await policy.judge(call);
    return decision === 'allow' ? undefined : `it may not be read without approval (${reason})`;
  };
}

/** Places of private notes about a project; only the first file counts. */
function privatePlaces(temporary: string, names: readonly string[]): readonly Place[] {
  const root = join(temporary, 'memory');
  return [PRIVATE, ...names].map((name): Place => ({tier: 'private', root, path: join(root, name)}));
}

class SessionMemory implements Memory {
  /** Files that the model already has, by their real names. */
  readonly #met = new Set<string>();
  readonly #folders: Place[] = [];
  #reloaded: readonly ContextFile[] = [];
  /** Parallel calls meet a folder one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  readonly #keeper: FactKeeper;

  constructor(private readonly context: Pick<ServiceContext, 'environment' | 'service' | 'session' | 'tell'>) {
    this.#keeper = new FactKeeper({
      places: (scope) => this.#placesOf(scope),
      files: () => this.files(),
      isSecret: async (text) => (await context.service('secrets')).suspects(text),
      origin: () => ({day: new Date().toISOString().slice(0, 10), by: `session ${context.session.id.slice(0, 8)}`}),
    });
  }

  propose(fact: Fact): Promise<Proposal> {
    return this.#keeper.propose(fact);
  }

  keep(fact: Fact): Promise<Proposal> {
    return this.#keeper.keep(fact);
  }

  async explain(text: string): Promise<readonly ExplainedLine[]> {
    const {service} = this.context;
    const given = await this.files();
    const candidates: Candidate[] = given.map((file) => ({file}));
    const settings = await this.#settings();
    for (const place of [...(await this.#ownPlaces(settings)), ...(await this.#projectPlaces(settings))]) {
      if (given.some(({path}) => path === place.path) || (await identityOf(place.path)) === undefined) continue;
      candidates.push({
        file: {tier: place.tier, path: place.path, text: '', imports: [], faults: []},
        leftOut: place.tier === 'private' ? 'only the first private file counts' : 'the folder is not trusted',
      });
    }
    const secrets = await service('secrets');
    const lines = await explainLines(text, candidates, findImports);
    return Promise.all(lines.map(async (line) => ({...line, text: (await secrets.redact(line.text)).text})));
  }

  async files(): Promise<readonly ContextFile[]> {
    const settings = await this.#settings();
    const places = [...(await this.#fixedPlaces(settings)), ...this.#folders];
    const files = await this.#read(places, settings, new Set());
    await this.#weigh(files);
    return files;
  }

  meet(paths: readonly string[]): Promise<readonly ContextFile[]> {
    const turn = this.#last.then(() => this.#meet(paths));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #meet(paths: readonly string[]): Promise<readonly ContextFile[]> {
    const {service} = this.context;
    if (!(await (await service('trust')).may('context-files'))) return [];
    const settings = await this.#settings();
    if (this.#met.size === 0) await this.#read(await this.#fixedPlaces(settings), settings, this.#met);
    const roots = (await (await service('workspace')).roots()).map(({path}) => path);
    const places: Place[] = [];
    for (const path of paths) {
      // A path belongs to the longest root that contains it.
      const root = roots.filter((one) => isInside(path, one)).sort((a, b) => b.length - a.length)[0];
      if (root) places.push(...(await folderPlaces(path, root, settings)));
    }
    const found = await this.#read(places, settings, this.#met);
    this.#folders.push(
      ...found.map(({path}) => places.find((place) => place.path === path)).filter((place) => place !== undefined),
    );
    return found;
  }

  async reload(): Promise<readonly ContextFile[]> {
    this.#met.clear();
    const settings = await this.#settings();
    const files = await this.#read([...(await this.#fixedPlaces(settings)), ...this.#folders], settings, this.#met);
    this.#reloaded = files.filter(({tier}) => tier === 'project' || tier === 'folder');
    return files;
  }

  takeReloaded(): Promise<readonly ContextFile[]> {
    const files = this.#reloaded;
    this.#reloaded = [];
    return Promise.resolve(files);
  }

  /** Places of the files that apply to the whole session. */
  async #fixedPlaces(settings: ContextSettings): Promise<readonly Place[]> {
    const own = await this.#ownPlaces(settings);
    const isTrusted = await (await this.context.service('trust')).may('context-files');
    return isTrusted ? [...own, ...(await this.#projectPlaces(settings))] : own;
  }

  /** Places of the person's own files. */
  async #ownPlaces({names}: ContextSettings): Promise<readonly Place[]> {
    const {service} = this.context;
    const own = this.#ownFolder();
    const global = names.map((name): Place => ({tier: 'global', root: own, path: join(own, name)}));
    const temporary = (await (await service('project')).find())?.temporary;
    return temporary === undefined ? global : [...global, ...privatePlaces(temporary, names)];
  }

  async #projectPlaces(settings: ContextSettings): Promise<readonly Place[]> {
    const roots = await (await this.context.service('workspace')).roots();
    const projects = await Promise.all(roots.map(({path}) => projectPlaces(path, settings, this.#ownFolder())));
    return projects.flat();
  }

  /** Where facts of a scope may stand, the usual place first. */
  async #placesOf(scope: Fact['scope']): Promise<readonly Place[]> {
    const {service} = this.context;
    const settings = await this.#settings();
    if (scope === 'private') return privatePlaces((await (await service('project')).claim()).temporary, settings.names);
    if (scope === 'global') return (await this.#ownPlaces(settings)).filter(({tier}) => tier === 'global');
    if (!(await (await service('trust')).may('context-files'))) return [];
    const [root] = await (await service('workspace')).roots();
    return root
      ? settings.names.map((name): Place => ({tier: 'project', root: root.path, path: join(root.path, name)}))
      : [];
  }

  #ownFolder(): string {
    return join(this.context.environment.home, '.gemini');
  }

  /** Reads existing files that are not yet in `seen`; of the private files only the first counts. */
  async #read(places: readonly Place[], settings: ContextSettings, seen: Set<string>): Promise<readonly ContextFile[]> {
    const {
      service,
      session,
      environment: {home},
    } = this.context;
    const secrets = await service('secrets');
    const judge = judgeBy(await service('policy'), session);
    const files: ContextFile[] = [];
    for (const place of places) {
      const identity = await identityOf(place.path);
      if (identity === undefined || seen.has(identity)) continue;
      if (place.tier === 'private' && files.some(({tier}) => tier === 'private')) continue;
      const file = await readPlace(place, {...settings, judge, home, tell: (sentence) => this.#tell(sentence)});
      if (!file) continue;
      seen.add(identity);
      files.push({...file, text: (await secrets.redact(file.text)).text});
    }
    return files;
  }

  async #weigh(files: readonly ContextFile[]): Promise<void> {
    const most = Number(await (await this.context.service('settings')).get(budget.key));
    const tokens = files.reduce((sum, {text}) => sum + tokensOf(text), 0);
    if (most === 0 || tokens <= most) return;
    const sentence =
      `The context files have about ${most} tokens or more (context.memoryBudget), and go with every request. ` +
      'gemini memory check shows which.';
    this.context.tell({code: 'CONTEXT_LARGE', sentence, once: sentence});
  }

  /** Reports a sentence once per session. */
  #tell(sentence: string): void {
    this.context.tell({code: 'CONTEXT_FILE_LEFT_OUT', sentence, once: sentence});
  }

  async #settings(): Promise<ContextSettings> {
    const settings = await this.context.service('settings');
    const [given, markers, format] = await Promise.all(
      ['context.fileName', 'context.memoryBoundaryMarkers', 'context.importFormat'].map((key) => settings.get(key)),
    );
    // A plain name, not a path to somewhere else.
    const names = [given]
      .flat()
      .filter((name): name is string => typeof name === 'string' && name.trim() !== '' && !/[\\/]|^\.\.?$/.test(name));
    return {
      names: names.length > 0 ? [...new Set(names)] : [USUAL],
      markers: Array.isArray(markers) ? markers.filter((marker) => typeof marker === 'string') : ['.git'],
      flat: format === 'flat',
    };
  }
}
