import {Command, Flags, type Interfaces} from '@oclif/core';
import type {Kernel} from './boot.js';
import type {Catalog} from './catalog.js';
import {KernelError} from './error.js';
import type {Flag, FlagSpec} from './flag.js';
import type {Session} from './open-session.js';
import type {ServiceName, Services} from './service.js';
import type {SessionInfo} from './session.js';
import {makeVisible} from './visible.js';

export type Style = 'strong' | 'dim' | 'good' | 'warn' | 'bad';
const codes: Readonly<Record<Style, readonly [number, number]>> = {
  strong: [1, 22],
  dim: [2, 22],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
};

/** How this program is run once more. */
export interface RunOptions {
  /** The current one when it is not given. */
  readonly directory?: string;
  /** Lets it have the terminal. */
  readonly show: boolean;
  /** More variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is killed. */
  readonly deadline?: number;
}

/** How that run ended, and what it wrote where it did not have the terminal. */
export interface RunEnd {
  readonly code: number;
  /** Both streams, as they came. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it was killed at its deadline. */
  readonly isLate: boolean;
}

/** What a host hands to every command, as `gemini` among oclif's load options. */
export interface CommandHost {
  readonly catalog: Catalog;
  /** Ids of commands that the host has beside all plugins. */
  readonly hostCommands: readonly string[];
  /** Starts a kernel with the values of contributed flags, by settings key. */
  boot(flags: Readonly<Record<string, unknown>>): Kernel;
  /** The conversation a slash command runs in, and its kernel; absent when the command is the whole program. */
  readonly live?: {readonly kernel: Kernel; readonly session: Session};
  /** Asks the person at the terminal; undefined when there is none. */
  ask(question: string): Promise<string | undefined>;
  /**
   * Aborted by Ctrl+C and other signals; its reason is a KernelError with the code of the signal. Reading it takes over
   * what Ctrl+C does.
   */
  readonly signal: AbortSignal;
  /** Standard input, for commands that read it. */
  readonly input: NodeJS.ReadableStream;
  /** Standard output, for commands whose text comes in pieces. */
  readonly output: NodeJS.WritableStream;
  /** Whether standard output is a terminal, and whether it shows colours. */
  readonly terminal: boolean;
  readonly colour: boolean;
  /** Version of Node. */
  readonly node: string;
  /** Runs this program once more as a process of its own. */
  run(argv: readonly string[], options: RunOptions): Promise<RunEnd>;
  /** Takes plugins out of the catalog, each with the reason. Call it before a kernel is started. */
  leaveOut(reasons: ReadonlyMap<string, string>): void;
  /** Runs a command that is marked `slash` inside a conversation. Throws as the command does. */
  slash(words: readonly string[], live: NonNullable<CommandHost['live']>): Promise<void>;
  /** A failure as a program should see it; undefined when it is a bug. */
  describe(
    error: unknown,
  ): {readonly code: string; readonly message: string; readonly hint?: string; readonly exit: number} | undefined;
  /** Sets the exit code of a command that finished but has bad news. */
  end(code: number): void;
}

/**
 * A command of a plugin: services by name, every contributed flag, `--json`. Errors are thrown; the host prints them.
 */
export abstract class KernelCommand extends Command {
  static override enableJsonFlag = true;
  /** Also usable inside a conversation, as `/topic verb`. */
  static slash = false;
  #kernel: Kernel | undefined;
  #session: Session | undefined;
  #flags: Record<string, unknown> = {};

  protected get host(): CommandHost {
    // Set by the host that made this configuration; oclif hands options through untyped.
    const host = (this.config.options as {gemini?: CommandHost}).gemini;
    if (!host) throw new Error('A kernel command was started without a kernel host.');
    return host;
  }

  /** The kernel, started on first use. Call it after `parse`, so that flags count. */
  protected get kernel(): Kernel {
    return this.host.live?.kernel ?? (this.#kernel ??= this.host.boot(this.#flags));
  }

  /** The conversation this command runs in, or one of its own. */
  protected get conversation(): Session {
    return (this.#session ??= this.host.live?.session ?? this.kernel.open());
  }

  protected get session(): SessionInfo {
    return this.conversation.info;
  }

  protected async service<N extends ServiceName>(name: N): Promise<Services[N]> {
    return this.conversation.service(
      name,
      this.host.catalog.commands.get(this.id ?? '')?.plugin ?? 'a command of nobody',
    );
  }

  /** Prints text as it is, ending the last line if it does not end itself. Silent under `--json`. */
  protected print(text: string): void {
    this.log(text.endsWith('\n') ? text.slice(0, -1) : text);
  }

  /** At a terminal, nothing that is printed can make it do more than show it. */
  override log(message = '', ...parts: unknown[]): void {
    super.log(this.host.terminal ? makeVisible(message, this.host.colour) : message, ...parts);
  }

  override logToStderr(message = '', ...parts: unknown[]): void {
    super.logToStderr(makeVisible(message, this.host.colour), ...parts);
  }

  protected style(style: Style, text: string): string {
    const [on, off] = codes[style];
    return this.host.colour && !this.jsonEnabled() ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }

  protected override async parse<
    F extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    B extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    A extends Interfaces.OutputArgs<Interfaces.ArgInput>,
  >(options?: Interfaces.Input<F, B, A>, argv?: string[]): Promise<Interfaces.ParserOutput<F, B, A>> {
    const contributed = [...this.host.catalog.flags.values()].filter(
      ({commands}) => commands?.includes(this.id ?? '') ?? true,
    );
    const own = Object.values((options?.flags ?? {}) as Record<string, {readonly char?: string}>).map(({char}) => char);
    // A letter that the command has for itself is not that of a contributed flag.
    const flags = {
      ...Object.fromEntries(
        contributed.map(({char, ...flag}) => [
          flag.name,
          toOclif({...flag, ...(char && !own.includes(char) ? {char} : {})}),
        ]),
      ),
      ...options?.flags,
    };
    // What a class inherits does not survive a spread.
    const {args, baseFlags, enableJsonFlag, strict} = options ?? {};
    const output = await super.parse(
      {args, baseFlags, enableJsonFlag, strict, flags} as Interfaces.Input<F, B, A>,
      fillBare(argv ?? this.argv, contributed),
    );
    const setBy = new Map<string, string>();
    for (const {name, setting, value: own} of contributed) {
      const given: unknown = (output.flags as Record<string, unknown>)[name];
      if (given === undefined) continue;
      const other = setBy.get(setting);
      if (other)
        throw new KernelError('FLAGS_CONFLICT', `--${other} and --${name} both set ${setting}.`, {
          hint: 'Give one of them.',
        });
      setBy.set(setting, name);
      this.#flags[setting] = given === true && own !== undefined ? own : given;
    }
    return output;
  }

  /** Errors go to the host as they are, whatever the output format. */
  protected override catch(error: Error): Promise<unknown> {
    return Promise.reject(error);
  }

  protected override async finally(): Promise<void> {
    await this.#kernel?.close();
  }
}

/** A flag that may stand without a value gets its own where none follows. */
function fillBare(argv: readonly string[], flags: readonly Flag[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((word, index) => {
    const flag =
      index < end
        ? flags.find(({bare, name, char}) => bare !== undefined && (word === `--${name}` || word === `-${char ?? ''}`))
        : undefined;
    const next = argv[index + 1];
    return flag && (next === undefined || next.startsWith('-')) ? `--${flag.name}=${flag.bare ?? ''}` : word;
  });
}

function toOclif({description, type, char, multiple, options, value, commands}: FlagSpec): unknown {
  const shared = {description, char, ...(commands ? {} : {helpGroup: 'GLOBAL'})};
  if (type === 'boolean') return Flags.boolean({...shared, allowNo: value === undefined} as never);
  const many = multiple ? {multiple: true, multipleNonGreedy: true, delimiter: ','} : {};
  // oclif's own types cannot express options that are only known at run time.
  return Flags.string({...shared, ...many, ...(options ? {options} : {})} as never);
}
