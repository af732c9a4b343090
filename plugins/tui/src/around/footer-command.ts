import type {Seat} from '@gemini-kernel/plugin-agent/contract';

interface CommandParts {
  readonly seat: Pick<Seat, 'conversations' | 'conversation'>;
  readonly command: string;
  now(): number;
  /** It was too early: it can be read again now. */
  again(): void;
}

const LEAST_MS = 1000;
const TIMEOUT_MS = 2000;
const MOST_CHARACTERS = 60;

/**
 * The first line of what a command of the person prints. It is a call like any other, which the person asked for: rules
 * that deny it hold, and the sandbox. It runs at most once a second, and two seconds at most.
 */
export class FooterCommand {
  #last = -Infinity;
  #line = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: CommandParts) {}

  /** The line, of now or of less than a second ago; empty when the command prints nothing or does not end well. */
  async read(): Promise<string> {
    const {seat, command, now} = this.parts;
    const early = this.#last + LEAST_MS - now();
    if (early > 0) return this.#later(early);
    this.#last = now();
    const session = await seat.conversations.session(seat.conversation);
    const request = {tool: 'run_shell_command', input: {command, timeout_ms: TIMEOUT_MS, interactive: false}};
    const outcome = await session.call(request, {asker: 'person'});
    const printed = outcome.status === 'done' ? outcome.result.plain : undefined;
    const isWell =
      outcome.status === 'done' && (outcome.result.data as {exitCode?: unknown} | undefined)?.exitCode === 0;
    this.#line = isWell ? (printed?.split('\n')[0] ?? '').slice(0, MOST_CHARACTERS) : '';
    return outcome.status === 'refused' ? 'command refused' : this.#line;
  }

  #later(ms: number): string {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.parts.again();
    }, ms).unref();
    return this.#line;
  }
}
