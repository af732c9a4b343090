import type {ToolOutcome} from '@gemini-kernel/kernel';
import type {AgentStats, AgentUse, ModelStats, ModelUse, TokenUsage, ToolStats} from './contract.js';

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

const NONE: TokenUsage = {input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0};
const MILLION = 1_000_000;

/** What a conversation has cost so far. */
export class Statistics {
  readonly #started = new Date().toISOString();
  readonly #models = new Map<string, ModelUse>();
  readonly #byAgents = new Map<string, ModelUse>();
  readonly #agents = new Map<string, {readonly runs: number; readonly models: Map<string, ModelUse>}>();
  readonly #tools = new Map<string, ToolStats>();
  readonly #lines = {added: 0, removed: 0};

  countRequest(
    model: string,
    {ms, usage, failed}: {readonly ms: number; readonly usage?: TokenUsage | undefined; readonly failed: boolean},
  ): void {
    this.addModels([{model, requests: 1, errors: failed ? 1 : 0, ms, usage: usage ?? NONE}]);
  }

  addModels(models: readonly ModelStats[]): void {
    for (const {model, requests, errors, ms, usage} of models) {
      addUse(this.#models, model, {requests, errors, ms, usage});
    }
  }

  /** Counts the requests of an agent that has ended. */
  addAgent(agent: string, models: readonly ModelStats[]): void {
    this.addModels(models);
    const {runs, models: own} = this.#agents.get(agent) ?? {runs: 0, models: new Map<string, ModelUse>()};
    this.#agents.set(agent, {runs: runs + 1, models: own});
    for (const {model, requests, errors, ms, usage} of models) {
      addUse(own, model, {requests, errors, ms, usage});
      addUse(this.#byAgents, model, {requests, errors, ms, usage});
    }
  }

  countCall(tool: string, outcome: ToolOutcome): void {
    const known = this.#tools.get(tool) ?? {
      tool,
      count: 0,
      done: 0,
      failed: 0,
      ms: 0,
      decisions: {accept: 0, reject: 0, modify: 0, autoAccept: 0},
    };
    const isDone = outcome.status === 'done';
    const decision =
      outcome.status === 'refused'
        ? 'reject'
        : isDone && outcome.confirmed === 'edited'
          ? 'modify'
          : isDone && outcome.confirmed
            ? 'accept'
            : 'autoAccept';
    this.#tools.set(tool, {
      ...known,
      count: known.count + 1,
      done: known.done + (isDone ? 1 : 0),
      failed: known.failed + (isDone ? 0 : 1),
      ms: known.ms + outcome.ms,
      decisions: {...known.decisions, [decision]: known.decisions[decision] + 1},
    });
    const {linesAdded = 0, linesRemoved = 0} = linesOf(isDone ? outcome.result.data : undefined);
    this.#lines.added += linesAdded;
    this.#lines.removed += linesRemoved;
  }

  /** All statistics so far; with prices, also the cost. */
  read(prices: Readonly<Record<string, Price>>): AgentStats {
    const models = [...this.#models].map(([model, stats]): ModelStats => {
      const price = priceOf(model, prices);
      const byAgents = this.#byAgents.get(model);
      return {model, ...stats, ...(price ? {cost: costOf(stats.usage, price)} : {}), ...(byAgents ? {byAgents} : {})};
    });
    const agents = [...this.#agents].map(([agent, {runs, models: own}]) => useOf(agent, runs, own, prices));
    return {
      ...{started: this.#started, models, tools: [...this.#tools.values()], lines: {...this.#lines}},
      ...(agents.length > 0 ? {agents} : {}),
    };
  }
}

function addUse(all: Map<string, ModelUse>, model: string, {requests, errors, ms, usage}: ModelUse): void {
  const known = all.get(model) ?? {requests: 0, errors: 0, ms: 0, usage: NONE};
  all.set(model, {
    requests: known.requests + requests,
    errors: known.errors + errors,
    ms: known.ms + ms,
    usage: add(known.usage, usage),
  });
}

function useOf(
  agent: string,
  runs: number,
  models: ReadonlyMap<string, ModelUse>,
  prices: Readonly<Record<string, Price>>,
): AgentUse {
  const sum = new Map<string, ModelUse>();
  for (const one of models.values()) addUse(sum, '', one);
  const use = sum.get('') ?? {requests: 0, errors: 0, ms: 0, usage: NONE};
  const costs = [...models].map(([model, {usage}]) => {
    const price = priceOf(model, prices);
    return price && costOf(usage, price);
  });
  const known = costs.filter((cost) => cost !== undefined);
  const isKnown = costs.length > 0 && known.length === costs.length;
  return {agent, runs, ...use, ...(isKnown ? {cost: known.reduce((all, cost) => all + cost, 0)} : {})};
}

/** The price of `provider:model`, by its full name or the model's alone; undefined when it is unknown or invalid. */
export function priceOf(model: string, prices: Readonly<Record<string, Price>>): Price | undefined {
  const name = [model, model.slice(model.indexOf(':') + 1)].find((one) => Object.hasOwn(prices, one));
  const price = name === undefined ? undefined : prices[name];
  const {input, output, cached = 0} = price ?? {};
  return [input, output, cached].every((one) => typeof one === 'number' && one >= 0) ? price : undefined;
}

function add(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    thoughts: a.thoughts + b.thoughts,
    tool: a.tool + b.tool,
    total: a.total + b.total,
  };
}

function costOf({input, output, thoughts, cached}: TokenUsage, price: Price): number {
  return (
    ((input - cached) * price.input + cached * (price.cached ?? price.input) + (output + thoughts) * price.output) /
    MILLION
  );
}

/** The line counts that edit tools report. */
function linesOf(data: unknown): {readonly linesAdded?: number; readonly linesRemoved?: number} {
  return typeof data === 'object' && data !== null ? data : {};
}
