import type {AgentEvent} from '@gemini-kernel/plugin-agent/contract';

const LONGEST = 80;

/** Follows what an agent does, as one line. */
export class Progress {
  turns = 0;
  /** Those of agents that it called are among them. */
  tokens = 0;
  /** Names of the tools that were called. */
  readonly calls = new Set<string>();
  #now = 'starts';

  constructor(private readonly show: (line: string) => void) {}

  see(event: AgentEvent): void {
    const now = this.#nowOf(event);
    if (event.kind === 'call') this.calls.add(event.tool);
    const innermost = innermostOf(event);
    if (innermost.kind === 'usage') this.tokens += innermost.usage.input + innermost.usage.output;
    if (now === undefined) return;
    this.#now = now;
    const tokens = this.tokens === 0 ? '' : `, ${shorten(this.tokens)} tokens`;
    this.show(`${this.#now} (turn ${this.turns}${tokens})`);
  }

  #nowOf(event: AgentEvent): string | undefined {
    switch (event.kind) {
      case 'model':
        this.turns += 1;
        return 'thinks';
      case 'call':
        return `${event.tool} ${inputOf(event.input)}`.trim();
      case 'waiting':
        return `waits for the model: ${event.failure.message}`.slice(0, LONGEST);
      case 'compressed':
        return 'shortened its history';
      default:
        return undefined;
    }
  }
}

/** The event itself, of whatever agent below it is. */
export function innermostOf(event: AgentEvent): AgentEvent {
  return event.kind === 'agent' ? innermostOf(event.event) : event;
}

function shorten(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

/** The first text of an input: a path, a pattern or a command. */
function inputOf(input: unknown): string {
  const texts = typeof input === 'object' && input !== null ? Object.values(input) : [];
  const text = texts.find((one): one is string => typeof one === 'string') ?? '';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
