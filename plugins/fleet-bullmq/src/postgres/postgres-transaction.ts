import type {ClientBase} from 'pg';
import type {QueueState} from '@gemini-kernel/plugin-fleet/contract';
import type {Jobs} from '../jobs.js';
import type {Head, Row, Transaction} from '../store.js';

/** How many rows one statement writes. */
const PIECE = 1000;
/** How many events are kept. */
const KEPT = 100_000;

interface Entry {
  readonly entry: string;
}

/** What a light transaction throws whose rows others have changed: as PostgreSQL says it of a transaction. */
const OVERTAKEN = '40001';

/** A transaction of PostgreSQL, which has locked the head of the queue unless it is light. */
export class PostgresTransaction implements Transaction {
  /** Rows as they were read. */
  readonly #texts = new Map<string, string>();

  constructor(
    private readonly client: ClientBase,
    private readonly fleet: string,
    readonly begun: {readonly head: Head; readonly now: number; readonly isLight: boolean},
    readonly jobs: Jobs,
  ) {}

  get head(): Head {
    return this.begun.head;
  }

  get now(): number {
    return this.begun.now;
  }

  async running(): Promise<readonly Row[]> {
    return this.#read("SELECT entry FROM gemini_fleet.task WHERE fleet = $1 AND state = 'running'", []);
  }

  async rows(ids: readonly string[]): Promise<readonly Row[]> {
    return this.#read('SELECT entry FROM gemini_fleet.task WHERE fleet = $1 AND id = ANY($2)', [ids]);
  }

  async next(full: readonly string[]): Promise<Row | undefined> {
    const [row] = await this.#read(
      "SELECT entry FROM gemini_fleet.task WHERE fleet = $1 AND state = 'waiting' " +
        'AND (grp IS NULL OR NOT grp = ANY($2)) ORDER BY priority DESC, place LIMIT 1',
      [full.map((group) => JSON.stringify(group))],
    );
    return row;
  }

  async idsIn(states: readonly QueueState[], most: number): Promise<readonly string[]> {
    const {rows} = await this.client.query<{id: string}>(
      'SELECT id FROM gemini_fleet.task WHERE fleet = $1 AND state = ANY($2) ORDER BY place LIMIT $3',
      [this.fleet, states, most],
    );
    return rows.map(({id}) => id);
  }

  async save({head, added, rows, events}: Parameters<Transaction['save']>[0]): Promise<void> {
    const {client, fleet} = this;
    if (this.begun.isLight) return this.#renew(rows.map(({row}) => row));
    await client.query('UPDATE gemini_fleet.queue SET head = $2 WHERE fleet = $1', [fleet, JSON.stringify(head)]);
    for (let at = 0; at < added.length; at += PIECE) await this.#add(added.slice(at, at + PIECE));
    await this.#update(rows.map(({row}) => row));
    await client.query(
      'INSERT INTO gemini_fleet.event (fleet, number, event) SELECT $1, * FROM unnest($2::bigint[], $3::text[])',
      [fleet, events.map(({number}) => number), events.map((event) => JSON.stringify(event))],
    );
    if (head.number % 1000 < events.length)
      await client.query('DELETE FROM gemini_fleet.event WHERE fleet = $1 AND number <= $2', [
        fleet,
        head.number - KEPT,
      ]);
  }

  async #add(rows: readonly Row[]): Promise<void> {
    await this.client.query(
      'INSERT INTO gemini_fleet.task (fleet, id, place, state, priority, grp, entry) SELECT $1, id, place, ' +
        "'waiting', priority, grp, entry FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[]) " +
        'AS row (id, place, priority, grp, entry)',
      [
        this.fleet,
        rows.map(({task}) => task.id),
        rows.map(({order}) => order),
        rows.map(({task}) => task.priority ?? 0),
        rows.map(({task: {group}}) => (group === undefined ? null : JSON.stringify(group))),
        rows.map((row) => JSON.stringify(row)),
      ],
    );
  }

  async #update(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const results = rows.map(({result}) => (result === undefined ? null : JSON.stringify(result)));
    await this.client.query(
      'UPDATE gemini_fleet.task AS task SET state = row.state, entry = row.entry, result = row.result ' +
        'FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS row (id, state, entry, result) ' +
        'WHERE task.fleet = $1 AND task.id = row.id',
      [
        this.fleet,
        rows.map(({task}) => task.id),
        rows.map(({state}) => state),
        rows.map((row) => JSON.stringify({...row, result: undefined})),
        results,
      ],
    );
  }

  /** Writes rows that are as they were read. */
  async #renew(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      const {id} = row.task;
      const {rowCount} = await this.client.query(
        'UPDATE gemini_fleet.task SET entry = $4 WHERE fleet = $1 AND id = $2 AND entry = $3',
        [this.fleet, id, this.#texts.get(id), JSON.stringify(row)],
      );
      if (rowCount !== 1) throw Object.assign(new Error(`Others changed ${id}.`), {code: OVERTAKEN});
    }
  }

  async #read(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const {rows} = await this.client.query<Entry>(text, [this.fleet, ...values]);
    return rows.map(({entry}) => {
      const row = JSON.parse(entry) as Row;
      this.#texts.set(row.task.id, entry);
      return row;
    });
  }
}
