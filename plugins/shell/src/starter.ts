import type {ServiceContext} from '@gemini-kernel/kernel';
import {Keeper} from '@gemini-kernel/processes';
import type {AttendedRequest, CommandWatch} from './contract.js';
import {commandProgram} from './command-program.js';
import {keepToShow} from './keep-to-show.js';
import type {Limits} from './limits.js';
import {LiveOutput} from './live-output.js';
import {endFamily, hasGroup} from './platform.js';
import {requireShell} from './require-shell.js';
import {launch, type RunningCommand} from './running-command.js';
import {SandboxQuestions} from './sandbox-questions.js';
import {readShellSettings, type ShellSettings} from './shell-settings.js';
import type {Started} from './started.js';
import {findScript, type TerminalSize} from './terminal-program.js';

/** The characters that are kept of a background process. */
export const BACKGROUND_SHOWN = 64 * 1024;
const GUARDED_AFTER_MS = 50;

/** Starts the commands of a session, and ends them and what they leave behind. */
export class Starter {
  readonly #context: ServiceContext;
  readonly #running = new Set<RunningCommand>();
  /** Groups whose command ended and left processes behind. */
  readonly #left = new Set<number>();
  readonly #questions: SandboxQuestions;
  #shell: Promise<string> | undefined;
  #script: Promise<string | undefined> | undefined;
  #window: Omit<TerminalSize, 'script'> | undefined;
  #keeper: Keeper | undefined;

  constructor(context: ServiceContext) {
    this.#context = context;
    this.#questions = new SandboxQuestions(context);
  }

  /** A person can type, in a window of this size. */
  offerKeyboard(window: Omit<TerminalSize, 'script'>): void {
    this.#window = window;
  }

  async start(
    request: AttendedRequest,
    limitsOf: (settings: ShellSettings) => Limits,
    {signal, progress}: CommandWatch,
  ): Promise<Started> {
    const {environment, service} = this.#context;
    const {platform} = environment;
    const secrets = await service('secrets');
    const [settings, {variables, withheld}, redactor, shell, terminal] = await Promise.all([
      service('settings').then(readShellSettings),
      secrets.environment(),
      secrets.redactor(),
      this.#findShell(),
      this.#terminalFor(request),
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
    const beyond = this.#questions.watch(command);
    const grants = [...(request.grants ?? []), ...this.#questions.grants(command)];
    const asked = {shell, command, directory, variables, isolateGit, request: {...request, grants}, terminal, beyond};
    try {
      const program = await commandProgram(this.#context, asked);
      const isTyped = terminal !== undefined;
      const running = await launch({shell, platform, command, directory, stdin, onOutput, isTyped, program});
      this.#watch(running, shell);
      void running.ended.then(() => beyond.end());
      const started = {request, running, kept, live, limits, shown, withheld, beyond};
      const memory = 'memory' in program ? {memory: program.memory} : {};
      return {...started, ...memory, ...(terminal ? {hasTerminal: true} : {})};
    } catch (error) {
      beyond.end();
      throw error;
    }
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

  async #terminalFor({wantsTerminal, stdin}: AttendedRequest): Promise<TerminalSize | undefined> {
    const window = this.#window;
    if (!wantsTerminal || stdin !== undefined || !window) return undefined;
    this.#script ??= findScript(this.#context.environment);
    const script = await this.#script;
    return script === undefined ? undefined : {script, ...window};
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

  #findShell(): Promise<string> {
    return (this.#shell ??= requireShell(this.#context.environment));
  }
}
