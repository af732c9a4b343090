import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {AgentCard} from '#sdk';
import {messageOf} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {} from '@gemini-kernel/plugin-skills/contract';
import {OpenIdIssuers} from '../tokens/openid-issuers.js';
import {createCard, describeSkills, earlierCard} from './create-card.js';
import {guardRequest, RateLimits, refuse, type Guard} from './guard.js';
import {KeptTasks} from './kept-tasks.js';
import {answerRequest} from './answer-request.js';
import {addressOf, listen, ownHosts, type Listening} from './listen.js';
import {createHandler} from './create-handler.js';
import {createNotifier} from './push/notifier.js';
import {sendCard} from './send.js';
import type {Setup} from './setup.js';
import {TaskRuns} from './task-runs.js';
import {Unattended} from './unattended.js';

const CARD = '/.well-known/agent-card.json';

/** Serves other agents until the signal aborts. Throws KernelError PEER_SERVE_INVALID. */
export async function serve(setup: Setup, listening: Listening, signal: AbortSignal): Promise<void> {
  const {sdk, kernel} = setup;
  const runs = new TaskRuns(setup);
  const outside = kernel.open({interactive: false});
  const storage = await outside.service(`task-store:${setup.store}`);
  const id = randomUUID();
  const tasks = new KeptTasks({sdk, storage, server: id});
  const notifier = createNotifier(setup, storage);
  const {configs, sender} = notifier;
  runs.keepIn(tasks, {sender, unattended: new Unattended({setup, tasks, sender})});
  const server = await listen((request, response) => void answer(request, response), listening);
  const url = addressOf(server, listening);
  const card = createCard(setup, `${url}/`);
  const extended = async (): Promise<AgentCard> =>
    createCard(setup, `${url}/`, {skills: await findSkills(setup), admitted: await setup.tokens.admitted()});
  const handler = createHandler(sdk, tasks, [card, tasks, runs, undefined, configs, sender, extended]);
  const rpc = new sdk.JsonRpcTransportHandler(handler);
  const guard = createGuard(setup, listening, outside);
  await storage.hold(id);
  const {port} = server.address() as AddressInfo;
  setup.log(`A2A server at ${url}, card at ${url}${CARD}, listening at ${listening.host}:${port}`);
  if (!signal.aborted) await once(signal, 'abort');
  await runs.close();
  await notifier.close();
  server.close();
  server.closeAllConnections();
  await storage.release(id);
  await outside.close();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method === 'GET' && request.url === CARD) {
        const admitted = await setup.tokens.admitted();
        const now = sdk.AgentCard.toJSON(createCard(setup, `${url}/`, {admitted})) as object;
        return sendCard(request, response, {...now, ...earlierCard(request.headers['a2a-version'], `${url}/`)});
      }
      const guarded = await guardRequest(request, guard);
      if ('status' in guarded) return refuse(response, guarded);
      await answerRequest(request, response, {sdk, handler, rpc, card, setup, grant: guarded.grant});
    } catch (error) {
      setup.log(`A request failed: ${messageOf(error)}`);
      if (!response.headersSent) refuse(response, {status: 500, sentence: 'The request failed.'});
      else response.destroy();
    }
  }
}

function createGuard({tokens}: Setup, listening: Listening, outside: Session): Guard {
  return {
    ...{tokens, limits: new RateLimits(), isOwn: ownHosts(listening)},
    issuers: new OpenIdIssuers(async (input, init) => (await outside.service('network')).fetch(input, init)),
  };
}

/** The skills of the person; an empty list without the plugin of skills. */
async function findSkills({kernel}: Setup): ReturnType<typeof findThem> {
  return kernel.catalog.services.has('skills') ? findThem({kernel}) : [];
}

async function findThem({kernel}: Pick<Setup, 'kernel'>) {
  const session = kernel.open({interactive: false});
  try {
    return describeSkills(await (await session.service('skills')).list());
  } finally {
    await session.close();
  }
}
