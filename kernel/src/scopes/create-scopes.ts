import {isOurs, KERNEL} from '../catalog/catalog-plugin.js';
import {KernelError} from '../contract/error.js';
import type {SessionTools} from '../contract/call.js';
import type {Environment} from '../contract/environment.js';
import type {FormAnswer, SentForm} from '../contract/form.js';
import type {ServiceContext, ServiceLookup} from '../contract/service.js';
import type {OpenOptions, Session} from '../contract/session-handle.js';
import type {ScopeKind, SessionInfo} from '../contract/session.js';
import type {Core} from '../hooks/core.js';
import {ownsHook, type Dispatch, type Stage} from '../hooks/dispatch.js';
import type {Subject} from '../hooks/filter.js';
import type {Notices} from '../hooks/notices.js';
import {narrowEnvironment} from './narrow-environment.js';
import {narrowSession, type AskingSession} from './narrow-session.js';
import type {KeptLists} from './kept-lists.js';
import type {Place} from './place.js';
import {createScope, namesOf, type Parent, type Scope} from './scope.js';
import type {Uses} from './uses.js';

/** What a new session comes from: the place that it joins, and the services that opened it. */
export interface Opener {
  readonly keys: readonly string[];
  readonly place?: Place;
}

interface Parts extends Core {
  readonly dispatch: Dispatch;
  readonly uses: Uses;
  readonly notices: Notices;
  readonly lists: KeptLists;
  /** Where the sessions that a scope concerns announce their moments. */
  stagesOf(kind: ScopeKind, subjects: Subjects): readonly Stage[];
  open(options: OpenOptions, opener: Opener): AskingSession;
  changed(key: string, source: string): void;
  /** Finds the services of a place that is open. */
  around(): ServiceLookup | undefined;
}

/** What a scope is made for. */
export interface Subjects {
  readonly environment: Environment;
  readonly session: SessionInfo;
  readonly parent?: Parent;
  /** The place that a scope is, or is in. */
  place?(): Place;
  /** The session that a scope belongs to. */
  self?(): Session;
  /** Asks the person of the session. */
  askFor(form: SentForm, signal: AbortSignal): Promise<FormAnswer>;
  /** The tools that a service is given. */
  toolsFor(caller: {readonly key: string; readonly isOurs: boolean}): SessionTools;
}

/** Makes a scope of a kernel. */
export type OpenScope = (kind: ScopeKind, subjects: Subjects) => Scope;

const refuse = (): Promise<never> => {
  const sentence = 'A service that does not live in a session has no tools to use, and no person to ask.';
  return Promise.reject(new KernelError('SERVICE_SCOPE', sentence));
};

/** What a service has of a session when it lives in none. */
export const refused: Pick<Subjects, 'toolsFor' | 'askFor'> = {
  toolsFor: () => ({call: refuse, offered: refuse}),
  askFor: refuse,
};

/** Makes the scopes of one kernel, whose services know of each other. */
export function createScopes(parts: Parts): OpenScope {
  const {catalog, dispatch} = parts;
  let count = 0;
  return (kind, subjects) => {
    const {environment, session, parent, toolsFor, askFor} = subjects;
    const tellAs = parts.notices.sender(() => parts.stagesOf(kind, subjects));
    const tell = tellAs(KERNEL);
    const announce = (plugin: string, signal: AbortSignal): ServiceContext['dispatch'] =>
      async function announce(hook, payload, inner) {
        if (!ownsHook(catalog, hook, plugin))
          throw new KernelError('HOOK_NOT_OWNED', `${plugin} announced ${hook}, which it does not own.`);
        const stage = {session, lookup: scope.lookup, environment, tell};
        return dispatch(hook, payload, {...stage, signal, inner, subject: Object(payload) as Subject});
      };
    const scope = createScope({
      ...parts,
      ...{kind, id: `${kind}${(count += 1)}`, tell, around: kind === 'program' ? parts.around : () => undefined},
      ...(parent ? {parent} : {}),
      contextOf({plugin, name}, key, signal) {
        const caller = {key, isOurs: isOurs(catalog, plugin)};
        return {
          environment: narrowEnvironment(environment, catalog.plugins.get(plugin)),
          ...{session, signal, tools: toolsFor(caller), dispatch: announce(plugin, signal)},
          tell: tellAs(plugin),
          ask: (form, by = signal) => askFor({...form, source: plugin, isOurs: caller.isOurs}, by),
          settings: () => catalog.settings,
          commands: () => catalog.typed,
          sources: async (family, item) => {
            const stage = {session, lookup: scope.lookup, environment, tell, keyOf: scope.keyOf};
            const lists = await parts.lists.list<never, never>(namesOf(catalog, family, plugin), item, stage);
            return lists.map(({name, plugin, items}) => ({name, plugin, isOurs: isOurs(catalog, plugin), items}));
          },
          changed: () => parts.changed(key, name),
          open: (options = {}) => openFor(parts, {options, plugin, subjects, ...caller}),
        };
      },
    });
    return scope;
  };
}

interface Opening {
  readonly options: Omit<OpenOptions, 'parent'>;
  readonly plugin: string;
  readonly key: string;
  readonly isOurs: boolean;
  readonly subjects: Subjects;
}

/** A plugin that a person installed opens sessions only below its own, with the mode of that. */
function openFor({open}: Parts, {options, plugin, key, isOurs, subjects}: Opening): Session {
  const parent = subjects.self?.();
  if (!isOurs && !parent)
    throw new KernelError('SERVICE_SCOPE', 'Only plugins of the product open sessions that have no parent.');
  const {mode, ...rest} = options;
  const given = isOurs ? options : {live: rest.live ?? false};
  const place = subjects.place?.();
  const session = open({...given, ...(parent ? {parent} : {})}, {keys: [key], ...(place ? {place} : {})});
  return isOurs ? session : narrowSession(session, plugin);
}
