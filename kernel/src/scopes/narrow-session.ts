import type {FormAnswer, SentForm} from '../contract/form.js';
import type {Session} from '../contract/session-handle.js';

/** A session in which forms come with who asks. */
export type AskingSession = Session & {
  askFor(form: SentForm, signal: AbortSignal | undefined): Promise<FormAnswer>;
};

/** An installed plugin's view of a session that it opened: it cannot answer for a person, and asks in its own name. */
export function narrowSession(session: AskingSession, plugin: string): Session {
  const {info, describe, tools, offered, leftOut, setMode, guards, announce, close} = session;
  return {
    ...{info, describe, tools, offered, leftOut, setMode, guards, announce, close},
    service: (name) => session.service(name, plugin),
    ask: (form, {signal} = {}) => session.askFor({...form, source: plugin, isOurs: false}, signal),
    call: (request, {signal, onProgress} = {}) =>
      session.call(request, {...(signal ? {signal} : {}), ...(onProgress ? {onProgress} : {})}),
  };
}
