import {provide, ToolError, type ToolOutcome, type ToolSource} from '@gemini-kernel/kernel';
import type {AgentInfo, AgentRun, RunWatch, Subagents} from '../contract.js';
import {describeRun, reportRun} from '../report.js';
import {describeWorktree} from '../running/in-worktree.js';
import {INVOKE, REMOTE} from '../tool-name.js';

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
        const enabled = agents.filter((agent) => agent.enabled);
        return enabled.length > 0 ? [tool, ...enabled.filter(({remote}) => remote).map(remoteTool)] : [];
      },
      async preview(called, input) {
        const {agent_name: name, prompt} = wishOf(called, input);
        return {kind: 'text', text: `Agent ${name}:\n${prompt}`};
      },
      async run(called, input, {signal, progress, call, tools}) {
        const {agent_name: name, prompt} = wishOf(called, input);
        const {agents} = await (await follow()).list();
        const isRemote = agents.some((agent) => agent.enabled && agent.name === name && agent.remote);
        if (isRemote && called === INVOKE)
          return passOn(await tools.call({tool: `${REMOTE}${name}`, input: {prompt}}, {signal, onProgress: progress}));
        const caller = await service('agent');
        const onProgress = (text: string): void => progress({text: `${text}\n`});
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

/** What the call of a remote agent gave. Throws ToolError AGENT_REFUSED, and what it failed with. */
function passOn(outcome: ToolOutcome): Awaited<ReturnType<ToolSource['run']>> {
  if (outcome.status === 'done') return outcome.result;
  if (outcome.status === 'failed') throw outcome.error;
  throw new ToolError('AGENT_REFUSED', `The remote agent was not asked: ${outcome.reason}`);
}

function remoteTool({name, description}: AgentInfo): Awaited<ReturnType<ToolSource['list']>>[number] {
  return {
    name: `${REMOTE}${name}`,
    description: `Asks the agent ${name} of another program: ${description}`,
    effect: 'fetch',
    annotations: {openWorldHint: true},
    input: {type: 'object', required: ['prompt'], properties: {prompt: {type: 'string', minLength: 1}}},
  };
}

function wishOf(tool: string, input: unknown): {readonly agent_name: string; readonly prompt: string} {
  // The kernel has checked the input against the schema.
  const wish = input as {readonly agent_name: string; readonly prompt: string};
  return tool === INVOKE ? wish : {agent_name: tool.slice(REMOTE.length), prompt: wish.prompt};
}
