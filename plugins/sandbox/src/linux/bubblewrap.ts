import {join} from 'node:path';
import {readRegularSync} from '@gemini-kernel/files';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {
  Confined,
  ConfineRequest,
  Descriptor,
  EncloseRequest,
  ExitConnection,
  ExitWatch,
  ModeLimits,
  Plan,
  Program,
} from '../contract.js';
import {Exits, type WayOut} from '../exit/exits.js';
import {filterFile, type Machine} from '../seccomp/filter-file.js';
import {LIMIT, RELAY} from '../starter/way.js';
import {starterFile} from '../starter/starter-file.js';
import {bwrapArguments, closingArguments} from './bwrap-arguments.js';
import {inheritedDescriptors} from './inherited-descriptors.js';
import {MadeNames} from './made-names.js';
import {makePlan, outermost} from './make-plan.js';
import {planEnclosure} from './plan-enclosure.js';
import {ProtectedTree, type Protected} from './protected-tree.js';
import {makeSessionFolder, removeSessionFolder, type SessionFolder} from './session-folder.js';
import {realOrSame} from './real-of.js';
import {innerVariables} from './inner-variables.js';

/** Where arguments, the filter and the starter are read from; what others left open is covered. */
const ARGUMENTS = 3;
const FILTER = 4;
const STARTER = 5;
/** Where the starter is inside. */
const STARTED_BY = '/run/gemini-start';

/** Confines programs by bubblewrap, for one place. */
export class Bubblewrap {
  readonly #trees = new Map<string, ProtectedTree>();
  readonly #made = new MadeNames();
  readonly #exits: Exits;
  #folder: SessionFolder | undefined;
  #filter: string | undefined;
  #starter: string | undefined;

  constructor(
    private readonly file: string,
    private readonly host: {
      readonly machine: Machine;
      readonly pid: number;
      readonly user: number;
      readonly environment: Pick<Environment, 'home' | 'temporary' | 'variables'>;
    },
    report: (connection: ExitConnection) => void = () => undefined,
  ) {
    this.#exits = new Exits(report);
  }

  async confine(request: ConfineRequest, limits: ModeLimits = {}, watch?: ExitWatch): Promise<Confined> {
    const plan = await this.plan(request, limits);
    const {path} = this.#ownFolder();
    const way = hasExit(plan, request, watch) ? await this.#exits.open(plan, path, watch) : undefined;
    return this.#confined({...request, variables: {HOME: this.#home(), ...request.variables}}, plan, way);
  }

  async enclose(request: EncloseRequest): Promise<Confined> {
    const found = new Map<string, Protected>();
    for (const root of outermost(request.roots)) found.set(root, await this.#tree(root).read());
    const plan = planEnclosure({...request, home: this.#home(), protected: found, made: this.#made});
    const {reach} = plan.network;
    const watch: ExitWatch = {
      decide: () => request.hosts.includes('*'),
      report: (connection) => request.report?.(connection),
      signal: request.signal,
    };
    const way = reach === 'none' ? undefined : await this.#exits.open(plan, this.#ownFolder().path, watch);
    return this.#confined(request, plan, way);
  }

  #confined(request: Program, plan: Plan, way: WayOut | undefined): Confined {
    const {empty} = this.#ownFolder();
    const variables = {...request.variables, ...way?.variables};
    const {outer, inner} = innerVariables(variables);
    const letters = this.#letters(way !== undefined);
    const {file, args} = request;
    const words = [
      ...bwrapArguments({...plan, mounts: [...plan.mounts, ...(way?.mounts ?? [])]}, empty),
      ...inner.flatMap(([name, value]) => ['--setenv', name, value]),
      ...(letters === '' ? [] : ['--perms', '0555', '--ro-bind-data', String(STARTER), STARTED_BY]),
      ...closingArguments(plan),
      ...['--chdir', request.cwd, '--seccomp', String(FILTER)],
    ];
    return {
      file: this.file,
      args: ['--args', String(ARGUMENTS), '--', ...(letters === '' ? [] : [STARTED_BY, letters]), file, ...args],
      cwd: '/',
      variables: outer,
      descriptors: this.#descriptors(words, letters !== ''),
    };
  }

  async plan({roots, mode, grants = []}: Omit<ConfineRequest, keyof Program>, limits: ModeLimits = {}): Promise<Plan> {
    const {home: own} = this.host.environment;
    const found = new Map<string, Protected>();
    for (const root of outermost(roots)) found.set(root, await this.#tree(root).read());
    const folder = this.#ownFolder();
    return makePlan({
      roots,
      mode,
      limits,
      grants,
      home: this.#home(),
      settings: join(realOrSame(own), '.gemini'),
      temporary: folder.temporary,
      protected: found,
      made: this.#made,
    });
  }

  close(): void {
    this.#exits.close();
    for (const tree of this.#trees.values()) tree.close();
    this.#made.close();
    if (this.#folder) removeSessionFolder(this.#folder.path);
    this.#folder = undefined;
  }

  /** Processes are counted for each person in a namespace of users, and the kernel does not count those of root. */
  #letters(hasWay: boolean): string {
    return `${this.host.user === 0 ? '' : LIMIT}${hasWay ? RELAY : ''}`;
  }

  #home(): string {
    const {variables, home} = this.host.environment;
    return realOrSame(variables['HOME'] || home);
  }

  #tree(root: string): ProtectedTree {
    const known = this.#trees.get(root) ?? new ProtectedTree(root);
    this.#trees.set(root, known);
    return known;
  }

  #ownFolder(): SessionFolder {
    try {
      return (this.#folder ??= makeSessionFolder(realOrSame(this.host.environment.temporary), this.host.pid));
    } catch (cause) {
      throw new KernelError(
        'SANDBOX_UNAVAILABLE',
        `No folder for the sandbox can be made in ${this.host.environment.temporary}.`,
        {cause, hint: 'Free space there, or set TMPDIR to a folder that you can write.'},
      );
    }
  }

  #descriptors(words: readonly string[], isStarted: boolean): readonly Descriptor[] {
    const {machine} = this.host;
    this.#filter ??= readRegularSync(filterFile(machine)).toString('base64');
    if (isStarted) this.#starter ??= readRegularSync(starterFile(machine)).toString('base64');
    return [
      {fd: ARGUMENTS, data: Buffer.from(words.map((word) => `${word}\0`).join('')).toString('base64')},
      {fd: FILTER, data: this.#filter},
      ...(isStarted && this.#starter !== undefined ? [{fd: STARTER, data: this.#starter}] : []),
      ...inheritedDescriptors()
        .filter((fd) => fd > (isStarted ? STARTER : FILTER))
        .map((fd) => ({fd})),
    ];
  }
}

/** Hosts are granted, or may be while it runs. */
function hasExit({network: {reach}}: Plan, {mode}: ConfineRequest, watch: ExitWatch | undefined): boolean {
  return reach === 'hosts' || (reach === 'none' && watch !== undefined && mode !== 'plan');
}
