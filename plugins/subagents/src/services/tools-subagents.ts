import {provide, ToolError, type ToolSource} from '@gemini-kernel/kernel';
import type {AgentRun, RunWatch, Subagents} from '../contract.js';
import {describeRun, reportRun} from '../report.js';
import {describeWorktree} from '../running/in-worktree.js';
import {INVOKE} from '../tool-name.js';

const ends = new WeakMap<ToolSource, () => void>();

/** The tool `invoke_agent`, where there is an agent. */
export default provide('tools:subagents', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list', 'preview', 'run'],
  create({service, changed}): ToolSource {
    let following: Promise<Subagents> | undefined;
    const follow = (): Promise<Subagents> =>
      (following ??= service('subagents').then((subagents) => {
        ends.set(source, subagents.follow(changed));
        return subagents;
      }));
    const source: ToolSource = {
      async list() {
        const {agents} = await (await follow()).list();
        return agents.some(({enabled}) => enabled) ? [tool] : [];
      },
      async preview(_, input) {
        const {agent_name: name, prompt} = wishOf(input);
        return {kind: 'text', text: `Agent ${name}:\n${prompt}`};
      },
      async run(_, input, {signal, progress, call}) {
        const {agent_name: name, prompt} = wishOf(input);
        const caller = await service('agent');
        const onProgress = (text: string): void => progress({text});
        const onEvent: RunWatch['onEvent'] = (event) => void caller.relay({kind: 'agent', id: call.id, ...event});
        const run = await (await follow()).run({name, prompt}, {signal, onProgress, onEvent});
        return resultOf(run);
      },
    };
    return source;
  },
  dispose: (source) => ends.get(source)?.(),
});

const tool: Awaited<ReturnType<ToolSource['list']>>[number] = {
  name: INVOKE,
  description:
    'Gives a part of the work to an agent, which works in a conversation of its own and answers with a report. It ' +
    'sees nothing of this conversation: put everything it needs into the prompt. Several calls of one answer run at ' +
    'once. The agents and what they are for are listed in your instruction.',
  // What an agent does is judged call by call.
  effect: 'think',
  annotations: {openWorldHint: false},
  input: {
    type: 'object',
    required: ['agent_name', 'prompt'],
    properties: {
      agent_name: {type: 'string', minLength: 1, description: 'Name of the agent.'},
      prompt: {type: 'string', minLength: 1, description: 'What it shall do, with all it needs to know.'},
    },
  },
};

/** What the caller gets. Throws ToolError AGENT_FAILED and AGENT_REFUSED. */
function resultOf(run: AgentRun): Awaited<ReturnType<ToolSource['run']>> {
  const {agent, status, session, turns, tokens, reason = '', text, limit, ms, calls, changed: files, worktree} = run;
  const where = worktree ? `\n${describeWorktree(worktree)}` : '';
  if (status === 'failed' || status === 'refused') {
    const found = text === '' ? '' : `\nIt had found so far:\n${text}`;
    const code = status === 'failed' ? 'AGENT_FAILED' : 'AGENT_REFUSED';
    const sentence = `The agent "${agent}" ${status === 'failed' ? 'failed' : 'was refused'}: ${reason}`;
    throw new ToolError(code, sentence, {model: `Subagent '${agent}' failed. Error: ${reason}${found}${where}`});
  }
  const more = {...(limit ? {limit} : {}), ...(worktree ? {worktree} : {})};
  return {
    model: reportRun(run),
    display: `${describeRun(run)}\n${text}${where}`,
    data: {agent, session, status, turns, tokens, ms, calls, changed: files, text, ...more},
    plain: `${text}${where}`,
  };
}

function wishOf(input: unknown): {readonly agent_name: string; readonly prompt: string} {
  // The kernel has checked the input against the schema.
  return input as {readonly agent_name: string; readonly prompt: string};
}
