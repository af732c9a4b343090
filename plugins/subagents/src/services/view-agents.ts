import {provide} from '@gemini-kernel/kernel';
import type {View, ViewText} from '@gemini-kernel/plugin-agent/contract';
import type {AgentInfo, AgentRun, Subagents} from '../contract.js';

/** The agents of this conversation, how they have run, and what looks like one and does not count. */
export default provide('view:agents', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => ({
    describe: async () => ({
      title: 'Agents',
      empty: 'There are none. gemini agents new makes one.',
      search: 'labels',
      sorts: [],
      inLines: 'command',
      actions: [
        {name: 'read', key: 'o', label: 'read'},
        {name: 'disable', key: 'd', label: 'disable', confirm: 'Disable this agent?'},
        {name: 'enable', key: 'e', label: 'enable'},
        {name: 'acknowledge', key: 'a', label: 'agree to those of the project'},
      ],
    }),
    list: async () => {
      const {agents, faults} = await (await service('subagents')).list();
      return [
        ...agents.map(({name, description, origin, owner, enabled}) => ({
          id: name,
          label: `${name}: ${description}`,
          details: `${owner ?? origin}${enabled ? '' : ', disabled'}`,
        })),
        ...faults.map(({file, kind}) => ({id: file, label: file, details: kind})),
      ];
    },
    preview: async (id) => preview(await service('subagents'), id),
    async act(action, id) {
      if (action === 'read') return {kind: 'read'};
      // What has to be agreed to is shown by the command, which asks.
      if (action === 'acknowledge') return {kind: 'command', words: ['agents', 'acknowledge']};
      const {agents} = await (await service('subagents')).list();
      if (agents.some(({name}) => name === id)) return {kind: 'command', words: ['agents', action, id]};
      return {kind: 'stay', sentence: 'This file is not an agent that counts: there is nothing to switch.'};
    },
  }),
});

async function preview(subagents: Subagents, id: string): Promise<readonly ViewText[]> {
  const [{agents, faults}, runs] = await Promise.all([subagents.list(), subagents.runs()]);
  const fault = faults.find(({file}) => file === id);
  if (fault) return [{kind: 'text', title: fault.file, text: `It does not count: it ${fault.reason}.`}];
  const agent = agents.find(({name}) => name === id);
  if (!agent) return [{kind: 'text', text: 'It is no longer there.'}];
  const own = runs.filter((run) => run.agent === id);
  return [
    {kind: 'text', title: agent.name, text: factsOf(agent)},
    ...(own.length === 0 ? [] : [{kind: 'text' as const, title: 'Runs', text: own.map(runLine).join('\n')}]),
    {kind: 'markdown', title: 'Its instruction', text: agent.body},
  ];
}

function factsOf(agent: AgentInfo): string {
  const {description, file, tools, model, maxTurns, maxMinutes, warnings} = agent;
  return [
    description,
    ...(file === undefined ? [] : [file]),
    `Tools: ${tools === undefined ? 'all' : tools.join(', ') || 'none'}`,
    `Model: ${model}`,
    `At most ${maxTurns} turns and ${maxMinutes} minutes`,
    ...warnings,
  ].join('\n');
}

function runLine({status, turns, tokens, ms, reason}: AgentRun): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${status}${why}, ${turns} turns, ${tokens.toLocaleString('en')} tokens, ${(ms / 1000).toFixed(1)} s`;
}
