import type {Environment} from '../contract/environment.js';
import type {Scope} from './scope.js';
import {WriteOrder} from './write-order.js';
import type {Uses} from './uses.js';

/** What tells one place from another; what is undefined is as the program was started. */
type Wanted = {readonly [K in 'cwd' | 'variables' | 'flags']: Environment[K] | undefined};

interface Parts {
  readonly uses: Uses;
  openScope(environment: Environment, place: () => Place): Scope;
}

/** A directory with its settings, variables and flags, shared by the sessions in it. */
export class Place {
  readonly scope: Scope;
  /** In which acts that change things run, whichever session they belong to. */
  readonly order: WriteOrder;
  #sessions = 0;

  constructor(
    readonly environment: Environment,
    {openScope, uses}: Parts,
    private readonly onEmpty: (place: Place) => void,
  ) {
    this.scope = openScope(environment, () => this);
    this.order = new WriteOrder(uses);
  }

  /** Takes part in it once more. */
  join(): this {
    this.#sessions += 1;
    return this;
  }

  /** Ends the use of it by one session; the last one disposes its services. */
  async leave(): Promise<void> {
    this.#sessions -= 1;
    if (this.#sessions > 0) return;
    this.onEmpty(this);
    await this.scope.close();
  }
}

/** The places of a kernel: each is made by the first session in it and closed by the last. */
export class Places {
  readonly #open = new Map<string, Place>();

  constructor(
    private readonly base: Environment,
    private readonly parts: Parts,
  ) {}

  /** Those of every place that is open now. */
  get scopes(): readonly Scope[] {
    return [...this.#open.values()].map(({scope}) => scope);
  }

  /** Takes part in a place; the one that the program was started in, where nothing else is said. */
  enter(wanted: Wanted): Place {
    const key = keyOf(wanted);
    const place = this.#open.get(key) ?? this.#make(key, wanted);
    this.#open.set(key, place);
    return place.join();
  }

  #make(key: string, {cwd, variables, flags}: Wanted): Place {
    const {base, parts} = this;
    const other = {cwd: cwd ?? base.cwd, variables: variables ?? base.variables, flags: flags ?? base.flags};
    return new Place(key === '' ? base : {...base, ...other}, parts, (place) => {
      if (this.#open.get(key) === place) this.#open.delete(key);
    });
  }
}

function keyOf({cwd, variables, flags}: Wanted): string {
  const sorted = (values: object | undefined): unknown =>
    values && Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return cwd === undefined && !variables && !flags ? '' : JSON.stringify([cwd, sorted(variables), sorted(flags)]);
}
