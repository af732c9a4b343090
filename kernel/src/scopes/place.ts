import type {Environment} from '../contract/environment.js';
import type {PlaceOptions} from '../contract/session-handle.js';
import type {Scope} from './scope.js';
import {WriteOrder} from './write-order.js';
import type {Uses} from './uses.js';

/** A directory with its settings, variables and flags, shared by the sessions in it. */
export interface Place {
  readonly environment: Environment;
  readonly scope: Scope;
  /** In which acts that change things run, whichever session they belong to. */
  readonly order: WriteOrder;
  /** Takes part in it once more. */
  join(): Place;
  /** Ends the use of it by one session; the last one disposes its services. */
  leave(): Promise<void>;
}

interface Parts {
  readonly uses: Uses;
  openScope(environment: Environment, place: () => Place): Scope;
}

/** The places of a kernel: each is made by the first session in it and closed by the last. */
export class Places {
  readonly #open = new Map<string, {readonly place: Place; sessions: number}>();

  constructor(
    private readonly base: Environment,
    private readonly parts: Parts,
  ) {}

  /** Those of every place that is open now. */
  get scopes(): readonly Scope[] {
    return [...this.#open.values()].map(({place}) => place.scope);
  }

  /** Takes part in a place; the one that the program was started in, where nothing else is said. */
  enter(options: PlaceOptions): Place {
    const key = keyOf(options);
    return (this.#open.get(key)?.place ?? this.#make(key, options)).join();
  }

  #make(key: string, options: PlaceOptions): Place {
    const environment = key === '' ? this.base : {...this.base, ...options};
    const scope = this.parts.openScope(environment, () => held.place);
    const leave = async (): Promise<void> => {
      held.sessions -= 1;
      if (held.sessions > 0) return;
      if (this.#open.get(key) === held) this.#open.delete(key);
      await scope.close();
    };
    const join = (): Place => {
      held.sessions += 1;
      return held.place;
    };
    const held = {place: {environment, scope, order: new WriteOrder(this.parts.uses), join, leave}, sessions: 0};
    this.#open.set(key, held);
    return held.place;
  }
}

function keyOf({cwd, variables, flags}: PlaceOptions): string {
  const sorted = (values: object | undefined): unknown =>
    values && Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return cwd === undefined && !variables && !flags ? '' : JSON.stringify([cwd, sorted(variables), sorted(flags)]);
}
