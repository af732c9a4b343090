import type {Counts, Mark, QueueEngine, QueueState, QueueTask} from '@gemini-kernel/plugin-fleet/contract';
import {checkTasks, decideClaim, decideFail, orderFor, requireHeld, sortPut} from '@gemini-kernel/plugin-fleet/queues';
import {Ledger} from './ledger.js';
import type {ChangeOptions, Row, Store} from './store.js';

/** How many tasks one transaction changes, when all are meant: others wait no longer than it takes. */
const PIECE = 500;

type Args<M extends keyof QueueEngine> = Parameters<QueueEngine[M]> extends [string, ...infer Rest] ? Rest : never;

/** One queue on a server. Each call is a transaction. */
export class SharedQueue {
  constructor(private readonly store: Store) {}

  async put(tasks: readonly QueueTask[]): ReturnType<QueueEngine['put']> {
    checkTasks(tasks);
    return this.#change(
      async (ledger) => {
        await ledger.read(tasks.map(({id}) => id));
        const {fresh, changed} = sortPut(ledger, tasks);
        if (fresh.length > 0) await ledger.add(fresh);
        if (changed.length > 0) ledger.replace(changed);
        return {added: fresh.length, known: tasks.length - fresh.length};
      },
      {whenAbsent: 'make'},
    );
  }

  async claim({name, leaseMs}: Args<'claim'>[0]): ReturnType<QueueEngine['claim']> {
    return this.#change(async (ledger) => {
      if (await ledger.transaction.jobs.isPaused()) return {idle: 'paused'};
      await ledger.readNext();
      const change = decideClaim(ledger, name);
      if ('idle' in change) return change;
      const {id, fence, attempt, reserved} = change;
      const {task, note} = await ledger.start(change, leaseMs);
      const more = {...(reserved === undefined ? {} : {reserved}), ...(note === undefined ? {} : {note})};
      return {claim: {id, fence, attempt, task, ...more}};
    });
  }

  async beat(mark: Mark, {spent, note}: Args<'beat'>[1] = {}): ReturnType<QueueEngine['beat']> {
    const said = {...(spent === undefined ? {} : {spent}), ...(note === undefined ? {} : {note})};
    const isSaid = Object.keys(said).length > 0;
    return this.#change(
      async (ledger) => {
        await ledger.read([mark.id]);
        await ledger.renew(requireHeld(ledger, mark), isSaid ? {kind: 'progress', id: mark.id, ...said} : undefined);
        return {order: orderFor(ledger, requireHeld(ledger, mark))};
      },
      {whenAbsent: 'refuse', isLight: !isSaid},
    );
  }

  async finish(mark: Mark, {result, spent}: Args<'finish'>[1]): Promise<void> {
    return this.#change(async (ledger) => {
      await ledger.read([mark.id]);
      const row = ledger.get(mark.id);
      // The answer to the first call may have been lost.
      if (row?.state === 'done' && row.fence === mark.fence) return;
      requireHeld(ledger, mark);
      await ledger.end({kind: 'finished', id: mark.id, result, spent});
    });
  }

  async fail(mark: Mark, end: Args<'fail'>[1]): ReturnType<QueueEngine['fail']> {
    return this.#change(async (ledger) => {
      await ledger.read([mark.id]);
      const change = decideFail(ledger, mark, end);
      await ledger.end(change);
      return {state: change.state};
    });
  }

  async cancel(ids?: readonly string[]): Promise<number> {
    return this.#mark('cancelled', ids, ['waiting', 'running']);
  }

  async retry(ids?: readonly string[]): Promise<number> {
    return this.#mark('retried', ids, ['failed', 'cancelled']);
  }

  async set(what: Args<'set'>[0]): Promise<void> {
    await this.#change(async (ledger) => ledger.set(what), {whenAbsent: 'make'});
  }

  async counts(): Promise<Counts> {
    return this.#change(async (ledger) => {
      const {isPaused, limits} = ledger;
      return {...ledger.counts(), ...ledger.spending(), isPaused, limits};
    });
  }

  /** Marks tasks in these states, in pieces; gives how many. */
  async #mark(
    kind: 'cancelled' | 'retried',
    ids: readonly string[] | undefined,
    states: readonly QueueState[],
  ): Promise<number> {
    const inState = states.filter((state) => state !== 'running');
    const allIds = async (ledger: Ledger): Promise<readonly string[]> => [
      ...(await ledger.transaction.idsIn(inState, PIECE)),
      ...(states.includes('running') ? ledger.runningIds() : []),
    ];
    const isMeant = (row: Row | undefined): row is Row =>
      row !== undefined && states.includes(row.state) && row.isCancelled !== true;
    let [all, rounds] = [0, ids === undefined ? Infinity : Math.ceil(ids.length / PIECE)];
    for (let round = 0; round < rounds; round += 1) {
      const count = await this.#change(async (ledger) => {
        const piece = ids?.slice(round * PIECE, (round + 1) * PIECE) ?? (await allIds(ledger));
        await ledger.read(piece);
        const meant = [...new Set(piece)].filter((id) => isMeant(ledger.get(id)));
        if (meant.length > 0) await ledger.mark(kind, meant);
        return meant.length;
      });
      all += count;
      if (ids === undefined && count === 0) rounds = 0;
    }
    return all;
  }

  async #change<T>(
    act: (ledger: Ledger) => Promise<T>,
    {whenAbsent, isLight = false}: ChangeOptions = {whenAbsent: 'refuse'},
  ): Promise<T> {
    for (let light = isLight; ; light = false) {
      const done = await this.store.change(
        async (transaction) => {
          const ledger = await Ledger.open(transaction);
          if (light && ledger.lost().length > 0) return undefined;
          // A transaction of its own: it counts even if `act` throws, and `act` reads what it wrote.
          const answer = (await ledger.takeBackLost()) > 0 ? undefined : {value: await act(ledger)};
          await ledger.write();
          return answer;
        },
        {whenAbsent, isLight: light},
      );
      if (done) return done.value;
    }
  }
}
