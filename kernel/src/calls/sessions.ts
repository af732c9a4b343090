import {KERNEL} from '../catalog/catalog-plugin.js';
import type {CallOptions, SessionTools} from '../contract/call.js';
import type {ScopeKind, SessionInfo} from '../contract/session.js';
import type {Session, OpenOptions} from '../contract/session-handle.js';
import type {Core} from '../hooks/core.js';
import type {Stage} from '../hooks/dispatch.js';
import type {Notices} from '../hooks/notices.js';
import type {Opener, OpenScope, Subjects} from '../scopes/create-scopes.js';
import type {KeptLists} from '../scopes/kept-lists.js';
import type {Place, Places} from '../scopes/place.js';
import type {Scope} from '../scopes/scope.js';
import {openSession, type HeldSession, type SessionParts} from './open-session.js';
import {createSessionInfo} from './session-info.js';

/** What a kernel knows of an open session. */
interface Held {
  readonly session: HeldSession;
  readonly scope: Scope;
  readonly place: Place;
  readonly stage: Stage;
  /** Where the person is: above the session of a subagent. */
  readonly person: Stage;
  readonly parent: Session | undefined;
  /** The services that opened it, the nearest first. */
  readonly opener: readonly string[];
}

interface Parts extends Core, Pick<SessionParts, 'dispatch' | 'running' | 'sources' | 'answer'> {
  readonly places: Places;
  readonly lists: KeptLists;
  readonly openScope: OpenScope;
  onOpen(session: SessionInfo): void;
  newId(): string;
  readonly notices: Notices;
}

/** The open sessions of a kernel. */
export class Sessions {
  readonly #held = new Map<Session, Held>();
  #calls = 0;

  constructor(private readonly parts: Parts) {}

  /** Where each open session announces its moments. */
  get stages(): readonly Stage[] {
    return [...this.#held.values()].map(({stage}) => stage);
  }

  /** Where the sessions announce their moments that a service of a scope speaks to. */
  stagesOf(kind: ScopeKind, {session, place}: Subjects): readonly Stage[] {
    const concerns = (held: Held): boolean =>
      kind === 'session'
        ? held.session.info === session
        : held.parent === undefined && (kind === 'program' || held.place === place?.());
    return [...this.#held.values()].filter(concerns).map(({person}) => person);
  }

  /** The newest first. */
  get scopes(): readonly Scope[] {
    return [...this.#held.values()].map(({scope}) => scope).reverse();
  }

  /** Opens a session below another one, in the place of the service that asked for it, or in the place named. */
  open(options: OpenOptions, opener: Opener = {keys: []}): HeldSession {
    const above = options.parent && this.#held.get(options.parent);
    const place = this.#placeOf(options, above, opener);
    const {info, settle} = createSessionInfo(this.parts.newId(), options, place.environment.interactive);
    this.parts.onOpen(info);
    const callers = [...opener.keys, ...(above?.opener ?? [])];
    const {environment} = place;
    const scope = this.parts.openScope('session', {
      ...{environment, session: info, parent: place.scope, place: () => place},
      self: () => session,
      askFor: (form, signal) => session.askFor(form, signal),
      toolsFor: ({key, isOurs}) => toolsOf(() => session, {services: [key, ...callers], isOurs}),
    });
    const tell = this.parts.notices.sender(() => (this.#held.has(session) ? [person] : []))(KERNEL);
    const stage: Stage = {session: info, lookup: scope.lookup, environment, tell};
    const person = (info.subagent !== undefined && info.interactive && above?.person) || stage;
    const session = openSession({
      ...this.parts,
      ...{stage, person, settle, scope, order: place.order, parent: options.parent?.info},
      nextId: (tool) => `${tool}__${info.id.slice(0, 8)}-${(this.#calls += 1)}`,
      children: () => this.#childrenOf(session),
      onClosing: async () => {
        await this.parts.notices.settle();
        this.#held.delete(session);
      },
      onClosed: async () => {
        this.parts.lists.forget('session', scope.keyOf);
        await place.leave();
      },
    });
    this.#held.set(session, {session, scope, place, stage, person, parent: options.parent, opener: callers});
    return session;
  }

  /** Closes every session, the newest first. */
  async close(): Promise<void> {
    for (const session of [...this.#held.keys()].reverse()) await session.close();
  }

  #placeOf({cwd, variables, flags}: OpenOptions, above: Held | undefined, opener: Opener): Place {
    const near = above?.place ?? opener.place;
    if (near && cwd === undefined && !variables && !flags) return near.join();
    return this.parts.places.enter({cwd, variables, flags});
  }

  #childrenOf(session: Session): readonly Session[] {
    return [...this.#held.values()].filter(({parent}) => parent === session).map((one) => one.session);
  }
}

/** The tools that a service is given: calls come with the services that they came through. */
function toolsOf(
  session: () => HeldSession,
  {services, isOurs}: {readonly services: readonly string[]; readonly isOurs: boolean},
): SessionTools {
  return {
    call({subagent, ...request}, {asker, ...options} = {}) {
      // Only the host answers for a person.
      const {confirm: _, ...given} = options as CallOptions;
      const named = subagent && isOurs ? {...request, subagent} : request;
      return session().callFor(named, {...given, ...(asker && isOurs ? {asker} : {})}, {services});
    },
    offered: () => session().offered(),
  };
}
