import type {Session} from '../contract/session-handle.js';

/** What an installed plugin holds of a session that it opened: nobody is answered for, and it asks in its own name. */
export function narrowSession(session: Session, plugin: string): Session {
  const {info, describe, tools, offered, setMode, guards, announce, close} = session;
  return {
    ...{info, describe, tools, offered, setMode, guards, announce, close},
    service: (name) => session.service(name, plugin),
    call: (request, {signal, onProgress} = {}) =>
      session.call(request, {...(signal ? {signal} : {}), ...(onProgress ? {onProgress} : {})}),
  };
}
