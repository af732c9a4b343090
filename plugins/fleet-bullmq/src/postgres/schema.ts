import {runMigrations} from 'bullmq';
import type {ClientBase} from 'pg';

/** For transactions that make the tables: two that begin at once make them once. */
const LOCK = 0x67656d69;

/**
 * Values are text: what is JSON in them may have the character U+0000, which jsonb refuses. Groups are kept as JSON for
 * the same reason.
 */
const TABLES = `
CREATE SCHEMA IF NOT EXISTS gemini_fleet;
CREATE TABLE IF NOT EXISTS gemini_fleet.queue (fleet text PRIMARY KEY, head text NOT NULL);
CREATE TABLE IF NOT EXISTS gemini_fleet.task (
  fleet text NOT NULL, id text NOT NULL, place bigint NOT NULL, state text NOT NULL, priority bigint NOT NULL,
  grp text, entry text NOT NULL, result text, PRIMARY KEY (fleet, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS task_place ON gemini_fleet.task (fleet, place);
CREATE INDEX IF NOT EXISTS task_waiting ON gemini_fleet.task (fleet, priority DESC, place) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS task_running ON gemini_fleet.task (fleet) WHERE state = 'running';
CREATE INDEX IF NOT EXISTS task_ended ON gemini_fleet.task (fleet, state, place) WHERE state IN ('failed', 'cancelled');
CREATE TABLE IF NOT EXISTS gemini_fleet.event (
  fleet text NOT NULL, number bigint NOT NULL, event text NOT NULL, PRIMARY KEY (fleet, number)
);
`;

/** Whether the tables of the ledger are there. */
export async function hasTables(client: ClientBase): Promise<boolean> {
  const {rows} = await client.query<{there: boolean}>("SELECT to_regclass('gemini_fleet.event') IS NOT NULL AS there");
  return rows[0]?.there === true;
}

/** Makes the tables of BullMQ and of the ledger. */
export async function makeTables(client: ClientBase): Promise<void> {
  await runMigrations(client);
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await client.query(TABLES);
  await client.query('COMMIT');
}
