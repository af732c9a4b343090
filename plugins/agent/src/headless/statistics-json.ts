import type {AgentStats, AgentUse, ModelStats, ModelUse, TokenUsage} from '../contract.js';
import {plainName} from '../model-route.js';

/** The statistics in the form of `--output-format json`. */
export function toJSONStats({models, tools, lines, agents}: AgentStats): Readonly<Record<string, unknown>> {
  const sum = (pick: (one: AgentStats['tools'][number]) => number): number =>
    tools.reduce((total, one) => total + pick(one), 0);
  return {
    models: Object.fromEntries(models.map((model) => [plainName(model.model), describeModel(model)])),
    tools: {
      totalCalls: sum(({count}) => count),
      totalSuccess: sum(({done}) => done),
      totalFail: sum(({failed}) => failed),
      totalDurationMs: Math.round(sum(({ms}) => ms)),
      totalDecisions: {
        accept: sum(({decisions}) => decisions.accept),
        reject: sum(({decisions}) => decisions.reject),
        modify: sum(({decisions}) => decisions.modify),
        auto_accept: sum(({decisions}) => decisions.autoAccept),
      },
      byName: Object.fromEntries(tools.map((one) => [one.tool, describeTool(one)])),
    },
    files: {totalLinesAdded: lines.added, totalLinesRemoved: lines.removed},
    ...(agents ? {agents: Object.fromEntries(agents.map((one) => [one.agent, describeAgent(one)]))} : {}),
  };
}

function describeTool({
  count,
  done,
  failed,
  ms,
  decisions: {accept, reject, modify, autoAccept},
}: AgentStats['tools'][number]): object {
  return {
    count,
    success: done,
    fail: failed,
    durationMs: Math.round(ms),
    decisions: {accept, reject, modify, auto_accept: autoAccept},
  };
}

function describeModel({byAgents, cost, ...all}: ModelStats): Readonly<Record<string, unknown>> {
  const {api, tokens} = describeUse(all);
  const role = (use: ModelUse): object => {
    const described = describeUse(use);
    return {...described.api, tokens: described.tokens};
  };
  const roles = byAgents ? {main: role(without(all, byAgents)), subagent: role(byAgents)} : {main: role(all)};
  return {api, tokens, roles, ...(cost === undefined ? {} : {cost})};
}

function describeUse({requests, errors, ms, usage}: ModelUse): {readonly api: object; readonly tokens: object} {
  const tokens = {
    input: usage.input - usage.cached,
    prompt: usage.input,
    candidates: usage.output,
    total: usage.total,
    cached: usage.cached,
    thoughts: usage.thoughts,
    tool: usage.tool,
  };
  return {api: {totalRequests: requests, totalErrors: errors, totalLatencyMs: Math.round(ms)}, tokens};
}

function describeAgent({runs, cost, ...use}: AgentUse): object {
  return {runs, ...describeUse(use), ...(cost === undefined ? {} : {cost})};
}

/** What is left of it: what the main agent asked for itself. */
function without(all: ModelUse, part: ModelUse): ModelUse {
  const {usage} = part;
  return {
    requests: all.requests - part.requests,
    errors: all.errors - part.errors,
    ms: all.ms - part.ms,
    usage: {
      input: all.usage.input - usage.input,
      output: all.usage.output - usage.output,
      cached: all.usage.cached - usage.cached,
      thoughts: all.usage.thoughts - usage.thoughts,
      tool: all.usage.tool - usage.tool,
      total: all.usage.total - usage.total,
    },
  };
}

/** The statistics in the form of the last event of `--output-format stream-json`. */
export function toStreamStats({models, tools}: AgentStats, ms: number): Readonly<Record<string, unknown>> {
  const flat = ({total, input, output, cached}: TokenUsage): Record<string, number> => ({
    total_tokens: total,
    input_tokens: input,
    output_tokens: output,
    cached,
    input: input - cached,
  });
  const perModel = models.map((model) => [plainName(model.model), flat(model.usage)] as const);
  const total = (key: string): number => perModel.reduce((sum, [, counts]) => sum + (counts[key] ?? 0), 0);
  return {
    total_tokens: total('total_tokens'),
    input_tokens: total('input_tokens'),
    output_tokens: total('output_tokens'),
    cached: total('cached'),
    input: total('input'),
    duration_ms: Math.round(ms),
    tool_calls: tools.reduce((sum, {count}) => sum + count, 0),
    models: Object.fromEntries(perModel),
  };
}
