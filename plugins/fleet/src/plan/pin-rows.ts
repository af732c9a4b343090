import {isKernelError} from '@gemini-kernel/kernel';
import {fillTemplate} from './fill-template.js';
import type {Plan, Row} from './plan.js';
import {planFault} from './plan-fault.js';

/** A row that is left out: its repository could not be asked. */
export interface LeftRow {
  /** Counted from 1. */
  readonly row: number;
  readonly reason: string;
}

/** The commits that the rows of a plan begin with. */
export interface PinnedRows {
  /** By the `key` of a row. */
  readonly commits: ReadonlyMap<string, string>;
  readonly left: readonly LeftRow[];
}

/** Gives the commit that a name stands for in a repository. */
export type Pin = (repository: string, ref: string) => Promise<string>;

/** Servers of repositories are not asked for hundreds at once. */
const AT_ONCE = 8;
const LARGEST = 60 * 1024;

/**
 * Checks each row, and asks each repository for its commit. One that cannot be read costs its own rows only. Throws
 * KernelError FLEET_PLAN_INVALID, and what `pin` throws where no repository can be read.
 */
export async function pinRows(
  plan: Plan,
  pin: Pin,
  onAsked: (rows: number) => void = () => undefined,
): Promise<PinnedRows> {
  const found = new Map<string, string | Error>();
  const left: LeftRow[] = [];
  const places = plan.rows.map((row, index) => {
    checkSize(plan, row, `row ${index + 1}`);
    return checkRow(plan, row, `row ${index + 1}`);
  });
  for (const {rows, start} of piecesOf(places, AT_ONCE)) {
    await Promise.all(
      rows.map(async ({repository, ref, key}) => {
        if (repository !== undefined && !found.has(key)) found.set(key, await pin(repository, ref).catch(ifRefused));
      }),
    );
    for (const [index, {key}] of rows.entries()) {
      const commit = found.get(key);
      if (commit instanceof Error) left.push({row: start + index + 1, reason: commit.message});
    }
    onAsked(start + rows.length);
  }
  const [refused] = [...found.values()].filter((one) => one instanceof Error);
  if (refused && left.length === plan.rows.length) throw refused;
  const commits = [...found].flatMap(([key, commit]) => (typeof commit === 'string' ? [[key, commit] as const] : []));
  return {commits: new Map(commits), left};
}

/** A queue keeps 64 KiB for a task, of which its settings and limits need a part. */
function checkSize({prompt}: Plan, row: Row, where: string): void {
  const size = Buffer.byteLength(JSON.stringify([fillTemplate(prompt, row, where), row]));
  if (size <= LARGEST) return;
  throw planFault(where, `its prompt and values take ${size} bytes, and ${LARGEST} are allowed.`, {
    hint: 'Put long texts into a file of the repository, and name that in the prompt.',
  });
}

function ifRefused(error: unknown): Error {
  if (isKernelError(error) && error.code === 'REPOSITORY_FAILED') return error;
  throw error;
}

export function* piecesOf<T>(
  all: readonly T[],
  size: number,
): Iterable<{readonly rows: readonly T[]; readonly start: number}> {
  for (let start = 0; start < all.length; start += size) yield {rows: all.slice(start, start + size), start};
}

/** Where the task of a row works. */
interface RowPlace {
  readonly repository: string | undefined;
  readonly ref: string;
  /** The same for rows that begin with the same commit. */
  readonly key: string;
}

/** Throws KernelError FLEET_PLAN_INVALID for a row of which no task can be made. */
export function checkRow(plan: Plan, row: Row, where: string): RowPlace {
  const repository = row['repository'] ?? plan.repository;
  const ref = row['ref'] ?? plan.ref ?? 'HEAD';
  if (repository !== undefined && hasPassword(repository))
    throw planFault(where, 'the address of its repository has a password.', {
      hint: 'The queue is no place for secrets: let a credential helper of git have it.',
    });
  fillTemplate(plan.prompt, row, where);
  priorityOf(row, where);
  return {repository, ref, key: `${ref}\n${repository ?? ''}`};
}

export function priorityOf(row: Row, where: string): number {
  const value = row['priority'];
  if (value === undefined || value === '') return 0;
  if (/^-?\d{1,9}$/.test(value)) return Number(value);
  throw planFault(where, `priority ${JSON.stringify(value)} is not a whole number.`);
}

function hasPassword(repository: string): boolean {
  return /^[\w+.-]+:\/\/[^/@]*:[^/@]+@/.test(repository);
}
