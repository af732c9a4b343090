import {Args} from '@oclif/core';
import {isDeepStrictEqual} from 'node:util';
import {KernelError, type EndedCall} from '@gemini-kernel/kernel';
import type {Span} from '@gemini-kernel/kernel/host';
import {KernelCommand} from '@gemini-kernel/command';
import type {KeptCall} from '../contract.js';

const WORDS: Readonly<Record<EndedCall['status'], string>> = {
  done: 'ran',
  failed: 'failed',
  refused: 'was refused',
  aborted: 'was cancelled',
};

export default class Why extends KernelCommand {
  static override summary = 'Show what happened to a call: what decided about it, what changed, how long it took.';
  static override description =
    'The newest calls, about two megabytes, are recorded on this machine for you only; long texts in them are cut.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> last --json',
    '<%= config.bin %> <%= command.id %> read_file__1a2b3c4d-1',
  ];
  static override args = {
    call: Args.string({
      description: 'Id of the call, or its beginning; last is the newest.',
      default: 'last',
      ignoreStdin: true,
    }),
  };
  static override slash = true;

  async run(): Promise<KeptCall> {
    const {args} = await this.parse(Why);
    const journal = await this.service('journal');
    const call = await journal.find(args.call);
    if (!call) {
      const ids = (await journal.recent(3)).map(({id}) => id);
      const hint =
        ids.length > 0
          ? `The newest are ${ids.join(', ')}.`
          : 'No call is recorded yet. Make one with gemini tools call.';
      throw new KernelError(
        'CALL_FORGOTTEN',
        args.call === 'last' ? 'No call is recorded.' : `No call ${args.call} is recorded.`,
        {hint},
      );
    }
    this.#show(call);
    return call;
  }

  #show(kept: KeptCall): void {
    const {reason, by, given, call, spans} = kept;
    this.#showHead(kept);
    if (reason) this.log(`${by ? `${by}: ` : ''}${reason}`);
    this.log(`\nInput   ${JSON.stringify(given)}`);
    if (call && !isDeepStrictEqual(call.input, given)) this.log(`Became  ${JSON.stringify(call.input)}`);
    for (const {kind, access, value} of call?.touches ?? []) this.log(`Touches ${access} ${kind} ${value}`);
    this.log(spans.length > 0 ? '' : '\nNo listener was asked.');
    const [hooks, plugins] = [widest(spans.map(({hook}) => hook)), widest(spans.map(({plugin}) => plugin))];
    for (const span of byHook(spans))
      this.log(
        `${span.ms.toFixed(2).padStart(8)} ms  ${span.hook.padEnd(hooks)}  ${span.plugin.padEnd(plugins)}  ` +
          `${this.#said(span, reason)}`,
      );
    this.#showNotes(kept);
  }

  #showNotes({notes = []}: KeptCall): void {
    if (notes.length > 0) this.log('\nPrograms that ran for it:');
    for (const {at, name, said, failure, ms} of notes) {
      const end = failure === 'closed' ? ' This stopped the call.' : ' Its failure stopped nothing.';
      const text = failure === undefined ? said : this.style(failure === 'closed' ? 'bad' : 'warn', said + end);
      this.log(`${ms.toFixed(2).padStart(8)} ms  ${at}  ${name}  ${text}`);
    }
  }

  #showHead({id, tool, status, began, ms, call, cwd}: KeptCall): void {
    const word = this.style(status === 'done' ? 'good' : 'bad', WORDS[status]);
    const when = new Date(began).toISOString().replace('T', ' ').slice(0, 19);
    const owner = [call?.server, call?.plugin].filter((one) => one !== undefined).join(', ');
    const named = this.style('strong', tool) + (owner === '' ? '' : ` of ${owner}`);
    this.log(`${named} ${word}, ${ms.toFixed(1)} ms, ${when} UTC, in ${cwd}`);
    const session = call && `, mode ${call.session.mode}, ${call.session.interactive ? 'with' : 'without'} a person`;
    this.log(this.style('dim', `${id}${session ?? ''}`));
  }

  /** The answer of a listener; a reason that was shown already is not repeated. */
  #said({outcome, answer, changed, error}: Span, told: string | undefined): string {
    if (outcome !== 'answered') return this.style('bad', `${outcome}: ${error ?? ''}`);
    if (changed !== undefined)
      return changed ? this.style('warn', 'changed it') : this.style('dim', 'did not change it');
    const {decision, reason} = (answer ?? {}) as {readonly decision?: string; readonly reason?: string};
    if (!decision) return this.style('dim', 'no opinion');
    const style = ['deny', 'no'].includes(decision) ? 'bad' : decision === 'ask' ? 'warn' : 'good';
    return `${this.style(style, decision)}${reason && reason !== told ? `  ${reason}` : ''}`;
  }
}

/** By hook, and by plugin within one: listeners that are asked at once answer in any order. */
function byHook(spans: readonly Span[]): readonly Span[] {
  const hooks = [...new Set(spans.map(({hook}) => hook))];
  return hooks.flatMap((hook) =>
    spans.filter((span) => span.hook === hook).sort((a, b) => (a.plugin < b.plugin ? -1 : 1)),
  );
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({length}) => length));
}
