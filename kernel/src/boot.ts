import {KERNEL} from './catalog/catalog-plugin.js';
import {createLiveCatalog} from './catalog/live-catalog.js';
import {exchangeCatalog} from './exchange-catalog.js';
import type {Catalog} from './catalog/catalog.js';
import type {Answer} from './calls/ask-person.js';
import {Running} from './calls/running.js';
import {RunningCalls} from './calls/running-calls.js';
import {Sessions} from './calls/sessions.js';
import {Sources} from './calls/sources.js';
import type {Border} from './contract/border.js';
import type {Environment} from './contract/environment.js';
import type {OpenOptions, Session} from './contract/session-handle.js';
import type {SessionInfo} from './contract/session.js';
import type {Span} from './contract/span.js';
import {createDispatch} from './hooks/dispatch.js';
import {createLoad, type Hints, type Elsewhere, type ImportFile, type Load} from './hooks/load.js';
import {Notices, type Print} from './hooks/notices.js';
import {createTrace, type Trace} from './hooks/trace.js';
import {createScopes, refused} from './scopes/create-scopes.js';
import {KeptLists} from './scopes/kept-lists.js';
import {Places} from './scopes/place.js';
import {Uses} from './scopes/uses.js';

export interface Kernel {
  readonly catalog: Catalog;
  readonly environment: Environment;
  readonly trace: Trace;
  readonly load: Load;
  /** Opens a session, in the place that the program was started in or in another. Listeners hear of it later. */
  open(options?: OpenOptions): Session;
  /** Runs an act that needs one catalog from its start to its end: `replace` and the act wait for each other. */
  during<T>(act: () => Promise<T>): Promise<T>;
  /** Continues with another catalog once no call runs. Disposes services of changed plugins, and what used them. */
  replace(next: Catalog): Promise<void>;
  /**
   * For an error that nothing handled: it fails the calls that run now, or is a warning after a call. False where no
   * call can have caused it.
   */
  fail(error: unknown): boolean;
  /** Closes every session, the newest first, with the places they are in, then what lives as long as the program. */
  close(): Promise<void>;
}

export interface BootOptions {
  /** Gives the module in a file, where it is not to be imported from disk. */
  readonly importFile?: ImportFile | undefined;
  /** Gives contributions whose code is not to run in this process. */
  readonly elsewhere?: Elsewhere | undefined;
  readonly border?: Border;
  /** Shows forms that no listener of `person:ask` shows. */
  readonly answer?: Answer;
  /** Called before a session opens, for every caller. */
  readonly onOpen?: (session: SessionInfo) => void;
  /** Shows notices that no listener showed. */
  readonly print?: Print;
  /** Hears of every answer of a listener. Must not throw. */
  readonly onSpan?: (span: Span) => void;
  /** Sentences by error code that follow what the kernel itself advises, such as which command helps. */
  readonly hints?: Hints;
}

const usual = {
  border: {value: (value) => value, service: (service) => service} as Border,
  answer: (async () => undefined) as Answer,
  onOpen: () => undefined,
  print: () => undefined,
  onSpan: () => undefined,
  hints: {},
};

/** Makes a kernel over a catalog. No plugin code runs yet. */
export function boot(given: Catalog, environment: Environment, options: BootOptions = {}): Kernel {
  const {importFile, elsewhere, border, print, answer, onOpen, onSpan, hints} = {...usual, ...options};
  const catalog = createLiveCatalog(given);
  const trace = createTrace(onSpan);
  const uses = new Uses();
  const load = createLoad(catalog, {importFile, elsewhere, hints});
  const core = {catalog, trace, load, border};
  const dispatch = createDispatch({...core, hints});
  const lists = new KeptLists(catalog);
  const sources = new Sources(catalog, lists);
  const notices = new Notices(catalog, dispatch, print);
  const running: Running = new Running(new RunningCalls(notices.sender(() => sessions.stages)(KERNEL)));
  const openScope = createScopes({
    ...{...core, dispatch, notices, uses, lists},
    stagesOf: (kind, subjects) => sessions.stagesOf(kind, subjects),
    open: (options, opener) => sessions.open(options, opener),
    around: () => places.scopes[0]?.lookup,
    changed(key, source) {
      lists.drop(key);
      sources.renew();
      for (const stage of sessions.stages) void dispatch('sources:changed', {source}, stage);
    },
  });
  const outside = {session: outsideOf(environment), ...refused};
  const program = openScope('program', {...outside, environment: withoutPlace(environment)});
  const places = new Places(environment, {
    uses,
    openScope: (own, place) => openScope('place', {...outside, environment: own, parent: program, place}),
  });
  const sessions = new Sessions({
    ...{...core, dispatch, running, sources, lists, places, openScope, notices, answer, onOpen},
    newId: () => environment.newId(),
  });
  return Object.freeze({
    ...{catalog, environment, trace, load},
    fail: (error: unknown) => running.calls.fail(error),
    open: (options: OpenOptions = {}) => sessions.open(options),
    during: <T>(act: () => Promise<T>) => running.during(act),
    replace: (next: Catalog) =>
      running.whenIdle(() => {
        const scopes = [...sessions.scopes, ...places.scopes, program];
        return exchangeCatalog(next, {catalog, uses, sources, scopes});
      }),
    async close() {
      await sessions.close();
      await program.close();
      await notices.settle();
    },
  });
}

/** What services see of a session where they live in none. */
function outsideOf({interactive}: Environment): SessionInfo {
  return {id: 'none', mode: 'default', interactive, live: false};
}

/** A service of the program has no directory, variables or flags: what it kept of them would be wrong elsewhere. */
function withoutPlace(environment: Environment): Environment {
  const {cwd: _, variables: __, flags: ___, ...rest} = environment;
  return rest as Environment;
}
