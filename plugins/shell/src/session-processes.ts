import {ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import {Keeper} from '@gemini-kernel/processes';
import type {
  BackgroundProcess,
  CommandEnd,
  CommandRequest,
  CommandWatch,
  FinishedCommand,
  Processes,
  ShownOutput,
  StartedCommand,
} from './contract.js';
import {commandProgram} from './command-program.js';
import {findMissed} from './command-variables.js';
import {keepToShow} from './keep-to-show.js';
import type {KeptOutput} from './kept-output.js';
import {enforceLimits, type Limits} from './limits.js';
import {LiveOutput} from './live-output.js';
import {endFamily, findLegacyEncoding, hasGroup} from './platform.js';
import {launch, type RunningCommand} from './running-command.js';
import {requireShell} from './require-shell.js';
import {readShellSettings, type ShellSettings} from './shell-settings.js';
import {showLastLines, showOutput, type Showing} from './show-output.js';

const BACKGROUND_SHOWN = 64 * 1024;
const MOST_ENDED = 50;
const GUARDED_AFTER_MS = 50;

interface Started {
  readonly request: CommandRequest;
  readonly running: RunningCommand;
  readonly kept: KeptOutput;
  readonly live: LiveOutput | undefined;
  readonly limits: Limits;
  readonly shown: number;
  readonly withheld: readonly string[];
}

interface Background extends Started {
  end?: CommandEnd;
}

/** Runs commands and tracks them, so that none outlives the session. */
export class SessionProcesses implements Processes {
  readonly #context: ServiceContext;
  readonly #running = new Set<RunningCommand>();
  /** Groups whose command ended and left processes behind. */
  readonly #left = new Set<number>();
  readonly #background = new Map<number, Background>();
  #shell: Promise<string> | undefined;
  #legacy: Promise<string | undefined> | undefined;
  #keeper: Keeper | undefined;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async run(request: CommandRequest, watch: CommandWatch): Promise<FinishedCommand> {
    const started = await this.#start(request, ({timeoutMs, inactivityMs}) => ({timeoutMs, inactivityMs}), watch);
    const end = await this.#untilEnd(started, watch);
    return this.#finish(started, end);
  }

  async start(
    request: CommandRequest,
    delayMs: number,
    watch: CommandWatch,
  ): Promise<FinishedCommand | StartedCommand> {
    // A server may be silent for days, so only limits of the call apply.
    const started: Background = await this.#start(request, () => ({timeoutMs: 0, inactivityMs: 0}), watch);
    const {pid} = started.running;
    const early = await this.#untilEnd(started, watch, delayMs);
    if (early) return this.#finish(started, early);
    this.#background.delete(pid);
    this.#background.set(pid, started);
    void started.running.ended.then((end) => {
      started.end = end;
      this.#forgetOldest();
    });
    return {isRunning: true, pid, output: await this.#show(started)};
  }

  async list(): Promise<readonly BackgroundProcess[]> {
    return [...this.#background.values()].map(describe);
  }

  async read(
    pid: number,
    {lines}: {readonly lines: number},
  ): Promise<BackgroundProcess & {readonly output: ShownOutput}> {
    const background = this.#background.get(pid);
    if (!background) {
      const known = [...this.#background.keys()].join(', ');
      throw new ToolError('PROCESS_UNKNOWN', `No background process of this session has the id ${pid}.`, {
        hint: known ? `Available: ${known}.` : 'No command was started with is_background.',
      });
    }
    return {
      ...describe(background),
      output: showLastLines(background.kept, lines, await this.#showing(BACKGROUND_SHOWN)),
    };
  }

  /** Ends every command and the processes it left behind. */
  async close(): Promise<void> {
    const {platform} = this.#context.environment;
    this.#dropEmpty();
    await Promise.all([
      ...[...this.#running].map((running) => running.stop('stop')),
      ...[...this.#left].map((group) => endFamily(group, platform)),
    ]);
    this.#left.clear();
    this.#keeper?.close();
  }

  async #start(
    request: CommandRequest,
    limitsOf: (settings: ShellSettings) => Limits,
    {signal, progress}: CommandWatch,
  ): Promise<Started> {
    const {environment, service} = this.#context;
    const {platform} = environment;
    const secrets = await service('secrets');
    const [settings, {variables, withheld}, redactor, shell] = await Promise.all([
      service('settings').then(readShellSettings),
      secrets.environment(),
      secrets.redactor(),
      this.#findShell(),
    ]);
    const {shown, isolateGit} = settings;
    const kept = keepToShow(Math.max(shown, BACKGROUND_SHOWN));
    const live = progress && new LiveOutput(progress, redactor);
    const onOutput = (chunk: Buffer): void => {
      kept.push(chunk);
      live?.push(chunk);
    };
    const {command, directory, stdin, timeoutMs, inactivityMs} = request;
    const usual = limitsOf(settings);
    const limits = {timeoutMs: timeoutMs ?? usual.timeoutMs, inactivityMs: inactivityMs ?? usual.inactivityMs};
    signal.throwIfAborted();
    this.#context.signal.throwIfAborted();
    const running = await launch({
      shell,
      platform,
      command,
      directory,
      stdin,
      program: await commandProgram(this.#context, {shell, command, directory, variables, isolateGit, request}),
      onOutput,
    });
    this.#watch(running, shell);
    return {request, running, kept, live, limits, shown, withheld};
  }

  /**
   * From its start to its end, a command is registered with everything that ends it when the session closes or this
   * program dies.
   */
  #watch(running: RunningCommand, shell: string): void {
    const {platform} = this.#context.environment;
    this.#dropEmpty();
    this.#running.add(running);
    const guard = (): unknown => platform !== 'win32' && (this.#keeper ??= new Keeper(shell)).add(running.pid);
    // Most commands are over before this is needed.
    const soon = setTimeout(guard, GUARDED_AFTER_MS);
    void running.ended.then(({survivors}) => {
      clearTimeout(soon);
      this.#running.delete(running);
      if (survivors.length > 0) {
        this.#left.add(running.pid);
        guard();
      } else this.#keeper?.remove(running.pid);
    });
  }

  /** The system may soon reuse the id of an empty group. */
  #dropEmpty(): void {
    for (const group of this.#left) {
      if (hasGroup(group, this.#context.environment.platform)) continue;
      this.#left.delete(group);
      this.#keeper?.remove(group);
    }
  }

  /** The end of a command; undefined when it has not come within `delayMs`. An abort stops it and throws the reason. */
  async #untilEnd(started: Started, watch: CommandWatch): Promise<CommandEnd>;
  async #untilEnd(started: Started, watch: CommandWatch, delayMs: number): Promise<CommandEnd | undefined>;
  async #untilEnd(
    {running, limits, live}: Started,
    {signal}: CommandWatch,
    delayMs?: number,
  ): Promise<CommandEnd | undefined> {
    const stop = (): void => void running.stop('stop');
    const release = enforceLimits(running, limits);
    void running.ended.then(release);
    signal.addEventListener('abort', stop, {once: true});
    if (signal.aborted) stop();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      if (delayMs !== undefined) timer = setTimeout(() => resolve(undefined), delayMs);
    });
    try {
      const end = await Promise.race([running.ended, late]);
      if (signal.aborted) await running.ended;
      signal.throwIfAborted();
      return end;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      live?.end();
    }
  }

  async #finish(started: Started, end: CommandEnd): Promise<FinishedCommand> {
    const {request, running, limits, withheld} = started;
    const output = await this.#show(started);
    const missed = findMissed(withheld, {
      command: request.command,
      output: end.exitCode === 0 ? undefined : output.text,
    });
    return {...end, pid: running.pid, output, missed, limits};
  }

  async #show({kept, shown}: Started): Promise<ShownOutput> {
    return showOutput(kept, await this.#showing(shown));
  }

  async #showing(limit: number): Promise<Showing> {
    const {environment, service} = this.#context;
    this.#legacy ??= findLegacyEncoding(environment);
    const [legacy, secrets] = await Promise.all([this.#legacy, service('secrets')]);
    return {limit, legacy, redactor: await secrets.redactor()};
  }

  #findShell(): Promise<string> {
    return (this.#shell ??= requireShell(this.#context.environment));
  }

  #forgetOldest(): void {
    const ended = [...this.#background].filter(([, {end}]) => end !== undefined);
    for (const [pid] of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#background.delete(pid);
  }
}

function describe({request: {command}, running: {pid}, end}: Background): BackgroundProcess {
  return {pid, command, ...(end ? {end} : {})};
}
