import {readFile} from 'node:fs/promises';
import {constants} from 'node:os';
import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {
  isKernelError,
  isToolError,
  KernelError,
  messageOf,
  type Confirmation,
  type JSONSchema,
  type ToolResult,
} from '@gemini-kernel/kernel';
import type {CallOptions, Question, Span, ToolOutcome} from '@gemini-kernel/kernel/host';
import {KernelCommand} from '@gemini-kernel/command';
import {findTool} from '../../find-tool.js';
import {parseObject, parsePairs} from '../../parse-arguments.js';
import {contentOf, renderKept, renderPreview, renderResult, renderTouches} from '../../render.js';

const QUIET_MS = 700;
/** What no answer means. */
const SILENT: Readonly<Record<string, string>> = {'tool:judge': 'no opinion', 'tool:confirm': 'did not answer'};

interface Called {
  readonly callId: string;
  readonly tool: string;
  readonly ms: number;
  readonly result: ToolResult;
  /** The content that was read or printed, without the notes for a model. */
  readonly content: string;
  readonly trace?: readonly Span[];
}

export default class ToolsCall extends KernelCommand {
  static override summary = 'Call a tool as the model would.';
  static override description = [
    'The call takes the same path as a call of the model: its input is checked, it is judged, and if a rule asks for ' +
      'approval, you are asked at the terminal. Without a terminal such a call is refused, unless --yes approves ' +
      'it.',
    'The exit code is 0 only if the tool ran and succeeded; with --exit-code it is the exit code of the command ' +
      'that the tool ran.',
    'Through a pipe you get only the content that was read or printed, without the notes for a model.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> <%= command.id %> read_file file_path=README.md end_line=20',
    '<%= config.bin %> <%= command.id %> write_file --args \'{"file_path": "a.txt", "content": "hello"}\'',
    '<%= config.bin %> <%= command.id %> write_file --args-file call.json --yes --json',
    "<%= config.bin %> <%= command.id %> run_shell_command 'npm test' --yes --exit-code",
  ];
  static override args = {name: Args.string({description: 'Name of the tool.', required: true, ignoreStdin: true})};
  static override flags = {
    args: Flags.string({description: 'The input, as a JSON object.', exclusive: ['args-file'], helpValue: '<json>'}),
    'args-file': Flags.string({
      description: 'File with the input as a JSON object; - is standard input.',
      helpValue: '<file>',
    }),
    yes: Flags.boolean({description: 'Approve this call if a rule asks. Denied calls stay denied.'}),
    'exit-code': Flags.boolean({description: 'Exit with the exit code of the command that the tool ran.'}),
    trace: Flags.boolean({description: 'Show which listeners saw the call, what each answered and how long it took.'}),
  };
  static override strict = false;
  static override slash = true;

  private toldFrom: number | undefined;

  async run(): Promise<Called> {
    const {args, argv, flags} = await this.parse(ToolsCall);
    const {input: schema} = await findTool(this.kernel, this.conversation, args.name);
    const input = await this.readInput(schema, argv.slice(1).map(String), flags);
    const outcome = await this.conversation.call(
      {tool: args.name, input},
      {
        signal: this.host.signal,
        ...this.answerer(flags.yes),
        onProgress: ({text: line}) => this.tell(line),
      },
    );
    const trace = flags.trace ? this.kernel.trace.of(outcome.callId) : undefined;
    for (const span of trace ?? []) this.logToStderr(describeSpan(span));
    const result = resultOf(outcome, this.session.interactive);
    const content = contentOf(result);
    const shown = this.host.terminal || this.session.live ? renderResult(result) : content;
    if (shown !== '') this.print(shown);
    if (flags['exit-code'] && !this.session.live) this.host.end(exitCodeOf(result));
    const {plain: _, ...rest} = result;
    return {callId: outcome.callId, tool: args.name, ms: outcome.ms, result: rest, content, ...(trace ? {trace} : {})};
  }

  private async readInput(
    schema: JSONSchema,
    pairs: readonly string[],
    flags: {readonly args?: string | undefined; readonly 'args-file'?: string | undefined},
  ): Promise<Record<string, unknown>> {
    const file = flags['args-file'];
    const whole =
      flags.args !== undefined
        ? parseObject(flags.args, '--args')
        : file !== undefined
          ? parseObject(await this.readArguments(file), file === '-' ? 'Standard input' : file)
          : {};
    return {...whole, ...parsePairs(pairs, schema)};
  }

  private async readArguments(file: string): Promise<string> {
    try {
      return file === '-'
        ? await (await import('node:stream/consumers')).text(this.host.input)
        : await readFile(resolve(this.kernel.environment.cwd, file), 'utf8');
    } catch (cause) {
      throw new KernelError('ARGUMENTS_UNREADABLE', `Cannot read ${file}: ${messageOf(cause)}`, {
        cause,
        hint: 'Pass the path of a file with a JSON object.',
      });
    }
  }

  /** Shows the progress of calls that take a while; the first output is in the result soon enough. */
  private tell(line: string): void {
    this.toldFrom ??= performance.now() + QUIET_MS;
    if (this.session.interactive && performance.now() >= this.toldFrom) this.logToStderr(this.style('dim', line));
  }

  /** Answers for the person; without a terminal and --yes there is no answer, and the judges know it. */
  private answerer(yes: boolean): Pick<CallOptions, 'confirm'> {
    if (yes) return {confirm: () => Promise.resolve({decision: 'yes'})};
    return this.session.interactive ? {confirm: (question) => this.confirm(question)} : {};
  }

  private async confirm({call, preview, reason, choices}: Question): Promise<Confirmation> {
    const shown = preview
      ? renderPreview(preview, (style, line) => this.style(style, line))
      : renderTouches(call.touches);
    const offered = choices.filter(({unavailable}) => unavailable === undefined);
    const isInstalled = this.kernel.catalog.plugins.get(call.plugin ?? '')?.origin !== 'core';
    const filled = await this.conversation.ask({
      title: `Review this call of ${call.tool}${isInstalled ? `, a tool of ${call.plugin ?? 'no plugin'}` : ''}.`,
      text: [shown, reason, renderKept(choices)].filter((part) => part !== '').join('\n'),
      about: {kind: 'tool', tool: call.tool, id: call.id},
      fields: [{name: 'answer', label: `Run ${call.tool}?`, kind: 'choice', options: offered, default: 'no'}],
    });
    const {answer} = filled.outcome === 'answered' ? filled.values : {};
    return offered.find(({value}) => value === answer)?.answer ?? {decision: 'no', reason: 'You refused the call.'};
  }
}

function describeSpan({hook, plugin, outcome, ms, answer, error}: Span): string {
  const said = error ?? (answer === undefined ? (SILENT[hook] ?? '') : JSON.stringify(answer).slice(0, 100));
  return `${ms.toFixed(2).padStart(8)} ms  ${hook}  ${plugin}  ${outcome}  ${said}`;
}

/** As a shell gives it: 128 and the number of the signal that ended a command. */
function exitCodeOf({data}: ToolResult): number {
  const {exitCode, signal} = (data ?? {}) as {readonly exitCode?: unknown; readonly signal?: unknown};
  if (typeof exitCode === 'number') return exitCode;
  return typeof signal === 'string' ? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0) : 0;
}

function resultOf(outcome: ToolOutcome, interactive: boolean): ToolResult {
  if (outcome.status === 'done') return outcome.result;
  if (outcome.status === 'refused') {
    const by = outcome.by === undefined || outcome.by === 'tool:confirm' ? '' : ` (${outcome.by})`;
    const hint = outcome.by === 'tool:confirm' && !interactive ? {hint: 'To approve calls that ask, pass --yes.'} : {};
    throw new KernelError('CALL_REFUSED', `The call was refused${by}: ${outcome.reason}`, hint);
  }
  const {message, cause} = outcome.error;
  if (isKernelError(cause) || isToolError(cause)) throw cause;
  throw new KernelError('TOOL_CRASHED', message, {
    hint: 'This is a bug in the plugin. Set DEBUG=1 to see where it happened.',
    cause,
  });
}
