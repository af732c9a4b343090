import {afterAll, expect, test} from '@jest/globals';
import pg from 'pg';
import {findPostgres, startPostgres} from '../../helpers/queue-servers.js';
import {mixStates, openQueues, refusalOf, runCases, type Subject} from './run-cases.js';

const programs = findPostgres();
const address = (port: number, more: string, database = 'postgres'): string =>
  `postgres://gemini:secret@127.0.0.1:${port}/${database}?${more}`;

const subject: Subject = {
  name: 'postgresql',
  start: programs === undefined ? undefined : () => startPostgres(programs),
  address: (port, fleet) => address(port, `fleet=${fleet}`),
};

runCases(subject, (on, server) => {
  const queues = openQueues();
  afterAll(() => queues.closeAll());

  /** Runs SQL on the server. */
  async function ask(text: string): Promise<readonly unknown[]> {
    const client = new pg.Client(address(server().port, ''));
    await client.connect();
    const {rows} = await client.query(text);
    await client.end();
    return rows as readonly unknown[];
  }

  on('tools for BullMQ see the tasks in their states [fleet.bullmq]', async () => {
    await mixStates(queues, address(server().port, 'fleet=seen'));
    const rows = await ask(
      "SELECT state, count(*)::int FROM bullmq.job WHERE queue = 'gemini-fleet-seen' GROUP BY state ORDER BY state",
    );
    expect(rows).toEqual([
      {state: 'waiting', count: 2},
      {state: 'active', count: 1},
      {state: 'completed', count: 1},
      {state: 'failed', count: 1},
    ]);
  });

  on('a server that only reads is unwritable, and says nothing of a password [fleet.bullmq]', async () => {
    const {port} = server();
    await queues.put(address(port, 'fleet=standby'), []);
    const readOnly = address(port, 'fleet=standby&options=-c%20default_transaction_read_only%3Don');
    expect(await refusalOf(openQueues().put(readOnly, [{id: 'a', payload: 1}]))).toEqual([
      'QUEUE_UNWRITABLE',
      `The queue at postgres://127.0.0.1:${port}/postgres (fleet standby) cannot be written: ` +
        'cannot execute INSERT in a read-only transaction',
    ]);
  });

  on('a database that is not there is named [fleet.bullmq]', async () => {
    const {port} = server();
    expect(await refusalOf(openQueues().put(address(port, 'fleet=x', 'none'), []))).toEqual([
      'QUEUE_ABSENT',
      `There is no database at postgres://127.0.0.1:${port}/none (fleet x).`,
    ]);
  });

  on('a process that is frozen in a transaction holds up the others for some seconds only [fleet.bullmq]', async () => {
    const {port} = server();
    const frozen = new pg.Client({
      connectionString: address(port, ''),
      idle_in_transaction_session_timeout: 300,
    });
    frozen.on('error', () => undefined);
    await queues.put(address(port, 'fleet=frozen'), []);
    await frozen.connect();
    await frozen.query("BEGIN; SELECT head FROM gemini_fleet.queue WHERE fleet = 'frozen' FOR UPDATE");
    expect(await queues.put(address(port, 'fleet=frozen'), [{id: 'a', payload: 1}])).toEqual({added: 1, known: 0});
  });
});

test('a server that is not there is said to be unreachable at once [fleet.bullmq]', async () => {
  expect(await refusalOf(openQueues().counts('postgres://user:secret@127.0.0.1:9/a'))).toEqual([
    'QUEUE_UNREACHABLE',
    'The queue at postgres://127.0.0.1:9/a (fleet default) cannot be reached: connect ECONNREFUSED 127.0.0.1:9',
  ]);
});

const WRONG = [
  ['no URL', 'postgres', 'The address of a queue is not one of PostgreSQL or Redis.'],
  ['another engine', 'mysql://user:secret@host/a', 'The address of a queue is not one of PostgreSQL or Redis.'],
  ['an odd fleet', 'postgres://host/a?fleet=a/b', 'The name of a fleet, "a/b", is not allowed.'],
  ['an odd database of Redis', 'redis://host/name', 'The database of Redis, "name", is not a number.'],
  ['an odd word', 'redis://host/0?durable=perhaps', 'The parameter durable is "perhaps".'],
] as const;

test.each(WRONG)('an address with %s is refused [fleet.bullmq]', async (_, wrong, sentence) => {
  expect(await refusalOf(openQueues().counts(wrong))).toEqual(['QUEUE_ADDRESS_INVALID', sentence]);
});
