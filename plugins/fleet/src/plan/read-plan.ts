import {basename, dirname, extname, resolve} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import {parse} from 'smol-toml';
import type {Plan, PlanLimits, PlannedEffect, Row} from './plan.js';
import {planFault} from './plan-fault.js';
import {readBytes, readTokens} from './read-amount.js';
import {readRows, rowOf} from './read-rows.js';
import {createPlanSchema, type WrittenEffect, type WrittenPlan} from './written-plan.js';

const SECONDS = 1800;
const DISK = '10GB';
const ATTEMPTS = 3;
const JOBS = 4;
const NAME = /^[A-Za-z0-9][\w-]{0,47}$/;

/**
 * Reads a plan; what is `said` beside it counts in place of its own. Throws KernelError FLEET_PLAN_INVALID with the
 * file, the key and the value.
 */
export async function readPlan(file: string, said: WrittenPlan = {}): Promise<Plan> {
  const text = await readText(file).catch((error: unknown) => {
    throw planFault(file, `it cannot be read: ${messageOf(error)}`, {cause: error});
  });
  const written = await parsePlan(file, text);
  const limits = {...written.limits, ...said.limits};
  return settlePlan(
    {...written, ...said, limits},
    {where: file, folder: dirname(file), name: basename(file, extname(file))},
  );
}

export interface PlanPlace {
  /** What the words of a fault begin with. */
  readonly where: string;
  /** What paths are relative to. */
  readonly folder: string;
  /** If the plan has none. */
  readonly name: string;
}

/** A plan with its defaults, its rows and its files. Throws KernelError FLEET_PLAN_INVALID. */
export async function settlePlan(written: WrittenPlan, place: PlanPlace): Promise<Plan> {
  const {where, folder} = place;
  const {mode = 'auto_edit', allow = [], trust = false, sandbox = true, repository, ref, model, effects = []} = written;
  return {
    ...{name: nameOf(written, place), prompt: await promptOf(written, place), rows: await rowsOf(written, place)},
    ...(repository === undefined ? {} : {repository: pathOf(repository, folder)}),
    ...(ref === undefined ? {} : {ref}),
    ...(model === undefined ? {} : {model}),
    ...{mode, allow, isTrusted: trust, isConfined: sandbox, limits: limitsOf(written, where)},
    ...(written.schema === undefined ? {} : {schema: await readSchema(resolve(folder, written.schema))}),
    effects: effects.map((one, index) => effectOf(one, `${where}: effects[${index}]`)),
  };
}

async function parsePlan(file: string, text: string): Promise<WrittenPlan> {
  let table: unknown;
  try {
    table = parse(text);
  } catch (error) {
    throw planFault(file, `it is not TOML: ${messageOf(error).split('\n')[0] ?? ''}.`, {cause: error});
  }
  const [violation] = await findViolations(createPlanSchema(), table, 'plan');
  if (violation !== undefined) throw planFault(file, violation.replace(/^plan\./, ''));
  return table as WrittenPlan;
}

function nameOf({name}: WrittenPlan, place: PlanPlace): string {
  const found = name ?? place.name;
  if (NAME.test(found)) return found;
  throw planFault(place.where, `name ${JSON.stringify(found.slice(0, 80))} cannot name a fleet.`, {
    hint: 'Use at most 48 letters, digits, - and _.',
  });
}

async function promptOf({prompt, prompt_file: file}: WrittenPlan, {where, folder}: PlanPlace): Promise<string> {
  if ((prompt === undefined) === (file === undefined))
    throw planFault(where, prompt === undefined ? 'there is no prompt.' : 'there are prompt and prompt_file.', {
      hint: 'Write prompt = "..." or prompt_file = "prompt.md".',
    });
  if (prompt !== undefined) return prompt;
  const path = resolve(folder, file ?? '');
  return readText(path).catch((error: unknown) => {
    throw planFault(where, `prompt_file ${path} cannot be read: ${messageOf(error)}`, {cause: error});
  });
}

async function rowsOf({over, rows = []}: WrittenPlan, {where, folder}: PlanPlace): Promise<readonly Row[]> {
  const own = rows.map((row, index) => rowOf(row, `${where}: rows[${index}]`));
  const file = over === undefined ? undefined : resolve(folder, over);
  const all = [...own, ...(file === undefined ? [] : await readRows(file))];
  if (all.length === 0)
    throw planFault(where, 'there are no rows.', {hint: 'Name a file with over = "repos.txt", or write [[rows]].'});
  const base = file === undefined ? folder : dirname(file);
  return all.map((row) =>
    row['repository'] === undefined ? row : {...row, repository: pathOf(row['repository'], base)},
  );
}

/** A repository that is a path belongs to the folder of the file that names it. */
function pathOf(repository: string, folder: string): string {
  return /^[\w+.-]+:|^[^/\\]+@[^/\\]+:/.test(repository) ? repository : resolve(folder, repository);
}

async function readSchema(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readText(file));
  } catch (error) {
    throw planFault(file, `it is no JSON Schema: ${messageOf(error)}`, {cause: error});
  }
}

function limitsOf({limits = {}}: WrittenPlan, where: string): PlanLimits {
  const {jobs = JOBS, cost, tokens, attempts = ATTEMPTS, task_seconds: taskSeconds = SECONDS} = limits;
  const taskDisk = readBytes(limits.task_disk ?? DISK, `${where}: limits.task_disk`);
  return {
    ...{jobs, attempts, taskSeconds, taskDisk},
    ...(cost === undefined ? {} : {cost}),
    ...(tokens === undefined ? {} : {tokens: readTokens(tokens, `${where}: limits.tokens`)}),
    ...(limits.task_cost === undefined ? {} : {taskCost: limits.task_cost}),
    ...(limits.task_turns === undefined ? {} : {taskTurns: limits.task_turns}),
    ...(limits.per_repository === undefined ? {} : {perRepository: limits.per_repository}),
    ...(limits.requests_per_minute === undefined ? {} : {requestsPerMinute: limits.requests_per_minute}),
  };
}

function effectOf({kind, remote, name, check, run}: WrittenEffect, where: string): PlannedEffect {
  if (kind === 'push') return {kind, ...(remote === undefined ? {} : {remote})};
  if (run === undefined || name === undefined)
    throw planFault(where, 'a command needs name and run.', {hint: 'Such as run = ["gh", "pr", "create", "--fill"].'});
  return {kind, name, run, ...(check === undefined ? {} : {check})};
}
