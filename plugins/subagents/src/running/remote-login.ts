import {ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {RemoteAgent} from '@gemini-kernel/plugin-a2a/contract';
import type {OtherLogin, OtherLogins} from '@gemini-kernel/plugin-mcp/contract';
import type {AgentInfo, RemoteDefinition} from '../contract.js';
import {isCommand} from '../definition/read-auth.js';
import {fillSecret} from './secret-values.js';

type Context = Pick<ServiceContext, 'service' | 'environment' | 'names'>;
type Remote = AgentInfo & {readonly remote: RemoteDefinition};
type Header = NonNullable<RemoteAgent['auth']>;

/** What requests to a remote agent have besides. Throws ToolError AGENT_FAILED. */
export async function loginOf(
  context: Context,
  agent: Remote,
  signal: AbortSignal,
): Promise<Pick<RemoteAgent, 'auth' | 'login'>> {
  const {auth, login} = agent.remote;
  if (login) {
    const logins = await otherLogins(context, agent.name);
    const other = await otherLogin(context, agent, signal);
    return {login: ({url, init}) => logins.send(other, url, init)};
  }
  if (!auth) return {};
  const header = await fillHeader(context, agent, signal);
  if (![auth.value ?? '', ...(auth.basic ?? [])].some(isCommand)) return {auth: header};
  return {login: rereading(header, () => fillHeader(context, agent, signal))};
}

/** The logins of the plugin mcp. Throws ToolError AGENT_FAILED. */
export async function otherLogins({names, service}: Context, agent: string): Promise<OtherLogins> {
  if (names('other-logins').length > 0) return service('other-logins');
  throw new ToolError(
    'AGENT_FAILED',
    `The agent "${agent}" needs a login: the plugin mcp, which logs in, is not there.`,
  );
}

/** The login of an agent that has one, with its values filled in. */
export async function otherLogin(context: Context, agent: Remote, signal: AbortSignal): Promise<OtherLogin> {
  const {environment} = context;
  const {name, remote} = agent;
  const {login = {kind: 'google'}} = remote;
  const base = {
    subject: `the agent "${name}"`,
    address: new URL('/', await addressOf(context, agent)).href,
    command: `gemini agents login ${name}`,
  };
  if (login.kind === 'google') return {...base, auth: login};
  const fill = async (key: 'clientId' | 'clientSecret'): Promise<object> =>
    login[key] === undefined ? {} : {[key]: await fillSecret(login[key], {environment, agent, signal})};
  return {...base, auth: {...login, ...(await fill('clientId')), ...(await fill('clientSecret'))}};
}

/** A card that is part of a file has the address of its agent in it. */
async function addressOf({names, service}: Context, {name, remote: {url, json}}: Remote): Promise<string> {
  if (url !== undefined) return url;
  if (names('remote-agents').length > 0) return (await service('remote-agents')).origin({...(json ? {json} : {})});
  throw new ToolError('AGENT_UNKNOWN', `The agent "${name}" is a remote one: the plugin a2a is not there.`);
}

async function fillHeader({environment}: Context, agent: Remote, signal: AbortSignal): Promise<Header> {
  const {header, scheme, value = '', basic} = agent.remote.auth ?? {header: ''};
  const fill = (text: string): Promise<string> => fillSecret(text, {environment, agent, signal});
  if (basic) {
    const pair = await Promise.all(basic.map(fill));
    return {header, value: `Basic ${Buffer.from(pair.join(':')).toString('base64')}`};
  }
  const filled = await fill(value);
  return {header, value: scheme === undefined ? filled : `${scheme} ${filled}`};
}

/** Asks a command again when its value is refused, once, and sends the request again if it says something else. */
function rereading(first: Header, again: () => Promise<Header>): NonNullable<RemoteAgent['login']> {
  let known = first;
  return async ({url, init}, send) => {
    const sendWith = ({header, value}: Header): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set(header, value);
      return send(url, {...init, headers});
    };
    const used = known;
    const answer = await sendWith(used);
    if (answer.status !== 401 && answer.status !== 403) return answer;
    known = await again();
    if (known.value === used.value) return answer;
    await answer.body?.cancel();
    return sendWith(known);
  };
}
