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
  Mount,
  Plan,
  Program,
} from '../contract.js';
import {Exits, isForSocket, type WayOut} from '../exit/exits.js';
import {filterFile, type Machine} from '../seccomp/filter-file.js';
import {HIDE, LIST, RELAY, WATCH} from '../starter/way.js';
import {starterFile} from '../starter/starter-file.js';
import {bwrapArguments, closingArguments, HIDING} from './bwrap-arguments.js';
import {endsWell, splitMasks, trialMounts, type Person} from './hidden-files.js';
import {inheritedDescriptors} from './inherited-descriptors.js';
import {MadeNames} from './made-names.js';
import {canWatch, hasExit, lettersOf, type Held} from './held.js';
import {findRefusal} from './find-refusal.js';
import {makePlan, outermost} from './make-plan.js';
import {PathQuestions} from './path-questions.js';
import {planEnclosure} from './plan-enclosure.js';
import {ProtectedTree, type Protected} from './protected-tree.js';
import {makeSessionFolder, removeSessionFolder, type SessionFolder} from './session-folder.js';
import {realOrSame} from './real-of.js';
import {innerVariables} from './inner-variables.js';

/** Where arguments, the filter and the starter are read from; what others left open is covered. */
const ARGUMENTS = 3;
const FILTER = 4;
const STARTER = 5;
/** Most processes of a program where nothing says another number. */
const MOST_PROCESSES = 2048;
/** Where the starter is inside. */
const STARTED_BY = '/run/gemini-start';

/** Confines programs by bubblewrap, for one place. */
export class Bubblewrap {
  readonly #trees = new Map<string, ProtectedTree>();
  readonly #made = new MadeNames();
  readonly #exits: Exits;
  readonly #questions: PathQuestions;
  #folder: SessionFolder | undefined;
  readonly #read = new Map<string, string>();
  #canHide: Promise<boolean> | undefined;

  constructor(
    private readonly file: string,
    private readonly host: Person & {
      readonly machine: Machine;
      readonly pid: number;
      /** As the kernel names itself. */
      readonly release: string;
      readonly environment: Pick<Environment, 'home' | 'temporary' | 'variables'>;
    },
    report: (connection: ExitConnection) => void = () => undefined,
  ) {
    this.#exits = new Exits(report);
    this.#questions = new PathQuestions(starterFile(host.machine));
  }

  async confine(
    request: ConfineRequest & Partial<Held>,
    limits: ModeLimits = {},
    watch?: ExitWatch,
  ): Promise<Confined> {
    const plan = await this.plan(request, limits);
    const {path} = this.#ownFolder();
    const {credentials = []} = request;
    const secrets = {credentials, variables: this.host.environment.variables};
    const way = hasExit(plan, request, watch) ? await this.#exits.open(plan, path, {watch, secrets}) : undefined;
    const asker = watch && (await this.#openQuestions(plan, request, watch));
    const mounts = [...plan.mounts, ...(asker ? [asker] : [])];
    // What the exit adds is not for the program to see.
    const held = Object.entries(request.variables).filter(
      ([name]) => !credentials.some((one) => one.variable === name),
    );
    const program = {...request, variables: {HOME: this.#home(), ...Object.fromEntries(held)}};
    return this.#confined(program, {...plan, mounts}, {way, isWatched: asker !== undefined});
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
    const way = reach === 'none' ? undefined : await this.#exits.open(plan, this.#ownFolder().path, {watch});
    return this.#confined(request, {...plan, ...this.#most(MOST_PROCESSES)}, {way});
  }

  /** Undefined where the kernel cannot tell what a program tries, or the folder is too long a path for a socket. */
  async #openQuestions(plan: Plan, {mode, grants = []}: ConfineRequest, watch: ExitWatch): Promise<Mount | undefined> {
    const {path} = this.#ownFolder();
    if (!watch.decidePath || mode === 'plan' || !canWatch(this.host.release) || !isForSocket(path)) return undefined;
    const home = this.#home();
    return this.#questions.open(path, watch, (said) => findRefusal(said, {plan, grants, home}));
  }

  async #confined(
    request: Program,
    plan: Plan,
    {way, isWatched = false}: {readonly way?: WayOut | undefined; readonly isWatched?: boolean},
  ): Promise<Confined> {
    const {mounts, list} = splitMasks(plan.mounts, this.host);
    const isHiding = list !== undefined && (await (this.#canHide ??= this.#tryHiding()));
    const all = [...(isHiding ? mounts : plan.mounts), ...(way?.mounts ?? [])];
    const further = lettersOf(plan) + (way ? RELAY : '') + (isWatched ? WATCH : '');
    return this.#words(request, {...plan, mounts: all}, {way, letters: further, list: isHiding ? list : undefined});
  }

  #tryHiding(): Promise<boolean> {
    const {list, mounts} = splitMasks(trialMounts(this.#ownFolder().empty, starterFile(this.host.machine)), this.host);
    const program = {file: '/bin/sh', args: ['-c', ':'], cwd: '/', variables: {}};
    const plan = {mounts, network: {reach: 'none', why: 'a trial'}} as const;
    return endsWell(this.#words(program, plan, {letters: '', list}));
  }

  #words(request: Program, plan: Plan, {way, letters: further, list}: Started): Confined {
    const {empty} = this.#ownFolder();
    const variables = {...request.variables, ...way?.variables};
    const {outer, inner} = innerVariables(variables);
    const letters = (list ? HIDE : '') + further;
    const {file, args} = request;
    const words = [
      ...bwrapArguments(plan, empty, list !== undefined),
      ...inner.flatMap(([name, value]) => ['--setenv', name, value]),
      ...(letters === '' ? [] : ['--perms', '0555', '--ro-bind-data', String(STARTER), STARTED_BY]),
      ...closingArguments(plan),
      ...['--chdir', request.cwd, '--seccomp', String(FILTER)],
    ];
    return {
      file: this.file,
      args: [
        ...['--args', String(ARGUMENTS), ...(list ? HIDING : []), '--'],
        ...[...(letters === '' ? [] : [STARTED_BY, letters]), file, ...args],
      ],
      cwd: '/',
      variables: outer,
      ...(plan.memory === undefined ? {} : {memory: plan.memory}),
      descriptors: this.#descriptors(words, letters !== '', list),
    };
  }

  async plan(
    {roots, mode, grants = [], memory, processes = MOST_PROCESSES}: Omit<ConfineRequest, keyof Program> & Partial<Held>,
    limits: ModeLimits = {},
  ): Promise<Plan> {
    const {home: own} = this.host.environment;
    const found = new Map<string, Protected>();
    for (const root of outermost(roots)) found.set(root, await this.#tree(root).read());
    const folder = this.#ownFolder();
    const plan = makePlan({
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
    return {
      ...plan,
      ...(memory === undefined ? {} : {memory}),
      ...this.#most(processes),
    };
  }

  close(): void {
    this.#exits.close();
    this.#questions.close();
    for (const tree of this.#trees.values()) tree.close();
    this.#made.close();
    if (this.#folder) removeSessionFolder(this.#folder.path);
    this.#folder = undefined;
  }

  /** Processes are counted for each person in a namespace of users, and the kernel does not count those of root. */
  #most(processes: number): Pick<Plan, 'processes'> {
    return processes === 0 || this.host.user === 0 ? {} : {processes};
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

  #descriptors(words: readonly string[], isStarted: boolean, list: Buffer | undefined): readonly Descriptor[] {
    const {machine} = this.host;
    const own = [
      {fd: ARGUMENTS, data: Buffer.from(words.map((word) => `${word}\0`).join('')).toString('base64')},
      {fd: FILTER, data: this.#dataOf(filterFile(machine, list !== undefined))},
      ...(isStarted ? [{fd: STARTER, data: this.#dataOf(starterFile(machine))}] : []),
      ...(list ? [{fd: LIST, data: list.toString('base64')}] : []),
    ];
    const inherited = inheritedDescriptors().filter((fd) => !own.some((one) => one.fd === fd));
    return [...own, ...inherited.map((fd) => ({fd}))];
  }

  #dataOf(file: string): string {
    const data = this.#read.get(file) ?? readRegularSync(file).toString('base64');
    this.#read.set(file, data);
    return data;
  }
}

/** How a program is started. */
interface Started {
  readonly way?: WayOut | undefined;
  /** What the starter does beside hiding. */
  readonly letters: string;
  readonly list: Buffer | undefined;
}
