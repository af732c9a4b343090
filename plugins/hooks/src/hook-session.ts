import type {ServiceContext} from '@gemini-kernel/kernel';
import type {OutgoingRequest} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-doctor/contract';
import type {ConfiguredHook} from './config/configured-hook.js';
import {ConfiguredHooks} from './config/configured-hooks.js';
import type {HookEvent, HookVerdict} from './contract.js';
import {selectHooks} from './match.js';
import {outcomes} from './outcomes.js';
import type {HookResult} from './run/judge-outcome.js';
import type {HookInput, Runner} from './run/runner.js';

/** What hooks made of a call before it was judged. */
export interface JudgedCall {
  /** The input that they have seen, or made. */
  readonly input: string;
  readonly verdict: HookVerdict;
  readonly isChanged: boolean;
}

/** Why a prompt ends. */
export interface Stop {
  readonly reason: string;
  /** A hook failed that must not; no hook decided it. */
  readonly isFailure?: true;
}

/** What is known between the moments of one session. */
export interface HookState {
  readonly calls: Map<string, JudgedCall>;
  /** Why the agent must not ask the model again. */
  stop: Stop | undefined;
  /** A hook of AfterAgent has asked for one more round. */
  isContinued: boolean;
  /** Context from SessionStart that the model has not seen yet. */
  startContext: string;
  lastRequest: OutgoingRequest | undefined;
  /** Hooks of BeforeToolSelection want the next answer to call a tool. */
  mustCall: boolean;
}

interface Firing {
  readonly subject?: string;
  /** The id of the call that the event is about. */
  readonly call?: string;
  readonly input: HookInput;
  readonly signal: AbortSignal;
}

/** The hooks of one session, and what is known of it. Loads what runs processes when a hook first matches. */
export class HookSession {
  readonly configured: ConfiguredHooks;
  readonly state: HookState = {
    calls: new Map(),
    stop: undefined,
    isContinued: false,
    startContext: '',
    lastRequest: undefined,
    mustCall: false,
  };
  #runner: Promise<Runner> | undefined;
  #asked: Promise<boolean> | undefined;

  constructor(readonly context: ServiceContext) {
    this.configured = new ConfiguredHooks(context);
  }

  /** Whether a hook of the event would run for one of these subjects. */
  async has(event: HookEvent, ...subjects: readonly string[]): Promise<boolean> {
    const hooks = await this.configured.list();
    return (subjects.length > 0 ? subjects : ['']).some((subject) => selectHooks(hooks, event, subject).length > 0);
  }

  /** Runs the hooks of an event. Without one that may run, the verdict says nothing. */
  async fire(event: HookEvent, {subject = '', call, input, signal}: Firing): Promise<HookVerdict> {
    const hooks = await this.#allowed(event, subject);
    const {mergeResults} = await import('./run/merge-results.js');
    if (hooks.length === 0) return mergeResults([]);
    await this.#announce(hooks);
    const results = await (await this.runner()).runAll(hooks, input, signal);
    const verdict = mergeResults(results);
    for (const result of results) this.#report(result);
    if (call !== undefined) await this.#note(call, event, results);
    for (const message of verdict.messages) this.context.tell({code: 'HOOK_MESSAGE', sentence: message});
    return verdict;
  }

  /** Tells of a run that did not go well; once for each hook and outcome where nothing was stopped. */
  #report({sentence, isClosed, hook, outcome}: HookResult): void {
    if (sentence === undefined) return;
    if (isClosed) this.context.tell({level: 'error', code: 'HOOK_FAILED_CLOSED', sentence});
    else this.context.tell({code: 'HOOK_FAILED_OPEN', sentence, once: `${hook.id} ${outcome} ${sentence}`});
  }

  /** `gemini why` shows what hooks did about a call, also where it changed nothing. */
  async #note(call: string, event: HookEvent, results: readonly HookResult[]): Promise<void> {
    const {names, service} = this.context;
    if (names('journal').length === 0) return;
    const journal = await service('journal');
    for (const {hook, outcome, sentence, isClosed, decision, reason, ms} of results) {
      const what = decision ? `It says ${decision}${reason ? `: ${reason}` : '.'}` : `It ${outcomes[outcome].what}.`;
      const failure = sentence === undefined ? {} : {failure: isClosed ? ('closed' as const) : ('open' as const)};
      const by = {plugin: '@gemini-kernel/plugin-hooks', at: event, name: hook.name.slice(0, 100)};
      await journal.note(call, {...by, said: sentence ?? what, ...failure, ms});
    }
  }

  runner(): Promise<Runner> {
    this.#runner ??= import('./run/runner.js').then(({Runner: Made}) => new Made(this.context));
    return this.#runner;
  }

  async close(): Promise<void> {
    (await this.#runner)?.close();
  }

  /** The hooks that match. Those of the project that are new or changed run when a person agrees. */
  async #allowed(event: HookEvent, subject: string): Promise<readonly ConfiguredHook[]> {
    const select = async (): Promise<readonly ConfiguredHook[]> =>
      selectHooks(await this.configured.list(), event, subject);
    const found = await select();
    const waiting = found.filter(({leftOut}) => leftOut);
    if (waiting.length === 0) return found;
    if (await (this.#asked ??= this.#ask())) return (await select()).filter(({leftOut}) => !leftOut);
    for (const {id, name, event: one} of waiting)
      this.context.tell({
        code: 'HOOK_UNACKNOWLEDGED',
        sentence:
          `The hook ${JSON.stringify(name.slice(0, 100))} (${one}) of this project does not run, because no one has ` +
          'agreed to it as it is now. See `gemini hooks list`, then run `gemini hooks trust`.',
        once: id,
      });
    return found.filter(({leftOut}) => !leftOut);
  }

  /** Asks once about everything in the project that waits for an answer. */
  async #ask(): Promise<boolean> {
    const waiting = (await this.configured.list()).filter(({leftOut}) => leftOut?.reason === 'unacknowledged');
    const {environment, ask} = this.context;
    const answer = await ask({
      title: 'This project brings hooks: programs that run on this computer.',
      text: waiting
        .map(({event, command, matcher}) => `${event}${matcher ? ` (${matcher})` : ''}: ${command}`)
        .join('\n'),
      about: {kind: 'hooks', folder: environment.cwd, hooks: waiting.map(({id}) => id)},
      fields: [{kind: 'yes-no', name: 'run', label: 'Run them?', default: false}],
    });
    if (answer.outcome !== 'answered' || answer.values['run'] !== true) return false;
    await this.configured.acknowledge(waiting);
    return true;
  }

  async #announce(hooks: readonly ConfiguredHook[]): Promise<void> {
    const {session, tell, service} = this.context;
    if (!session.interactive || !session.live) return;
    if ((await (await service('settings')).get('hooksConfig.notifications')) === false) return;
    for (const {id, name, event} of hooks)
      tell({
        level: 'info',
        code: 'HOOK_RUNS',
        sentence: `Hook ${JSON.stringify(name.slice(0, 100))} runs at ${event}.`,
        once: `runs ${id}`,
      });
  }
}
