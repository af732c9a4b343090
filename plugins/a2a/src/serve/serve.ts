import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-skills/contract';
import {createCard, describeSkills, earlierCard} from './create-card.js';
import {guardRequest, RateLimits, refuse} from './guard.js';
import {folderOf, KeptTasks} from './kept-tasks.js';
import {answerRequest} from './answer-request.js';
import {createNotifier} from './push/notifier.js';
import {sendJson} from './send.js';
import type {Setup} from './setup.js';
import {TaskRuns} from './task-runs.js';
import {Unattended} from './unattended.js';

export interface Listening {
  readonly port: number;
  readonly signal: AbortSignal;
}

const CARD = '/.well-known/agent-card.json';

/** Serves other agents on this machine until the signal aborts. Throws KernelError PEER_SERVE_INVALID. */
export async function serve(setup: Setup, {port, signal}: Listening): Promise<void> {
  const {sdk, kernel} = setup;
  const runs = new TaskRuns(setup);
  const folder = join(kernel.environment.home, '.gemini', 'a2a');
  const tasks = new KeptTasks({sdk, folder, isOwn: (task) => runs.isOwn(task)});
  const notifier = createNotifier(setup, (context) => folderOf(folder, context));
  const {configs, sender} = notifier;
  runs.keepIn(tasks, {sender, unattended: new Unattended({setup, tasks, sender})});
  const server = createServer((request, response) => void answer(request, response));
  await listen(server, port);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = createCard(setup, `${url}/`);
  const handler = new sdk.DefaultRequestHandler(
    ...([card, tasks, runs, undefined, configs, sender] as const),
    async () => createCard(setup, `${url}/`, await findSkills(setup)),
  );
  const rpc = new sdk.JsonRpcTransportHandler(handler);
  const limits = new RateLimits();
  setup.log(`A2A server at ${url}, card at ${url}${CARD}`);
  if (!signal.aborted) await once(signal, 'abort');
  await runs.close();
  await notifier.close();
  server.close();
  server.closeAllConnections();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method === 'GET' && request.url === CARD) {
        const now = sdk.AgentCard.toJSON(card) as object;
        return sendJson(response, {...now, ...earlierCard(request.headers['a2a-version'], `${url}/`)});
      }
      const guarded = await guardRequest(request, setup.tokens, limits);
      if ('status' in guarded) return refuse(response, guarded);
      await answerRequest(request, response, {sdk, handler, rpc, card, grant: guarded.grant});
    } catch (error) {
      setup.log(`A request failed: ${messageOf(error)}`);
      if (!response.headersSent) refuse(response, {status: 500, sentence: 'The request failed.'});
      else response.destroy();
    }
  }
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: unknown) => {
    throw new KernelError('PEER_SERVE_INVALID', `Cannot listen at 127.0.0.1:${port}: ${messageOf(cause)}`, {
      cause,
      hint: 'Choose another port, or leave --port out for a free one.',
    });
  });
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
