import {isKernelError, isToolError} from '@gemini-kernel/kernel';
import type {Server} from '#sdk';
import {addPrompts} from './add-prompts.js';
import {addResources} from './add-resources.js';
import {addSubscriptions} from './add-subscriptions.js';
import {addTools} from './add-tools.js';
import {learnFacts} from './client-link.js';
import type {ClientParts} from './client-parts.js';
import {ClientSession} from './client-session.js';
import type {Sdk, Setup} from './setup.js';
import {findSources} from './sources.js';
import {TASKS} from './tasks.js';
import {tellLists} from './tell-lists.js';
import type {Use} from './use.js';

interface ServedClient {
  readonly server: Server;
  close(): Promise<void>;
  /** Closes it when its last call has ended. */
  end(): Promise<void>;
}

/** The MCP server for one client. `isStateless`: each request comes with all that is known of the client. */
export function createServer(setup: Setup, parts: ClientParts, isStateless: boolean): ServedClient {
  const {sdk, version, face} = setup;
  const hasTools = face !== 'agent';
  const sources = findSources(setup.kernel);
  const has = {resources: hasTools, prompts: hasTools && sources.hasPrompts};
  const server = new sdk.Server({name: 'gemini', version}, {capabilities: listCapabilities(has, isStateless)});
  const client = new ClientSession(setup, (source) => {
    // A client that has gone needs no notices.
    if (!isStateless) tellLists(server, source, has).catch(() => undefined);
  });
  const use: Use = (context, act) => guarded(sdk, () => client.use(() => learnFacts(server, context, setup), act));
  const {person} = client;
  addTools({server, setup, parts, person, use, isStateless});
  if (hasTools) addResources(server, use, sources);
  const subscriptions = hasTools && !isStateless ? addSubscriptions({server, client, use, sources}) : undefined;
  const newId = (): string => setup.kernel.environment.newId();
  if (has.prompts) addPrompts({server, use, sources, person, newId, paused: isStateless ? parts.paused : undefined});
  server.setNotificationHandler('notifications/roots/list_changed', () => client.renew());
  const close = async (): Promise<void> => {
    subscriptions?.close();
    await client.close();
  };
  return {server, close, end: () => client.end()};
}

function listCapabilities(has: {readonly resources: boolean; readonly prompts: boolean}, isStateless: boolean) {
  // The stateless protocol has no way to tell a client at any time.
  const lists = isStateless ? {} : {listChanged: true};
  return {
    tools: lists,
    logging: {},
    ...(has.resources ? {resources: isStateless ? {} : {subscribe: true, ...lists}} : {}),
    ...(has.prompts ? {prompts: lists, completions: {}} : {}),
    ...(isStateless ? {extensions: {[TASKS]: {}}} : {}),
  };
}

/** Errors for people reach the client as a sentence. */
async function guarded<T>({ProtocolError, ProtocolErrorCode}: Sdk, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isKernelError(error) && !isToolError(error)) throw error;
    const {code, message, hint} = error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, [`${code}: ${message}`, hint ?? ''].join(' ').trim());
  }
}
