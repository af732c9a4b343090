import {provide} from '@gemini-kernel/kernel';
import type {AgentStats, ModelStats, ToolStats, View, ViewItem, ViewText} from '../contract.js';

const ALL = 'all';
const REFRESH_MS = 1000;

/** What this conversation has used so far: by model, by agent and by tool. */
export default provide('view:stats', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => {
    const stats = async (): Promise<AgentStats> => (await service('agent')).stats();
    return {
      describe: async () => ({
        title: 'This conversation so far',
        empty: 'There are no requests yet.',
        search: 'labels',
        sorts: [],
        inLines: 'command',
        refreshMs: REFRESH_MS,
        actions: [{name: 'read', key: 'o', label: 'read'}],
      }),
      list: async () => itemsOf(await stats()),
      preview: async (id) => [describe(await stats(), id)],
      act: async () => ({kind: 'read'}),
    };
  },
});

function itemsOf(stats: AgentStats): readonly ViewItem[] {
  const cost = sum(stats.models.map((one) => one.cost ?? 0));
  const requests = sum(stats.models.map((one) => one.requests));
  return [
    {id: ALL, label: 'all', details: `${some(requests, 'request')}${cost > 0 ? `, $${cost.toFixed(4)}` : ''}`},
    ...stats.models.map(({model, requests: asked}) => ({
      id: `model ${model}`,
      label: model,
      details: some(asked, 'request'),
    })),
    ...(stats.agents ?? []).map(({agent, runs}) => ({id: `agent ${agent}`, label: agent, details: some(runs, 'run')})),
    ...stats.tools.map(({tool, count: calls}) => ({id: `tool ${tool}`, label: tool, details: some(calls, 'call')})),
  ];
}

function some(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function describe(stats: AgentStats, id: string): ViewText {
  const model = stats.models.find((one) => `model ${one.model}` === id);
  if (model) return {kind: 'text', title: model.model, text: describeModel(model)};
  const agent = stats.agents?.find((one) => `agent ${one.agent}` === id);
  if (agent) return {kind: 'text', title: agent.agent, text: `Runs: ${agent.runs}\n${describeModel(agent)}`};
  const tool = stats.tools.find((one) => `tool ${one.tool}` === id);
  if (tool) return {kind: 'text', title: tool.tool, text: describeTool(tool)};
  const {added, removed} = stats.lines;
  const seconds = sum(stats.models.map(({ms}) => ms)) / 1000;
  const facts = [
    `Began: ${stats.started}`,
    `Waited for models: ${seconds.toFixed(1)} s`,
    `Ran tools: ${(sum(stats.tools.map(({ms}) => ms)) / 1000).toFixed(1)} s`,
    `Tokens: ${count(sum(stats.models.map(({usage}) => usage.total)))}`,
    `Lines changed: +${added} -${removed}`,
  ];
  return {kind: 'text', title: 'All models and tools', text: facts.join('\n')};
}

function describeModel({requests, errors, ms, usage, cost}: Omit<ModelStats, 'model' | 'byAgents'>): string {
  return [
    `Requests: ${requests}${errors > 0 ? `, ${errors} failed` : ''}`,
    `Time: ${(ms / 1000).toFixed(1)} s`,
    `Tokens in: ${count(usage.input)}, of which ${count(usage.cached)} were cached`,
    `Tokens out: ${count(usage.output)}`,
    `Tokens thought: ${count(usage.thoughts)}`,
    cost === undefined ? 'Cost: no price is set (model.prices)' : `Cost: $${cost.toFixed(4)}`,
  ].join('\n');
}

function describeTool({count: calls, done, failed, ms, decisions}: ToolStats): string {
  return [
    `Calls: ${calls}, ${done} done, ${failed} not`,
    `Time: ${(ms / 1000).toFixed(1)} s`,
    `You allowed ${decisions.accept}, edited ${decisions.modify}, refused ${decisions.reject}`,
    `Allowed by a rule or a mode: ${decisions.autoAccept}`,
  ].join('\n');
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

function count(value: number): string {
  return value.toLocaleString('en');
}
