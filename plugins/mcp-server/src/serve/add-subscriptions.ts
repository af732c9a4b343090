import type {Server} from '#sdk';
import type {ClientSession} from './client-session.js';
import {readResource} from './add-resources.js';
import {lookAtResource} from './look-at-resource.js';
import type {Sources} from './sources.js';
import {Subscriptions} from './subscriptions.js';
import type {Use} from './use.js';

interface Parts {
  readonly server: Server;
  readonly client: ClientSession;
  readonly use: Use;
  readonly sources: Sources;
}

/** Lets a connected client follow resources. What it may not read, it cannot follow. */
export function addSubscriptions({server, client, use, sources}: Parts): Subscriptions {
  const subscriptions = new Subscriptions({
    look: (uri) => client.peek(async (session) => lookAtResource(uri, session, await sources.resources(session))),
    // A client that has gone needs no notices.
    changed: (uri) => void server.sendResourceUpdated({uri}).catch(() => undefined),
  });
  server.setRequestHandler('resources/subscribe', ({params: {uri}}, context) =>
    use(context, async (session) => {
      await readResource(uri, session, context, await sources.resources(session));
      await subscriptions.add(uri);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({params: {uri}}) => {
    subscriptions.delete(uri);
    return {};
  });
  return subscriptions;
}
