import {isKernelError, isToolError, KernelError, messageOf, type ServiceContext} from '@gemini-kernel/kernel';
import type {
  ArgumentCompletion,
  CommandArgument,
  CommandOutcome,
  CommandSource,
  SlashCommand,
  SlashCommands,
  SourcedCommand,
} from '../contract.js';
import {splitWords} from '../slash-line.js';
import {findJoined, joinCommands, type JoinedCommand} from './join-commands.js';
import {completeMention} from './complete-mention.js';
import {argumentAtEnd, readArguments} from './read-arguments.js';
import {commandItem} from '../source-items.js';

/** How long a source may look for changes, in milliseconds. */
const REFRESH_MS = 10_000;

type Context = Pick<ServiceContext, 'sources' | 'names' | 'commands' | 'service' | 'tell' | 'ask'>;

/** A line that calls a command of a source. */
interface Called {
  readonly shown: SlashCommand;
  readonly source: NonNullable<JoinedCommand['source']>;
  /** The text after the name. */
  readonly text: string;
}

/** The commands of one session. */
export class LiveSlashCommands implements SlashCommands {
  constructor(private readonly context: Context) {}

  async list(): Promise<readonly SlashCommand[]> {
    return (await this.#join()).map(({shown}) => shown);
  }

  async find(line: string): Promise<SlashCommand | undefined> {
    return (await this.#call(line))?.shown;
  }

  async run(line: string, signal: AbortSignal): Promise<CommandOutcome> {
    const called = await this.#call(line);
    if (!called) throw new KernelError('COMMAND_FAILED', `${line} does not name a command of a source.`);
    const {shown, source, text} = called;
    if (shown.arguments && text.trim() === 'help') return {kind: 'message', text: describeArguments(shown)};
    const values = shown.arguments ? await this.#valuesOf(called, shown.arguments, signal) : {};
    const service: CommandSource = await this.context.service(source.service as `commands:${string}`);
    const invocation = {line: line.trim(), text: text.trim(), values};
    const outcome = await orAborted(
      service.run(source.id, invocation, signal).catch((cause: unknown) => {
        if (signal.aborted || isKernelError(cause) || isToolError(cause)) throw cause;
        throw failed(called, messageOf(cause), cause);
      }),
      signal,
    );
    if (outcome.kind === 'message' || (outcome.kind === 'prompt' && Array.isArray(outcome.parts))) return outcome;
    throw failed(called, 'it returned neither a prompt nor a message.');
  }

  async complete(line: string, signal: AbortSignal): Promise<ArgumentCompletion | undefined> {
    if (!/^\s*\//.test(line)) return orAborted(completeMention(this.context, line, signal), signal);
    const called = await this.#call(line);
    if (!called?.shown.arguments || !/\s/.test(line.trimStart())) return undefined;
    const {source, shown, text} = called;
    const typed = argumentAtEnd(text, shown.arguments ?? []);
    if (!typed) return undefined;
    const service: CommandSource = await this.context.service(source.service as `commands:${string}`);
    const found = await orAborted(service.complete?.(source.id, typed, signal) ?? Promise.resolve([]), signal);
    return {typed: typed.prefix, candidates: found.filter((one) => one.startsWith(typed.prefix))};
  }

  async #join(): Promise<readonly JoinedCommand[]> {
    const {commands, sources, tell} = this.context;
    await Promise.all(this.context.names('commands').map((name) => this.#refresh(name)));
    const joined = joinCommands(commands(), await sources<SourcedCommand>('commands', commandItem));
    for (const sentence of joined.clashes) tell({level: 'info', code: 'COMMAND_RENAMED', sentence, once: sentence});
    return joined.commands;
  }

  /** A source that fails here is reported when it lists. */
  async #refresh(name: string): Promise<void> {
    const refresh = async (): Promise<void> => (await this.context.service(name as `commands:${string}`)).refresh?.();
    await orAborted(refresh(), AbortSignal.timeout(REFRESH_MS)).catch(() => undefined);
  }

  async #call(line: string): Promise<Called | undefined> {
    const [, typed = ''] = /^\s*\/(\S.*)$/s.exec(line) ?? [];
    if (typed === '') return undefined;
    const found = findJoined(splitWords(typed), await this.#join());
    if (!found?.source) return undefined;
    const {shown, source} = found;
    const name = new RegExp(`^(?:\\S+\\s*){${shown.words.length}}`).exec(typed)?.[0] ?? typed;
    return {shown, source, text: typed.slice(name.length)};
  }

  /** The values of the arguments; asks the person for missing required ones. */
  async #valuesOf(
    {shown, text}: Called,
    declared: readonly CommandArgument[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>> {
    const {values, missing, left} = readArguments(text, declared);
    if (left.length > 0) throw invalid(shown, `has no argument for ${JSON.stringify(left.join(' '))}`);
    if (missing.length === 0) return values;
    const name = shown.words.join(' ');
    // An owner and an argument can have any name; a field and a line of a form cannot.
    const form = {
      title: onOneLine(`/${name} of ${shown.owner ?? 'a source'} needs arguments.`),
      about: {kind: 'command', command: name, owner: shown.owner ?? ''},
      fields: missing.map((one, index) => ({
        kind: 'text' as const,
        name: `argument${index}`,
        label: onOneLine(one.name),
        ...(one.description ? {description: one.description} : {}),
      })),
    };
    const answer = await this.context.ask(form, signal);
    if (answer.outcome !== 'answered')
      throw invalid(shown, `needs a value for ${missing.map((one) => one.name).join(', ')}`);
    return {
      ...values,
      ...Object.fromEntries(missing.map((one, index) => [one.name, String(answer.values[`argument${index}`])])),
    };
  }
}

/** Rejects with the reason of the signal at once, also when the source ignores it. */
function orAborted<T>(act: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, {once: true});
    act.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ');
}

function failed({shown, source}: Called, reason: string, cause?: unknown): KernelError {
  return new KernelError('COMMAND_FAILED', `/${shown.words.join(' ')} of ${source.plugin} failed: ${reason}`, {cause});
}

function invalid(shown: SlashCommand, what: string): KernelError {
  const name = shown.words.join(' ');
  return new KernelError('COMMAND_INPUT_INVALID', `/${name} ${what}.`, {
    hint: `/${name} help shows its arguments. Pass one by name with --name=value.`,
  });
}

function describeArguments({words, summary, arguments: declared = []}: SlashCommand): string {
  const rows = declared.map(({name, description = '', isRequired}) =>
    `  --${name}  ${description}${isRequired ? ' (required)' : ''}`.trimEnd(),
  );
  return [`/${words.join(' ')}: ${summary}`, ...rows].join('\n');
}
