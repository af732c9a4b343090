import {join} from 'node:path';
import {readRegularSync} from '@gemini-kernel/files';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {
  Confined,
  ConfineRequest,
  Descriptor,
  ExitConnection,
  ExitWatch,
  ModeLimits,
  Plan,
  Program,
} from '../contract.js';
import {Exits} from '../exit/exits.js';
import {filterFile, type Machine} from '../seccomp/filter-file.js';
import {bwrapArguments} from './bwrap-arguments.js';
import {inheritedDescriptors} from './inherited-descriptors.js';
import {MadeNames} from './made-names.js';
import {makePlan, outermost} from './make-plan.js';
import {ProtectedTree, type Protected} from './protected-tree.js';
import {makeSessionFolder, removeSessionFolder, type SessionFolder} from './session-folder.js';
import {realOrSame} from './real-of.js';
import {innerVariables} from './inner-variables.js';

/** Where arguments and the filter are read from; what others left open is covered. */
const ARGUMENTS = 3;
const FILTER = 4;
/** bash has -u for it, dash -p. */
const BOUND = '{ ulimit -u 2048 || ulimit -p 2048; } 2>/dev/null; exec "$0" "$@"';

/** Confines programs by bubblewrap, for one place. */
export class Bubblewrap {
  readonly #trees = new Map<string, ProtectedTree>();
  readonly #made = new MadeNames();
  readonly #exits: Exits;
  #folder: SessionFolder | undefined;
  #filter: string | undefined;

  constructor(
    private readonly file: string,
    private readonly host: {
      readonly machine: Machine;
      readonly pid: number;
      readonly user: number;
      /** The program that runs JavaScript. */
      readonly node: string;
      readonly environment: Pick<Environment, 'home' | 'temporary' | 'variables'>;
    },
    report: (connection: ExitConnection) => void = () => undefined,
  ) {
    this.#exits = new Exits(host.node, report);
  }

  async confine(request: ConfineRequest, limits: ModeLimits = {}, watch?: ExitWatch): Promise<Confined> {
    const plan = await this.plan(request, limits);
    const {empty, path} = this.#ownFolder();
    const {reach} = plan.network;
    const hasWay = reach === 'hosts' || (reach === 'none' && watch !== undefined && request.mode !== 'plan');
    const way = hasWay ? await this.#exits.open(plan, path, watch) : undefined;
    const variables = {HOME: this.#home(), ...request.variables, ...way?.variables};
    const {outer, inner} = innerVariables(variables);
    const program = way?.wrap(request) ?? request;
    const words = [
      ...bwrapArguments({...plan, mounts: [...plan.mounts, ...(way?.mounts ?? [])]}, empty),
      ...inner.flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--chdir', request.cwd, '--seccomp', String(FILTER)],
    ];
    return {
      file: this.file,
      args: ['--args', String(ARGUMENTS), '--', ...this.#bounded(program)],
      cwd: '/',
      variables: outer,
      descriptors: this.#descriptors(words),
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

  /**
   * A person's processes are counted per namespace of users, so a limit stops what makes ever more of them and nothing
   * else. The kernel does not count those of root.
   */
  #bounded({file, args}: Pick<Program, 'file' | 'args'>): readonly string[] {
    return this.host.user === 0 ? [file, ...args] : ['/bin/sh', '-c', BOUND, file, ...args];
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

  #descriptors(words: readonly string[]): readonly Descriptor[] {
    this.#filter ??= readRegularSync(filterFile(this.host.machine)).toString('base64');
    return [
      {fd: ARGUMENTS, data: Buffer.from(words.map((word) => `${word}\0`).join('')).toString('base64')},
      {fd: FILTER, data: this.#filter},
      ...inheritedDescriptors()
        .filter((fd) => fd > FILTER)
        .map((fd) => ({fd})),
    ];
  }
}
