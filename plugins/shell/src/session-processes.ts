import {ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {
  AttendedRequest,
  BackgroundProcess,
  CommandEnd,
  CommandRequest,
  CommandWatch,
  FinishedCommand,
  ForegroundCommand,
  Processes,
  ShownOutput,
  StartedCommand,
} from './contract.js';
import {BackgroundCommands, endSentence} from './background-commands.js';
import {findMissed} from './command-variables.js';
import {enforceLimits, type Limits} from './limits.js';
import {findLegacyEncoding} from './platform.js';
import {showLastLines, showOutput, type Showing} from './show-output.js';
import type {Started} from './started.js';
import {BACKGROUND_SHOWN, Starter} from './starter.js';

/** A server may be silent for days, so only limits of its call apply to a command in the background. */
const UNLIMITED: Limits = {timeoutMs: 0, inactivityMs: 0};

/** A command that its call waits for, until `detach` is called. */
interface Attended {
  /** Rejects when it cannot start. */
  readonly starting: Promise<Started>;
  started?: Started;
  detach(): void;
  /** Settled when it is to go to the background. */
  readonly detached: Promise<undefined>;
  /** What it is there. */
  process?: BackgroundProcess;
}

/** Runs commands and tracks them, so that none outlives the session. */
export class SessionProcesses implements Processes {
  readonly #context: ServiceContext;
  readonly #starter: Starter;
  readonly #background = new BackgroundCommands();
  readonly #attended = new Set<Attended>();
  #legacy: Promise<string | undefined> | undefined;

  constructor(context: ServiceContext) {
    this.#context = context;
    this.#starter = new Starter(context);
  }

  async run(request: CommandRequest, watch: CommandWatch): Promise<FinishedCommand> {
    const started = await this.#starter.start(request, (settings) => settings, watch);
    return this.#finish(started, await untilEnd(started, watch));
  }

  async attend(request: AttendedRequest, watch: CommandWatch): Promise<FinishedCommand | StartedCommand> {
    const attended = attend(this.#starter.start(request, (settings) => settings, watch));
    this.#attended.add(attended);
    try {
      const started = await attended.starting;
      attended.started = started;
      const end = await untilEnd(started, watch, attended.detached);
      if (end) return await this.#finish(started, end);
      const {pid} = this.#add(attended, started);
      return {isRunning: true, pid, output: await this.#show(started)};
    } finally {
      this.#attended.delete(attended);
    }
  }

  async start(
    request: CommandRequest,
    delayMs: number,
    watch: CommandWatch,
  ): Promise<FinishedCommand | StartedCommand> {
    const started = await this.#starter.start(request, () => UNLIMITED, watch);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), delayMs);
    });
    const early = await untilEnd(started, watch, late).finally(() => clearTimeout(timer));
    if (early) return this.#finish(started, early);
    this.#background.add(started);
    return {isRunning: true, pid: started.running.pid, output: await this.#show(started)};
  }

  async foreground(): Promise<readonly ForegroundCommand[]> {
    return [...this.#attended].flatMap(({started}) => {
      if (!started) return [];
      const {running, request, hasTerminal = false} = started;
      return [{pid: running.pid, command: request.command, hasTerminal}];
    });
  }

  async detach(): Promise<readonly BackgroundProcess[]> {
    const all = [...this.#attended].map(async (attended) => {
      // One that cannot start fails its call.
      const started = await attended.starting.catch(() => undefined);
      attended.detach();
      return started ? [this.#add(attended, started)] : [];
    });
    return (await Promise.all(all)).flat();
  }

  async offerKeyboard(window: {readonly columns: number; readonly rows: number}): Promise<void> {
    this.#starter.offerKeyboard(window);
  }

  async type(pid: number, text: string): Promise<void> {
    const {running, hasTerminal} = this.#find(pid);
    if (hasTerminal && running.type(text)) return;
    throw new ToolError('TERMINAL_NONE', `The command of process ${pid} cannot be typed into.`, {
      hint: 'Start it at the prompt with !, or let the model start it with interactive.',
    });
  }

  async stop(pid: number): Promise<BackgroundProcess> {
    const {running} = this.#background.find(pid);
    await running.stop('stop');
    await running.ended;
    return this.#background.find(pid).process;
  }

  async list(): Promise<readonly BackgroundProcess[]> {
    return this.#background.list();
  }

  async read(
    pid: number,
    {lines}: {readonly lines: number},
  ): Promise<BackgroundProcess & {readonly output: ShownOutput}> {
    const {process, kept} = this.#find(pid);
    return {...process, output: showLastLines(kept, lines, await this.#showing(BACKGROUND_SHOWN))};
  }

  /** Ends every command and the processes it left behind. */
  close(): Promise<void> {
    return this.#starter.close();
  }

  #find(pid: number): Started & {readonly process: BackgroundProcess} {
    const started = [...this.#attended].map((one) => one.started).find((one) => one?.running.pid === pid);
    return started ? {...started, process: {pid, command: started.request.command}} : this.#background.find(pid);
  }

  #add(attended: Attended, started: Started): BackgroundProcess {
    attended.process ??= this.#background.add(started, (process) => {
      if (this.#context.signal.aborted) return;
      this.#context.tell({level: 'info', code: 'BACKGROUND_ENDED', sentence: endSentence(process)});
    });
    return attended.process;
  }

  async #finish(started: Started, end: CommandEnd): Promise<FinishedCommand> {
    const {request, running, limits, withheld, beyond, memory} = started;
    const output = await this.#show(started);
    const missed = findMissed(withheld, {
      command: request.command,
      output: end.exitCode === 0 ? undefined : output.text,
    });
    const {refusedHosts, refusedPaths} = beyond;
    const refused = {
      ...(refusedHosts.length > 0 ? {refusedHosts} : {}),
      ...(refusedPaths.length > 0 ? {refusedPaths} : {}),
    };
    const held = memory === undefined ? {} : {memoryLimit: memory};
    return {...end, pid: running.pid, output, missed, limits, ...refused, ...held};
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
}

function attend(starting: Promise<Started>): Attended {
  let detach: () => void = () => undefined;
  const detached = new Promise<undefined>((resolve) => {
    detach = () => resolve(undefined);
  });
  return {starting, detach, detached};
}

/**
 * The end of a command; undefined when `late` is first, from when on only the limits of its call apply. An abort until
 * then stops it and throws the reason.
 */
async function untilEnd(started: Started, watch: CommandWatch): Promise<CommandEnd>;
async function untilEnd(
  started: Started,
  watch: CommandWatch,
  late: Promise<undefined>,
): Promise<CommandEnd | undefined>;
async function untilEnd(
  {running, limits, live, request}: Started,
  {signal}: CommandWatch,
  late?: Promise<undefined>,
): Promise<CommandEnd | undefined> {
  const stop = (): void => void running.stop('stop');
  let release = enforceLimits(running, limits);
  void running.ended.then(() => release());
  signal.addEventListener('abort', stop, {once: true});
  if (signal.aborted) stop();
  try {
    const end = await Promise.race([running.ended, ...(late ? [late] : [])]);
    if (signal.aborted) await running.ended;
    signal.throwIfAborted();
    if (end) return end;
    release();
    release = enforceLimits(running, {timeoutMs: request.timeoutMs ?? 0, inactivityMs: request.inactivityMs ?? 0});
    return undefined;
  } finally {
    signal.removeEventListener('abort', stop);
    live?.end();
  }
}
