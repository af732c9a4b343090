import {
  KernelError,
  provide,
  type ApprovalChoice,
  type OfferedTool,
  type ServiceContext,
  type SessionStart,
  type ToolCall,
  type Verdict,
} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/admission/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Approvals} from '../approvals.js';
import {findCheckerPrograms, findMode, findNextMode, isSwitchedOn, modeOf, tighterMode} from '../approval-mode.js';
import {CheckerRound} from '../checkers/checker-round.js';
import type {Asked, Explained, GrantedByRules, Policy} from '../contract.js';
import {Engine} from '../engine/engine.js';
import {grantedTo} from '../engine/granted.js';
import {systemDisk} from '../engine/open-disk.js';
import {systemOf, type Circumstances, type World} from '../engine/judge-part.js';
import {sayWhy} from '../engine/say.js';
import {explainCall} from '../explain-call.js';
import {commandGrants} from '../mode-limits.js';
import {readPolicy} from '../read-policy.js';
import type {Ready} from '../ready.js';
import {confineChecker, isSandboxed} from '../is-sandboxed.js';
import {rulesOfPlace} from '../rules-of-place.js';
import {strengthOf, type Mode, type Rule} from '../rule.js';

/** The rules of one session. */
export default provide('policy', {
  version: '1.2.0',
  scope: 'session',
  methods: [
    ...(['begin', 'changeMode', 'judge', 'grants', 'guard', 'onlyReads'] as const),
    ...(['explain', 'passable', 'choices', 'narrow', 'remember', 'rules', 'check'] as const),
  ],
  create: (context) => new LivePolicy(context),
  dispose: (policy) => (policy as LivePolicy).close(),
});

class LivePolicy implements Policy {
  #ready: Promise<Ready> | undefined;
  #began: Mode = 'default';
  /** Of the lists of tools that were asked about: the same list comes with every request to a model. */
  readonly #passable = new WeakMap<object, {key: string; engine: Engine; names: readonly string[]}>();
  /** What a person allowed until the session ends. */
  #approved: readonly Rule[] = [];
  #approving: Approvals | undefined;

  constructor(private readonly context: ServiceContext) {}

  async begin(start: SessionStart): Promise<{readonly mode: Mode; readonly requireGuards: boolean}> {
    const {tell, service} = this.context;
    const settings = await service('settings');
    const {policy} = await this.#load();
    const [unfound] = policy.unfound;
    if (unfound)
      throw new KernelError('POLICY_UNREADABLE', `--policy cannot be followed: ${unfound.message}`, {
        hint: unfound.hint,
        data: {path: unfound.file},
      });
    if (policy.broken) throw policy.broken;
    for (const {file, message} of policy.inVain) tell({code: 'RULES_IN_VAIN', sentence: `${file}: ${message}`});
    const {session} = this.context;
    if (session.subagent !== undefined && session.parent !== undefined)
      await (await service('session-approvals')).join(session.id, session.parent);
    // What a subagent may do follows from what its parent may, and not from the settings once more.
    const mode = start.parent
      ? tighterMode(start.mode, start.parent.mode)
      : await findMode(settings, (sentence) => tell({code: 'MODE_LEFT_OUT', sentence}));
    this.#began = mode;
    return {
      mode,
      requireGuards: await isSwitchedOn(settings, 'security.requireGuards'),
    };
  }

  async changeMode(wanted: string): Promise<Mode> {
    const {service, session} = this.context;
    return findNextMode(await service('settings'), wanted, session.parent === undefined ? undefined : this.#began);
  }

  async judge(call: ToolCall): Promise<Verdict> {
    const ready = await this.#load();
    if (ready.policy.broken) throw ready.policy.broken;
    const circumstances = await this.#circumstancesOf(ready, call);
    const judgement = await ready.engine.judge(call, circumstances);
    if (judgement.decision === 'deny') return {decision: 'deny', reason: sayWhy(judgement, circumstances.interactive)};
    const checked = await ready.checkers.run(call, circumstances);
    if (checked && !(checked.decision === 'ask' && judgement.decision === 'ask')) return checked;
    return {decision: judgement.decision, reason: sayWhy(judgement, circumstances.interactive)};
  }

  async grants(call: ToolCall): Promise<readonly GrantedByRules[]> {
    const ready = await this.#load();
    const circumstances = await this.#circumstancesOf(ready, call);
    const commands = commandGrants(ready.policy.limits ?? [], modeOf(call), this.context.environment.home);
    return grantedTo(await ready.engine.judge(call, circumstances), commands);
  }

  async guard(paths: readonly string[]): Promise<readonly Verdict[]> {
    const ready = await this.#load();
    if (ready.policy.broken) throw ready.policy.broken;
    const circumstances = await this.#circumstances(ready, {mode: 'default', interactive: true});
    return ready.engine.judgeFiles(paths, circumstances).map((part) => ({
      decision: part.finding.decision,
      reason: sayWhy({decision: part.finding.decision, parts: [part]}, true),
    }));
  }

  async onlyReads(call: ToolCall): Promise<boolean> {
    const ready = await this.#load();
    const circumstances = await this.#circumstances(ready, {mode: 'default', interactive: true});
    return (await ready.engine.judge(call, {...circumstances, trusted: true, sandboxed: false})).onlyReads;
  }

  async explain(call: ToolCall, asked: Asked): Promise<Explained> {
    const ready = await this.#load();
    const {mode = modeOf(call), interactive = call.session.interactive, caller} = asked;
    const circumstances = await this.#circumstances(ready, {mode, interactive, caller, tool: call.tool});
    return explainCall(ready.engine, call, circumstances);
  }

  async passable(tools: readonly OfferedTool[]): Promise<readonly string[]> {
    const ready = await this.#load();
    const {session} = this.context;
    const circumstances = await this.#circumstances(ready, {mode: modeOf({session}), interactive: session.interactive});
    const key = JSON.stringify(circumstances);
    const known = this.#passable.get(tools);
    if (known?.key === key && known.engine === ready.engine) return known.names;
    const names = tools
      .filter(({name, ...tool}) => ready.engine.canPass({...tool, tool: name}, circumstances, session.subagent))
      .map(({name}) => name);
    this.#passable.set(tools, {key, engine: ready.engine, names});
    return names;
  }

  async choices(call: ToolCall): Promise<readonly ApprovalChoice[]> {
    return (await this.#approvals()).choices(call);
  }

  async narrow(call: ToolCall, prefixes: readonly string[]): Promise<readonly ApprovalChoice[]> {
    return (await this.#approvals()).narrow(call, prefixes);
  }

  async remember(call: ToolCall, until: 'session' | 'always', shown?: string): Promise<void> {
    const rules = await (await this.#approvals()).keep(call, until, shown);
    if (rules.length > 0) await (await this.context.service('session-approvals')).add(this.context.session.id, rules);
  }

  async #approvals(): Promise<Approvals> {
    const {Approvals} = await import('../approvals.js');
    const {openShellReader: reader} = this.#world;
    const about = async (call: ToolCall) => ({mode: modeOf(call), roots: await this.#roots(), reader});
    return (this.#approving ??= new Approvals(this.context, about));
  }

  async rules(): ReturnType<Policy['rules']> {
    const {policy} = await this.#load();
    const rules = [...policy.rules, ...this.#approved].sort((a, b) => strengthOf(b) - strengthOf(a));
    return {rules, problems: policy.problems, files: policy.files.map(({file}) => file)};
  }

  async check(knownTools: readonly string[]): ReturnType<Policy['check']> {
    const {problems, files} = await readPolicy(this.context, knownTools);
    return {problems, files: files.map(({file}) => file)};
  }

  async close(): Promise<void> {
    const {service, session} = this.context;
    await (await service('session-approvals')).end(session.id);
    (await service('place-rules')).end(session.id);
    // Rules that could not be read have started no checker.
    (await this.#ready?.catch(() => undefined))?.checkers.close();
  }

  async #load(): Promise<Ready> {
    this.#ready ??= this.#read().catch((error: KernelError) => {
      // A file that is corrected meanwhile is read at the next question.
      this.#ready = undefined;
      throw error;
    });
    const [ready, approvals] = await Promise.all([this.#ready, this.context.service('session-approvals')]);
    const approved = await approvals.list(this.context.session.id);
    if (approved.length === this.#approved.length) return ready;
    this.#approved = approved;
    this.#ready = Promise.resolve(this.#compile(ready));
    return this.#ready;
  }

  async #read(): Promise<Ready> {
    const {environment, service} = this.context;
    const [settings, trust] = await Promise.all([service('settings'), service('trust')]);
    const policy = await rulesOfPlace(this.context);
    const programs = await findCheckerPrograms(settings);
    return this.#compile({
      policy,
      checkers: new CheckerRound(policy.checkers, programs, {
        ...environment,
        realPaths: this.#world.realPaths,
        system: systemOf(this.#world),
        signal: this.context.signal,
        confine: (program) => confineChecker(this.context, program),
      }),
      trusted: await trust.may('shell-defaults'),
    });
  }

  #compile(parts: Omit<Ready, 'engine'>): Ready {
    return {...parts, engine: new Engine({rules: [...parts.policy.rules, ...this.#approved]}, this.#world)};
  }

  get #world(): World {
    const {environment, service} = this.context;
    return {
      platform: environment.platform,
      home: environment.home,
      openShellReader: async () => (await import('../bash/open-reader.js')).openShellReader(),
      realPaths: async (paths) => (await service('workspace')).locate(paths),
      disk: systemDisk,
      variables: environment.variables,
    };
  }

  #circumstancesOf(ready: Ready, call: ToolCall): Promise<Circumstances> {
    return this.#circumstances(ready, {mode: modeOf(call), interactive: call.session.interactive, tool: call.tool});
  }

  async #circumstances(
    {trusted}: Ready,
    {tool, ...asked}: Pick<Circumstances, 'mode' | 'interactive' | 'caller'> & {readonly tool?: string},
  ): Promise<Circumstances> {
    const sandboxed = await isSandboxed(this.context, tool);
    const caller = asked.caller ?? this.context.session.caller;
    return {...asked, caller, trusted, sandboxed, roots: await this.#roots()};
  }

  /** Asked each time: a session may be given more of them. */
  async #roots(): Promise<readonly string[]> {
    return (await (await this.context.service('workspace')).roots()).map(({path}) => path);
  }
}
