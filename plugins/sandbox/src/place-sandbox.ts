import {KernelError, type ServiceContext, type Verdict} from '@gemini-kernel/kernel';
import {findFault, sayAsked} from './asked-permissions.js';
import {chooseSandbox, type Choice} from './choose-sandbox.js';
import type {
  Confined,
  ConfineRequest,
  EncloseRequest,
  ExitWatch,
  ModeLimits,
  Plan,
  Program,
  Purpose,
  Reach,
  Sandbox,
  SandboxState,
} from './contract.js';
import {readCredentials} from './exit/credentials.js';
import {findEnclosing, isInside, isWhole} from './enclosure/enclosing.js';
import {Bubblewrap} from './linux/bubblewrap.js';
import type {Held} from './linux/held.js';
import {findBubblewrap, type FoundBubblewrap} from './linux/find-bubblewrap.js';
import {OUTSIDE} from './outside.js';
import {readLimits} from './read-limits.js';
import {isMachine} from './seccomp/filter-file.js';
import {settingGrants} from './setting-grants.js';
import credentialSetting from './settings/credentials.js';
import memoryLimit from './settings/memory.js';
import processLimit from './settings/processes.js';
import programs from './settings/programs.js';
import {strictest} from './strictest.js';

interface Host {
  readonly arch: string;
  readonly pid: number;
  readonly user: number;
  readonly group: number;
  readonly release: string;
}

/** The sandbox of a place: what was asked for is settled once, and so is whether this machine can do it. */
export class PlaceSandbox implements Sandbox {
  #choice: Promise<Choice> | undefined;
  #found: Promise<FoundBubblewrap> | undefined;
  #bubblewrap: Bubblewrap | undefined;

  constructor(
    private readonly context: Pick<ServiceContext, 'environment' | 'service' | 'names' | 'dispatch'>,
    private readonly host: Host,
  ) {}

  async state(): Promise<SandboxState> {
    const choice = await this.#choose();
    const {name, by} = choice;
    const why = `${by} asks for it.`;
    if (isWhole(name, this.context.environment.platform)) return {isOn: true, why, ...this.#wholeState(choice)};
    const found = await this.#find();
    const isPossible = !('sentence' in found);
    const program = found.file === undefined ? {} : {program: `${found.file} ${found.version ?? ''}`.trim()};
    const missing = 'sentence' in found ? {missing: {sentence: found.sentence, hint: found.hint}} : {};
    if (name === 'off')
      return {
        isOn: false,
        why: by === 'No setting' ? 'Nothing asks for it.' : `${by} turns it off.`,
        isPossible,
        ...program,
        ...missing,
      };
    const fault = faultOf(found);
    return {isOn: true, provider: 'bwrap', why, isPossible, ...program, ...(fault ? {fault} : {})};
  }

  async isWanted(): Promise<boolean> {
    return (await this.#choose()).name !== 'off';
  }

  async confines(): Promise<boolean> {
    const {name} = await this.#choose();
    if (name === 'off' || isWhole(name, this.context.environment.platform)) return false;
    return faultOf(await this.#find()) === undefined;
  }

  async assess(asked: Reach, mode: string): Promise<Verdict | undefined> {
    const {variables, home} = this.context.environment;
    const fault = findFault(asked, variables['HOME'] || home);
    if (fault !== undefined) return {decision: 'deny', reason: fault};
    if (!(await this.confines())) return undefined;
    if (mode === 'plan') return {decision: 'deny', reason: 'In plan mode a command gets nothing beyond the sandbox.'};
    const {isFinal} = await readLimits(this.context, mode);
    return isFinal === undefined
      ? {decision: 'ask', reason: `It asks for more than the sandbox gives: ${sayAsked(asked)}.`}
      : {decision: 'deny', reason: `A command gets nothing beyond the sandbox, because ${isFinal} says so.`};
  }

  async confine(request: ConfineRequest): Promise<Confined | undefined> {
    const choice = await this.#choose();
    const {platform, variables} = this.context.environment;
    // The sandbox around this program holds what it starts.
    if (isWhole(choice.name, platform) && isInside(choice, {platform, variables})) return undefined;
    if (choice.name === 'off' || !(await this.#isMeant(request.purpose))) return undefined;
    return this.force(request);
  }

  async force(request: ConfineRequest, watch?: ExitWatch): Promise<Confined> {
    const bubblewrap = await this.#require();
    const {limits, ...held} = await this.#limit(request);
    return bubblewrap.confine({...request, ...held}, limits, limits.isFinal === undefined ? watch : undefined);
  }

  async enclose(request: EncloseRequest): Promise<Confined> {
    return (await this.#require()).enclose(request);
  }

  async explain(request: Omit<ConfineRequest, keyof Program>): Promise<Plan> {
    const bubblewrap = await this.#require();
    const {limits, ...held} = await this.#limit(request);
    return bubblewrap.plan({...request, ...held}, limits);
  }

  close(): void {
    this.#bubblewrap?.close();
  }

  async #isMeant(purpose: Purpose = 'command'): Promise<boolean> {
    if (purpose === 'command') return true;
    const settings = await this.context.service('settings');
    // A project can only add, so that each of both counts.
    const [apart, all] = await Promise.all([settings.value(programs, {apart: true}), settings.value(programs)]);
    return apart.includes(purpose) || all.includes(purpose);
  }

  #choose(): Promise<Choice> {
    return (this.#choice ??= this.context
      .service('settings')
      .then((settings) => chooseSandbox(this.context.environment, settings)));
  }

  #find(): Promise<FoundBubblewrap> {
    return (this.#found ??= this.#look());
  }

  async #look(): Promise<FoundBubblewrap> {
    const {platform, variables} = this.context.environment;
    if (variables['SANDBOX'])
      return {
        sentence: `gemini itself runs in a sandbox already (SANDBOX=${variables['SANDBOX']}).`,
        hint: 'Run `gemini` without --sandbox in it, or unset SANDBOX if this is not so.',
      };
    if (platform !== 'linux')
      return {
        sentence: `There is no sandbox for ${platform} yet.`,
        hint: 'Run gemini in a container, without --sandbox.',
      };
    if (!isMachine(this.host.arch))
      return {
        sentence: `There is no filter of system calls for ${this.host.arch}.`,
        hint: 'Run gemini in a container, without --sandbox.',
      };
    return findBubblewrap();
  }

  #wholeState(choice: Choice): Omit<SandboxState, 'isOn' | 'why'> {
    const {platform, variables, cwd} = this.context.environment;
    if (isInside(choice, {platform, variables}))
      return {provider: variables['SANDBOX'] ?? choice.name, isPossible: true};
    const found = findEnclosing(choice.name, {platform, variables, cwd});
    if ('sentence' in found) return {provider: choice.name, isPossible: false, isOutside: true, fault: found};
    return {provider: found.name, isPossible: true, isOutside: true, program: found.file};
  }

  /** Throws KernelError SANDBOX_UNAVAILABLE. Without a choice it is the sandbox of this system that is meant. */
  async #require(): Promise<Bubblewrap> {
    const [{name, by}, found] = await Promise.all([this.#choose(), this.#find()]);
    const whole = isWhole(name, this.context.environment.platform);
    const fault = whole ? OUTSIDE : faultOf(found);
    if (fault) {
      const asked = name === 'off' ? 'A sandbox cannot be used here' : `${by} asks for a sandbox, which cannot be used`;
      throw new KernelError('SANDBOX_UNAVAILABLE', `${asked}: ${fault.sentence}`, {hint: fault.hint});
    }
    const {arch, ...host} = this.host;
    if (found.file === undefined || !isMachine(arch)) throw new Error('A fault of the sandbox has no sentence.');
    const {environment, dispatch} = this.context;
    return (this.#bubblewrap ??= new Bubblewrap(
      found.file,
      {...host, machine: arch, environment},
      (connection) => void dispatch('sandbox:connection', connection),
    ));
  }

  async #limit({
    mode,
    purpose,
    grants = [],
  }: Omit<ConfineRequest, keyof Program>): Promise<{readonly limits: ModeLimits} & Held> {
    // What judges calls is not what these files speak about.
    const limits = purpose === 'checker' ? {} : await readLimits(this.context, mode);
    const service = await this.context.service('settings');
    const settings = await settingGrants(this.context.environment, service);
    const most = {
      memory: strictest([await service.value(memoryLimit, {apart: true}), ...grants.map(({memory}) => memory)]),
      processes:
        strictest([await service.value(processLimit, {apart: true}), ...grants.map((one) => one.processes)]) ?? 0,
    };
    const credentials = readCredentials(await service.value(credentialSetting, {apart: true}));
    return {limits, grants: limits.isFinal === undefined ? [...settings, ...grants] : settings, ...most, credentials};
  }
}

function faultOf(found: FoundBubblewrap): SandboxState['fault'] {
  return 'sentence' in found ? {sentence: found.sentence, hint: found.hint} : undefined;
}
