import type {AgentStats, ModelStats, TokenUsage} from '../contract.js';
import {plainName} from '../model-route.js';

/** The statistics in the form of `--output-format json`. */
export function toJSONStats({models, tools, lines}: AgentStats): Readonly<Record<string, unknown>> {
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

function describeModel({requests, errors, ms, usage, cost}: ModelStats): Readonly<Record<string, unknown>> {
  const tokens = {
    input: usage.input - usage.cached,
    prompt: usage.input,
    candidates: usage.output,
    total: usage.total,
    cached: usage.cached,
    thoughts: usage.thoughts,
    tool: usage.tool,
  };
  const api = {totalRequests: requests, totalErrors: errors, totalLatencyMs: Math.round(ms)};
  return {api, tokens, roles: {main: {...api, tokens}}, ...(cost === undefined ? {} : {cost})};
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
