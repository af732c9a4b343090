import {markForeign, ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {RemoteAgent, RemoteEnd} from '@gemini-kernel/plugin-a2a/contract';
import type {AgentInfo, AgentRun, RemoteDefinition, RunWatch} from '../contract.js';
import {fillSecret, nameOf} from '../definition/read-remote.js';

interface Asked {
  readonly agent: AgentInfo & {readonly remote: RemoteDefinition};
  readonly prompt: string;
}

/** Asks a remote agent. Its text is data, whatever it says. Throws the reason of the signal. */
export async function runRemote(
  {service, environment, names}: Pick<ServiceContext, 'service' | 'environment' | 'names'>,
  {agent: {name, remote, maxMinutes}, prompt}: Asked,
  watch: RunWatch,
): Promise<AgentRun> {
  if (names('remote-agents').length === 0)
    throw new ToolError(
      'AGENT_UNKNOWN',
      `The agent "${name}" is a remote one: the plugin a2a, which calls them, is not there.`,
    );
  const started = performance.now();
  const agent: RemoteAgent = {
    ...(remote.url === undefined ? {} : {url: remote.url}),
    ...(remote.json === undefined ? {} : {json: remote.json}),
    ...(remote.auth ? {auth: fillAuth(name, remote.auth, environment.variables)} : {}),
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

/** Throws ToolError AGENT_FAILED for a variable that is not set. */
function fillAuth(
  name: string,
  {header, scheme, value = '', basic}: NonNullable<RemoteDefinition['auth']>,
  variables: Readonly<Record<string, string | undefined>>,
): NonNullable<RemoteAgent['auth']> {
  const fill = (text: string): string => {
    const filled = fillSecret(text, variables);
    if (filled !== undefined) return filled;
    throw new ToolError('AGENT_FAILED', `The agent "${name}" needs the variable ${nameOf(text)}, which is not set.`);
  };
  if (basic) return {header, value: `Basic ${Buffer.from(basic.map(fill).join(':')).toString('base64')}`};
  return {header, value: scheme === undefined ? fill(value) : `${scheme} ${fill(value)}`};
}
