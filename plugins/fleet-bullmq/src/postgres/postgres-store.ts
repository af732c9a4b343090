import {createPostgresBackend, type IQueueBackend} from 'bullmq';
import {KernelError} from '@gemini-kernel/kernel';
import type {QueueEvent, QueueItem} from '@gemini-kernel/plugin-fleet/contract';
import {itemOf, queueAbsent} from '@gemini-kernel/plugin-fleet/queues';
import pg from 'pg';
import type {Address} from '../address.js';
import {Jobs, type FoundJob} from '../jobs.js';
import {
  newHead,
  type ChangeOptions,
  type Head,
  type ListWhat,
  type Row,
  type Store,
  type Transaction,
} from '../store.js';
import {Turns} from '../turns.js';
import {isWorthAgain, postgresFault} from './postgres-fault.js';
import {PostgresTransaction} from './postgres-transaction.js';
import {hasTables, makeTables} from './schema.js';

const CONNECT_MS = 4000;
const ANSWER_MS = 8000;
/** A process that begins a transaction and is then frozen does not hold up the others for longer. */
const FROZEN_MS = 5000;
const TRIES = 5;
/** A server that does not answer does not keep anyone from leaving. */
const CLOSE_MS = 1000;

interface Link {
  readonly client: pg.Client;
  readonly backend: IQueueBackend;
  isBroken: boolean;
  hasTables: boolean;
}

interface Found {
  readonly entry: string;
  readonly result: string | null;
}

/** Queues on PostgreSQL: one connection, on which one call runs at a time. */
export class PostgresStore implements Store {
  readonly #turns = new Turns();
  #link: Link | undefined;

  constructor(private readonly address: Address) {}

  async change<T>(act: (transaction: Transaction) => Promise<T>, {whenAbsent, isLight}: ChangeOptions): Promise<T> {
    return this.#run(async (link) => {
      await this.#requireTables(link, whenAbsent);
      for (let left = TRIES; ; left -= 1) {
        try {
          // What was refused to a light one since others changed its rows is done by one that locks.
          return await this.#transact(link, act, {whenAbsent, isLight: isLight === true && left === TRIES});
        } catch (error) {
          // On a connection that broke, there is no transaction any more, and no answer.
          if (isUnreachable(postgresFault(error, this.address.shown))) throw error;
          await link.client.query('ROLLBACK');
          if (left === 1 || !isWorthAgain(error)) throw error;
        }
      }
    });
  }

  async list({ids, states, after, most = Infinity}: ListWhat): Promise<readonly QueueItem[]> {
    const found = await this.#read<Found>(
      'SELECT entry, result FROM gemini_fleet.task WHERE fleet = $1 AND ($2::text[] IS NULL OR id = ANY($2)) ' +
        'AND ($3::text[] IS NULL OR state = ANY($3)) AND place > COALESCE((SELECT place FROM gemini_fleet.task ' +
        'WHERE fleet = $1 AND id = $4), -1) ORDER BY array_position($2::text[], id), place LIMIT $5',
      [ids ?? null, states ?? null, after ?? null, most === Infinity ? null : most],
    );
    return found.map(({entry, result}) =>
      itemOf({...(JSON.parse(entry) as Row), ...(result === null ? {} : {result: JSON.parse(result) as unknown})}),
    );
  }

  async events(after: number): Promise<readonly QueueEvent[]> {
    const found = await this.#read<{event: string}>(
      'SELECT event FROM gemini_fleet.event WHERE fleet = $1 AND number > $2 ORDER BY number LIMIT 500',
      [after],
    );
    return found.map(({event}) => JSON.parse(event) as QueueEvent);
  }

  async close(): Promise<void> {
    await this.#turns.take(async () => {
      const link = this.#link;
      this.#link = undefined;
      const late = globalThis.setTimeout(() => link && this.#drop(link), CLOSE_MS);
      await link?.client.end();
      clearTimeout(late);
    });
  }

  async #read<T extends object>(text: string, values: readonly unknown[]): Promise<readonly T[]> {
    return this.#run(async (link) => {
      await this.#requireTables(link, 'refuse');
      const {rows} = await link.client.query<T>(text, [this.address.fleet, ...values]);
      if (rows.length === 0) await this.#headOf(link, 'refuse');
      return rows;
    });
  }

  async #transact<T>(
    link: Link,
    act: (transaction: Transaction) => Promise<T>,
    {whenAbsent, isLight = false}: ChangeOptions,
  ): Promise<T> {
    const {client, backend} = link;
    await client.query('BEGIN; SET LOCAL search_path TO bullmq');
    const begun = {...(await this.#headOf(link, whenAbsent, isLight ? '' : 'FOR UPDATE')), isLight};
    const jobs = new Jobs(backend, (id) => findJob(client, this.#queue, id));
    const value = await act(new PostgresTransaction(client, this.address.fleet, begun, jobs));
    await client.query('COMMIT');
    return value;
  }

  async #headOf(
    {client}: Link,
    whenAbsent: 'make' | 'refuse',
    lock: '' | 'FOR UPDATE' = '',
  ): Promise<{readonly head: Head; readonly now: number}> {
    const {fleet, shown} = this.address;
    if (whenAbsent === 'make')
      await client.query('INSERT INTO gemini_fleet.queue VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        fleet,
        JSON.stringify(newHead()),
      ]);
    const {rows} = await client.query<{head: string}>(`SELECT head FROM gemini_fleet.queue WHERE fleet = $1 ${lock}`, [
      fleet,
    ]);
    const [row] = rows;
    if (!row) throw absent(shown);
    const clock = await client.query<{now: string}>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now');
    return {head: JSON.parse(row.head) as Head, now: Math.floor(Number(clock.rows[0]?.now))};
  }

  async #requireTables(link: Link, whenAbsent: 'make' | 'refuse'): Promise<void> {
    if (link.hasTables) return;
    link.hasTables = await hasTables(link.client);
    if (link.hasTables) return;
    if (whenAbsent === 'refuse') throw absent(this.address.shown);
    await makeTables(link.client);
    link.hasTables = true;
  }

  /** Runs it on a connection that works, and throws away one that broke. */
  async #run<T>(act: (link: Link) => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      let link: Link | undefined;
      try {
        link = await this.#connect();
        return await act(link);
      } catch (error) {
        const fault = postgresFault(error, this.address.shown);
        if (link && (!(fault instanceof KernelError) || isUnreachable(fault))) this.#drop(link);
        throw fault;
      }
    });
  }

  async #connect(): Promise<Link> {
    if (this.#link && !this.#link.isBroken) return this.#link;
    const client = new pg.Client({
      connectionString: this.address.url.href,
      application_name: 'gemini fleet',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      statement_timeout: ANSWER_MS,
      idle_in_transaction_session_timeout: FROZEN_MS,
      keepAlive: true,
    });
    const link: Link = {client, backend: this.#backend(client), isBroken: false, hasTables: false};
    client.on('error', () => (link.isBroken = true));
    client.on('end', () => (link.isBroken = true));
    await client.connect();
    return (this.#link = link);
  }

  #drop(link: Link): void {
    link.isBroken = true;
    this.#link = undefined;
    // It cannot say goodbye on a connection that is cut.
    (link.client as unknown as {readonly connection: {readonly stream: {destroy(): void}}}).connection.stream.destroy();
  }

  get #queue(): string {
    return `gemini-fleet-${this.address.fleet}`;
  }

  /** BullMQ takes it for a pool: all that it does is then in the transaction of this connection. */
  #backend(client: pg.Client): IQueueBackend {
    const query = (text: string, values?: unknown[]): Promise<pg.QueryResult> => client.query(text, values);
    const nothing = (): void => undefined;
    const pool = {
      ...{query, on: nothing, end: () => Promise.resolve()},
      connect: () => Promise.resolve({query, on: nothing, release: nothing}),
    };
    return createPostgresBackend(this.#queue, {connection: pool}).on('error', nothing);
  }
}

async function findJob(client: pg.Client, queue: string, id: string): Promise<FoundJob> {
  const {rows} = await client.query<{state: string; lock_token: string | null}>(
    'SELECT state, lock_token FROM job WHERE queue = $1 AND id = $2 FOR UPDATE',
    [queue, id],
  );
  return {state: rows[0]?.state ?? 'unknown', token: rows[0]?.lock_token ?? undefined};
}

function isUnreachable(fault: unknown): boolean {
  return fault instanceof KernelError && fault.code === 'QUEUE_UNREACHABLE';
}

function absent(shown: string): KernelError {
  return queueAbsent(`There is no queue at ${shown}.`, {hint: 'Begin one with gemini fleet run.'});
}
