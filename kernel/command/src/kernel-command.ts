import {Command, type Interfaces} from '@oclif/core';
import {
  KernelError,
  type Form,
  type FormAnswer,
  type ServiceName,
  type Services,
  type SessionInfo,
} from '@gemini-kernel/kernel';
import type {Kernel, Session} from '@gemini-kernel/kernel/host';
import {fillBare, toOclif} from './contributed-flags.js';
import type {CommandHost} from './command-host.js';
import {makeVisible} from './visible.js';

export type Style = 'strong' | 'dim' | 'good' | 'warn' | 'bad';
const codes: Readonly<Record<Style, readonly [number, number]>> = {
  strong: [1, 22],
  dim: [2, 22],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
};

/** A command of a plugin: services by name, every contributed flag, `--json`. The host prints errors that it throws. */
export abstract class KernelCommand extends Command {
  static override enableJsonFlag = true;
  /** Also usable inside a conversation, as `/topic verb`. */
  static slash = false;
  /** Reads or draws at the terminal itself: it has it also where its plugin runs in a process of its own. */
  static terminal = false;
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
      this.host.catalog.commands.get(this.id ?? '')?.plugin ?? 'an unknown command',
    );
  }

  /** Asks the person, unless a program reads the output. */
  protected async ask(form: Form): Promise<FormAnswer> {
    return this.jsonEnabled() ? {outcome: 'nobody'} : this.conversation.ask(form);
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
          hint: 'Use one of them.',
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
