import {createRequire} from 'node:module';
import type {PlaceOptions, ServiceContext, Session} from '@gemini-kernel/kernel';
import type {Agent, AgentEvent, TurnEnd} from '@gemini-kernel/plugin-agent/contract';
import type {AgentInfo, AgentRun, RunningAgents, RunWatch, Worktree} from '../contract.js';
import {AgentClock} from './agent-clock.js';
import {inWorktree, promptIn} from './in-worktree.js';
import {toolsOf, withPlace} from './own-place.js';
import {composeInstruction} from './instruction.js';
import {innermostOf, Progress} from './progress.js';

interface Parts {
  readonly context: Pick<ServiceContext, 'open' | 'session' | 'service' | 'environment' | 'names'>;
  readonly running: RunningAgents;
  readonly depth: number;
}

interface Asked {
  readonly agent: AgentInfo;
  readonly prompt: string;
}

const VERSION = (createRequire(import.meta.url)('../../package.json') as {version: string}).version;
/** The last turn of an agent that has used up its turns or its time. */
const REPORT_MS = 60_000;
/** The limits that an end of the conversation names by its code; every other one is that of turns. */
const LIMITS: Readonly<Record<string, AgentRun['limit']>> = {COST_EXHAUSTED: 'cost', TIME_EXHAUSTED: 'time'};
const REPORT =
  'Your turns, time or tokens are used up, and your tools are gone. Report now: what you found or changed, and what ' +
  'is left open.';

/**
 * Runs an agent in a session below the caller's. Throws the reason of the signal, or KernelError WORKTREE_FAILED for an
 * agent that needs a worktree.
 */
export async function runAgent(parts: Parts, asked: Asked, watch: RunWatch): Promise<AgentRun> {
  const {remote} = asked.agent;
  if (remote) {
    const {runRemote} = await import('./run-remote.js');
    return runRemote(parts.context, {...asked, agent: {...asked.agent, remote}}, watch);
  }
  if (asked.agent.isolation === undefined) return runIn(undefined, parts, asked, watch);
  return inWorktree(await parts.context.service('worktrees'), asked, (tree) => runIn(tree, parts, asked, watch));
}

async function runIn(tree: Worktree | undefined, parts: Parts, asked: Asked, watch: RunWatch): Promise<AgentRun> {
  return withPlace(parts, {agent: asked.agent, tree}, (place) => runThere({place, tree}, parts, asked, watch));
}

async function runThere(
  {place, tree}: {readonly place: PlaceOptions; readonly tree: Worktree | undefined},
  parts: Parts,
  asked: Asked,
  watch: RunWatch,
): Promise<AgentRun> {
  const {context, running, depth} = parts;
  const {name} = asked.agent;
  const tools = toolsOf(asked.agent);
  const session = context.open({live: context.session.live, subagent: name, ...place});
  const {id} = session.info;
  const holds = {agent: name, depth, ...(tools ? {tools} : {})};
  await running.put(id, {...holds, isEnding: false});
  try {
    return await new AgentWork(
      parts,
      {...asked, prompt: promptIn(tree, asked.prompt), session, end: () => running.put(id, {...holds, isEnding: true})},
      watch,
    ).run();
  } finally {
    await session.close();
    await running.delete(id);
  }
}

interface Work extends Asked {
  readonly session: Session;
  /** Takes the tools away. */
  end(): Promise<void>;
}

interface Sending {
  readonly turns: number;
  readonly signal: AbortSignal;
}

/** One run, in its open session. */
class AgentWork {
  readonly #started = performance.now();
  readonly #progress: Progress;
  /** Its tokens are used up. */
  readonly #spent = new AbortController();

  constructor(
    private readonly parts: Parts,
    private readonly work: Work,
    private readonly watch: RunWatch,
  ) {
    this.#progress = new Progress((line) => watch.onProgress(line));
  }

  async run(): Promise<AgentRun> {
    const {session, agent: definition, prompt} = this.work;
    const {running, context} = this.parts;
    const caller = await context.service('agent');
    const agent = await session.service('agent');
    const {chosen, model} = await caller.model();
    await agent.assume({
      instruction: composeInstruction(definition, {
        query: prompt,
        today: new Date().toISOString().slice(0, 10),
        activeModel: model,
        cliVersion: VERSION,
      }),
      model: definition.model === 'inherit' ? chosen : definition.model,
      config: {temperature: definition.temperature, topP: definition.topP},
    });
    const clock = new AgentClock(session.info.id, definition.maxMinutes * 60_000, running);
    try {
      const first = await this.#send(agent, prompt, {
        turns: definition.maxTurns,
        signal: AbortSignal.any([clock.signal, this.#spent.signal]),
      });
      this.watch.signal.throwIfAborted();
      const limit = this.#limitOf(first, clock.signal);
      if (limit === undefined || limit === 'cost') return await this.#finish(agent, first, limit);
      await this.work.end();
      const last = await this.#send(agent, REPORT, {
        turns: this.#progress.turns + 1,
        signal: AbortSignal.timeout(REPORT_MS),
      });
      this.watch.signal.throwIfAborted();
      return await this.#finish(agent, {...first, ...(last.text === '' ? {} : {text: last.text})}, limit);
    } finally {
      clock.stop();
      await caller.charge((await agent.stats()).models, this.work.agent.name);
    }
  }

  /** What ended it early. An answer that came before counts as its report. */
  #limitOf(end: TurnEnd, {aborted: isLate}: AbortSignal): AgentRun['limit'] {
    if (end.status === 'done') return undefined;
    if (isLate) return 'time';
    if (this.#spent.signal.aborted) return 'tokens';
    if (end.status !== 'limit') return undefined;
    return LIMITS[end.error?.code ?? ''] ?? 'turns';
  }

  #send(agent: Agent, text: string, {turns, signal}: Sending): Promise<TurnEnd> {
    const {maxCost} = this.work.agent;
    return agent.send(
      {text, limits: {turns, ...(maxCost === undefined ? {} : {cost: maxCost})}},
      {signal: AbortSignal.any([this.watch.signal, signal]), onEvent: (event) => this.#see(event)},
    );
  }

  #see(event: AgentEvent): void {
    this.#progress.see(event);
    // Before the next request, also of an agent that it called, so that no answer is lost.
    const {maxTokens = Infinity} = this.work.agent;
    if (innermostOf(event).kind === 'model' && this.#progress.tokens >= maxTokens) this.#spent.abort();
    this.watch.onEvent({agent: this.work.agent.name, session: this.work.session.info.id, event});
  }

  async #finish(agent: Agent, end: TurnEnd, limit: AgentRun['limit']): Promise<AgentRun> {
    const {models} = await agent.stats();
    const {turns, tokens, calls} = this.#progress;
    const reason = end.error && (end.error.hint ? `${end.error.message} ${end.error.hint}` : end.error.message);
    return {
      agent: this.work.agent.name,
      session: this.work.session.info.id,
      status: limit ? 'limit' : end.status === 'done' ? 'done' : end.status === 'refused' ? 'refused' : 'failed',
      text: end.text,
      ...(reason === undefined ? {} : {reason}),
      ...(limit ? {limit} : {}),
      ...{turns, tokens, models, calls: [...calls], changed: end.changed},
      ms: performance.now() - this.#started,
    };
  }
}
