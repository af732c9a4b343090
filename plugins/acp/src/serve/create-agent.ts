import {authenticate, authMethods} from './auth-methods.js';
import {Editor} from './editor.js';
import {HeldSessions, type OpenRequest} from './held-sessions.js';
import {readPrompt} from './read-prompt.js';
import {deleteSession, listSessions} from './recorded-sessions.js';
import type {ServedSession} from './served-session.js';
import type {SessionOptions} from './session-options.js';
import type {Setup} from './setup.js';
import {answering} from './to-request-error.js';

type AgentApp = ReturnType<Setup['sdk']['agent']>;

/** The agent of one connection. */
export interface ServedAgent {
  readonly app: AgentApp;
  readonly editor: Editor;
  close(): Promise<void>;
}

/** What the handlers of one connection share. */
interface Serving {
  readonly setup: Setup;
  readonly editor: Editor;
  readonly sessions: HeldSessions;
  /** Answers a request, with its error as the protocol has it. */
  answer<T>(act: () => Promise<T>): Promise<T>;
}

/** Answers the requests of one editor. */
export function createAgent(setup: Setup): ServedAgent {
  const {sdk} = setup;
  const editor = new Editor();
  const sessions = new HeldSessions(setup, editor);
  const answer: Serving['answer'] = (act) => answering(sdk, (line) => setup.log(line), act);
  const serving = {setup, editor, sessions, answer};
  const app = sdk.agent({name: 'gemini'});
  addStart(app, serving);
  addOpening(app, serving);
  addRecorded(app, serving);
  addConversing(app, serving);
  return {app, editor, close: () => sessions.closeAll()};
}

function addStart(app: AgentApp, {setup: {sdk, version}, editor, sessions, answer}: Serving): void {
  app
    .onRequest('initialize', ({params}) => {
      editor.introduce(params);
      return {
        protocolVersion: sdk.PROTOCOL_VERSION,
        agentInfo: {name: 'gemini', title: 'Gemini CLI', version},
        authMethods: authMethods(editor.capabilities),
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: {image: true, audio: true, embeddedContext: true},
          mcpCapabilities: {http: true, sse: true},
          sessionCapabilities: {list: {}, resume: {}, delete: {}, close: {}, additionalDirectories: {}},
        },
      };
    })
    .onRequest('authenticate', ({params}) => answer(async () => authenticate(params, sessions.variables)));
}

function addOpening(app: AgentApp, {sessions, answer}: Serving): void {
  const open = async (request: OpenRequest): Promise<SessionOptions & {readonly sessionId: string}> => {
    const served = await sessions.open(request);
    const options = await optionsOf(served);
    setImmediate(() => served.announce());
    return {sessionId: served.id, ...options};
  };
  const resume = async (request: OpenRequest & {readonly resume: string}): Promise<ServedSession> => {
    if (sessions.has(request.resume)) await sessions.close(request.resume);
    return sessions.open(request);
  };
  app
    .onRequest('session/new', ({params, requestId, signal}) => answer(() => open({...params, requestId, signal})))
    .onRequest('session/load', ({params, requestId, signal}) =>
      answer(async () => {
        const served = await resume({...params, resume: params.sessionId, requestId, signal});
        await served.replay();
        return continued(served);
      }),
    )
    .onRequest('session/resume', ({params, requestId, signal}) =>
      answer(async () => continued(await resume({...params, resume: params.sessionId, requestId, signal}))),
    );
}

function addRecorded(app: AgentApp, {setup, sessions, answer}: Serving): void {
  app
    .onRequest('session/list', ({params}) => answer(() => listSessions(setup, sessions, params)))
    .onRequest('session/delete', ({params}) => answer(() => deleteSession(setup, sessions, params.sessionId)))
    .onRequest('session/close', ({params}) =>
      answer(async () => {
        sessions.get(params.sessionId);
        await sessions.close(params.sessionId);
      }),
    );
}

function addConversing(app: AgentApp, {setup, sessions, answer}: Serving): void {
  app
    .onRequest('session/set_mode', ({params}) => answer(() => sessions.get(params.sessionId).setMode(params.modeId)))
    .onRequest('session/set_config_option', ({params}) =>
      answer(async () => ({
        configOptions: await sessions.get(params.sessionId).setOption(params.configId, params.value),
      })),
    )
    .onRequest('session/prompt', ({params, signal}) =>
      answer(async () => {
        const served = sessions.get(params.sessionId);
        signal.addEventListener('abort', () => void served.cancel().catch(() => undefined), {once: true});
        return served.prompt(readPrompt(params.prompt));
      }),
    )
    .onNotification('session/cancel', async ({params}) => {
      if (sessions.has(params.sessionId)) await sessions.get(params.sessionId).cancel();
      else setup.log(`session/cancel names a session that is not open: ${JSON.stringify(params.sessionId)}.`);
    });
}

/** What an editor learns of a session that it continues. It knows the id, so the updates come before the answer. */
async function continued(served: ServedSession): Promise<SessionOptions> {
  served.announce();
  await served.told();
  return optionsOf(served);
}

async function optionsOf(served: ServedSession): Promise<SessionOptions> {
  const options = await served.options();
  setImmediate(() => served.learnModels());
  return options;
}
