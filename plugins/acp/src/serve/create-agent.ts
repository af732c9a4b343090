import type {SessionConfigOption} from '#sdk';
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

/** Answers the requests of one editor. */
export function createAgent(setup: Setup): ServedAgent {
  const {sdk, version} = setup;
  const editor = new Editor();
  const sessions = new HeldSessions(setup, editor);
  const answer = <T>(act: () => Promise<T>): Promise<T> => answering(sdk, (line) => setup.log(line), act);
  const open = async (request: OpenRequest): Promise<SessionOptions & {readonly sessionId: string}> => {
    const served = await sessions.open(request);
    const options = await served.options();
    // The editor must know the session before it hears of it.
    setImmediate(() => served.announce());
    return {sessionId: served.id, ...options};
  };
  const resume = async (request: OpenRequest & {readonly resume: string}): Promise<ServedSession> => {
    if (sessions.has(request.resume)) await sessions.close(request.resume);
    return sessions.open(request);
  };

  const app = sdk
    .agent({name: 'gemini'})
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
    .onRequest('authenticate', ({params}) => answer(async () => authenticate(params, sessions.variables)))
    .onRequest('session/new', ({params, requestId, signal}) => answer(() => open({...params, requestId, signal})))
    .onRequest('session/load', ({params, requestId, signal}) =>
      answer(async () => {
        const served = await resume({...params, resume: params.sessionId, requestId, signal});
        await served.replay();
        return announced(served);
      }),
    )
    .onRequest('session/resume', ({params, requestId, signal}) =>
      answer(async () => announced(await resume({...params, resume: params.sessionId, requestId, signal}))),
    )
    .onRequest('session/list', ({params}) => answer(() => listSessions(setup, sessions, params)))
    .onRequest('session/delete', ({params}) => answer(() => deleteSession(setup, sessions, params.sessionId)))
    .onRequest('session/close', ({params}) =>
      answer(async () => {
        sessions.get(params.sessionId);
        await sessions.close(params.sessionId);
      }),
    )
    .onRequest('session/set_mode', ({params}) => answer(() => sessions.get(params.sessionId).setMode(params.modeId)))
    .onRequest('session/set_config_option', ({params}) =>
      answer(async (): Promise<{configOptions: SessionConfigOption[]}> => ({
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
  return {app, editor, close: () => sessions.closeAll()};
}

async function announced(served: ServedSession): Promise<SessionOptions> {
  const options = await served.options();
  setImmediate(() => served.announce());
  return options;
}
