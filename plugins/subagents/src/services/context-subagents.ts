import {provide} from '@gemini-kernel/kernel';
import type {ContextSource, SourcedContext} from '@gemini-kernel/plugin-agent/contract';
import type {AgentInfo, Subagents} from '../contract.js';
import {INVOKE} from '../tool-name.js';

const ends = new WeakMap<ContextSource, () => void>();
const LONGEST = 1024;

const INTRODUCTION =
  `Agents work on a part of a task in a conversation of their own; call ${INVOKE} to give them work. Use them for ` +
  'what would fill this conversation with things of which only the result matters, and for parts that do not depend ' +
  'on each other: these go out together, in one answer. Do small things yourself.';

/** The names of agents and what they are for, for the main agent. */
export default provide('context:subagents', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list'],
  create({service, session, changed}): ContextSource {
    let following: Promise<Subagents> | undefined;
    const follow = (): Promise<Subagents> =>
      (following ??= service('subagents').then((subagents) => {
        ends.set(source, subagents.follow(changed));
        return subagents;
      }));
    const source: ContextSource = {
      async list() {
        if (session.subagent !== undefined) return [];
        const {agents} = await (await follow()).list();
        const enabled = agents.filter((agent) => agent.enabled);
        return enabled.length === 0 ? [] : describeAll(enabled);
      },
    };
    return source;
  },
  dispose: (source) => ends.get(source)?.(),
});

/** The person's agents are part of the instruction. What a project or an extension says of its own is foreign. */
function describeAll(agents: readonly AgentInfo[]): readonly SourcedContext[] {
  const own = agents.filter(({origin}) => origin === 'built-in' || origin === 'user');
  const title = 'Agents';
  const sections: SourcedContext[] = [{place: 'system', title, text: `${INTRODUCTION}\n\n${describe(own)}`}];
  const others = new Map<string, AgentInfo[]>();
  for (const agent of agents.filter((one) => !own.includes(one))) {
    const from = agent.origin === 'project' ? 'this project' : (agent.owner ?? 'an extension');
    others.set(from, [...(others.get(from) ?? []), agent]);
  }
  for (const [from, some] of others)
    sections.push({place: 'start', title: 'More agents', from, isForeign: true, text: describe(some)});
  return sections;
}

function describe(agents: readonly AgentInfo[]): string {
  const lines = agents.map(({name, description}) => `- ${name} -> ${cut(description)}`);
  return ['<available_subagents>', ...lines, '</available_subagents>'].join('\n');
}

function cut(text: string): string {
  const line = text.replaceAll('<', '&lt;');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
