import {markForeign, ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {RemoteAgent, RemoteEnd} from '@gemini-kernel/plugin-a2a/contract';
import type {AgentInfo, AgentRun, RemoteDefinition, RunWatch} from '../contract.js';
import {loginOf} from './remote-login.js';

interface Asked {
  readonly agent: AgentInfo & {readonly remote: RemoteDefinition};
  readonly prompt: string;
}

/** Asks a remote agent. Its text is data, whatever it says. Throws the reason of the signal. */
export async function runRemote(
  context: Pick<ServiceContext, 'service' | 'environment' | 'names'>,
  {agent: asked, prompt}: Asked,
  watch: RunWatch,
): Promise<AgentRun> {
  const {service, names} = context;
  const {name, remote, maxMinutes} = asked;
  if (names('remote-agents').length === 0)
    throw new ToolError(
      'AGENT_UNKNOWN',
      `The agent "${name}" is a remote one: the plugin a2a, which calls them, is not there.`,
    );
  const started = performance.now();
  const agent: RemoteAgent = {
    ...(remote.url === undefined ? {} : {url: remote.url}),
    ...(remote.json === undefined ? {} : {json: remote.json}),
    ...(await loginOf(context, asked, watch.signal)),
  };
  const late = AbortSignal.timeout(maxMinutes * 60_000);
  const base = {agent: name, session: '', turns: 0, tokens: 0, models: [], calls: [], changed: []};
  const run = (more: Pick<AgentRun, 'status' | 'text'> & Partial<AgentRun>): AgentRun => ({
    ...{...base, ...more},
    ms: performance.now() - started,
  });
  const signal = AbortSignal.any([watch.signal, late]);
  try {
    const end = await (
      await service('remote-agents')
    ).call({agent, prompt}, {signal, onProgress: (line) => watch.onProgress(line)});
    return run(describeEnd(name, end));
  } catch (error) {
    watch.signal.throwIfAborted();
    if (late.aborted) return run({status: 'limit', limit: 'time', text: 'It did not answer in time.'});
    if (!(error instanceof ToolError)) throw error;
    return run({status: 'failed', text: '', reason: error.message});
  }
}

function describeEnd(
  name: string,
  {status, text, reason, contextId}: RemoteEnd,
): Pick<AgentRun, 'status' | 'text' | 'session'> & Partial<AgentRun> {
  const foreign = text === '' ? '' : markForeign(text, `the agent ${name}`);
  const asks = 'It asks something: call it again with the answer.';
  return {
    session: contextId,
    status: status === 'asks' ? 'done' : status,
    text: status === 'asks' ? `${asks}\n${foreign}` : foreign,
    ...(reason === undefined ? {} : {reason: markForeign(reason, `the agent ${name}`)}),
  };
}
