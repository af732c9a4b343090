import {
  KernelError,
  messageOf,
  type EndedCall,
  type ServiceContext,
  type ToolCall,
  type ToolResult,
  type Verdict,
} from '@gemini-kernel/kernel';
import type {FinishedTurn, ModelEvent, OutgoingRequest} from '@gemini-kernel/plugin-agent/contract';
import type {ConfiguredHook} from './config/configured-hook.js';
import type {HookInfo, Hooks, HookTrial} from './contract.js';
import {findHooks} from './find-hook.js';
import {HookSession} from './hook-session.js';

/** How long hooks of Notification have when a session ends. */
const LAST_MS = 1000;

/** The hooks of a session. Where no hook matches, nothing is loaded and no process starts. */
export class LiveHooks implements Hooks {
  readonly #hooks: HookSession;
  readonly #notifying = new Set<Promise<void>>();
  readonly #ending = new AbortController();

  constructor(context: ServiceContext) {
    this.#hooks = new HookSession(context);
  }

  async list(): Promise<readonly HookInfo[]> {
    return (await this.#hooks.configured.list()).map(infoOf);
  }

  async reload(): Promise<void> {
    this.#hooks.configured.reload();
  }

  async close(): Promise<void> {
    // What hears of the last question may still finish.
    const timer = setTimeout(() => this.#ending.abort(new Error('The session has ended.')), LAST_MS);
    await Promise.all(this.#notifying);
    clearTimeout(timer);
    await this.#hooks.close();
  }

  async test(id: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<HookTrial> {
    const [hook] = findHooks(await this.#hooks.configured.list(), id);
    if (!hook) throw new TypeError('A hook that is found is there.');
    const {leftOut} = hook;
    if (leftOut && leftOut.reason !== 'disabled' && leftOut.reason !== 'off')
      throw new KernelError('HOOK_UNTRUSTED', `This hook must not run. ${leftOut.sentence}`);
    const {mergeResults} = await import('./run/merge-results.js');
    const {describeRun} = await import('./run/runner.js');
    const results = await (await this.#hooks.runner()).runAll([hook], input, signal);
    return {
      runs: results.map(describeRun),
      verdict: mergeResults(results),
    };
  }

  async trust(ids: readonly string[]): ReturnType<Hooks['trust']> {
    const hooks = (await this.#hooks.configured.list()).filter(({layer}) => layer === 'workspace');
    const chosen = hooks.filter(({id}) => ids.includes(id));
    const bad = chosen.find(({leftOut}) => leftOut?.reason === 'untrusted' || leftOut?.reason === 'invalid');
    if (bad?.leftOut) throw new KernelError('HOOK_UNTRUSTED', bad.leftOut.sentence);
    return {file: await this.#hooks.configured.acknowledge(chosen), trusted: chosen.map(infoOf)};
  }

  async toolInput(call: ToolCall, value: unknown, signal: AbortSignal): Promise<unknown> {
    // Outside of a conversation a call may only be described; hooks are asked when it is judged.
    if (!call.session.live || !(await this.#hooks.has('BeforeTool', call.tool))) return value;
    return (await import('./moments/before-tool.js')).changeInput(this.#hooks, {call, value, signal});
  }

  async toolJudge(call: ToolCall, signal: AbortSignal): Promise<Verdict | undefined> {
    if (!(await this.#hooks.has('BeforeTool', call.tool))) return undefined;
    return (await import('./moments/before-tool.js')).judgeCall(this.#hooks, call, signal);
  }

  async toolResult(call: ToolCall, value: ToolResult, signal: AbortSignal): Promise<ToolResult> {
    const isChanged = this.#hooks.state.calls.get(call.id)?.isChanged === true;
    if (!isChanged && !(await this.#hooks.has('AfterTool', call.tool))) return value;
    return (await import('./moments/after-tool.js')).changeResult(this.#hooks, {call, value, signal});
  }

  async toolEnd(ended: EndedCall): Promise<void> {
    this.#hooks.state.calls.delete(ended.id);
    if (ended.status !== 'failed' || !(await this.#hooks.has('AfterTool', ended.tool))) return;
    await (await import('./moments/after-tool.js')).seeFailure(this.#hooks, ended);
  }

  /** The question is not held up by the hooks that hear of it. */
  async toolConfirm(call: ToolCall, reason: string): Promise<void> {
    if (!(await this.#hooks.has('Notification', 'ToolPermission'))) return;
    const {notify} = await import('./moments/session.js');
    const notifying: Promise<void> = notify(this.#hooks, {call, reason, signal: this.#ending.signal})
      .catch((error: unknown) =>
        this.#hooks.context.tell({
          code: 'HOOK_FAILED_OPEN',
          sentence: `A hook of Notification failed: ${messageOf(error)}`,
        }),
      )
      .finally(() => this.#notifying.delete(notifying));
    this.#notifying.add(notifying);
  }

  async toolsOffer(value: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    if (!(await this.#hooks.has('BeforeToolSelection'))) return value;
    return (await import('./moments/model.js')).chooseOffered(this.#hooks, value, signal);
  }

  async promptSubmit(prompt: string, signal: AbortSignal): Promise<Verdict | undefined> {
    const {state} = this.#hooks;
    [state.stop, state.isContinued] = [undefined, false];
    if (state.startContext === '' && !(await this.#hooks.has('BeforeAgent'))) return undefined;
    return (await import('./moments/agent.js')).judgePrompt(this.#hooks, prompt, signal);
  }

  async turnEnd(turn: FinishedTurn, signal: AbortSignal): Promise<Verdict | undefined> {
    // What a hook has stopped gets no further round.
    if (this.#hooks.state.stop !== undefined || !(await this.#hooks.has('AfterAgent'))) return undefined;
    return (await import('./moments/agent.js')).judgeEnd(this.#hooks, turn, signal);
  }

  async modelRequest(value: OutgoingRequest, signal: AbortSignal): Promise<OutgoingRequest> {
    const {state} = this.#hooks;
    if (state.stop !== undefined) return (await import('./moments/model.js')).stopRequest(value, state.stop);
    const isChanged = await this.#hooks.has('BeforeModel');
    const changed = isChanged
      ? await (await import('./moments/model.js')).changeRequest(this.#hooks, value, signal)
      : value;
    state.lastRequest = changed;
    return state.mustCall ? (await import('./moments/model.js')).withChoice(changed) : changed;
  }

  async modelResponse(_: string, value: ModelEvent, signal: AbortSignal): Promise<ModelEvent> {
    if (!(await this.#hooks.has('AfterModel'))) return value;
    return (await import('./moments/model.js')).changeResponse(this.#hooks, value, signal);
  }

  async sessionOpen(signal: AbortSignal): Promise<void> {
    if (await this.#hooks.has('SessionStart', 'startup', 'resume', 'clear'))
      await (await import('./moments/session.js')).begin(this.#hooks, signal);
  }

  async sessionClose(signal: AbortSignal): Promise<void> {
    if (await this.#hooks.has('SessionEnd', 'exit', 'clear', 'other'))
      await (await import('./moments/session.js')).end(this.#hooks, signal);
  }

  async historyCompress(isAsked: boolean, signal: AbortSignal): Promise<void> {
    if (!(await this.#hooks.has('PreCompress', isAsked ? 'manual' : 'auto'))) return;
    await (await import('./moments/session.js')).beforeCompress(this.#hooks, isAsked, signal);
  }
}

/** What others may know of a hook: not its variables. */
function infoOf({isManaged: _, isDeclared: __, variables: ___, ...info}: ConfiguredHook): HookInfo {
  return info;
}
