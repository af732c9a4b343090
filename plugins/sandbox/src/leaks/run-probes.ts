import {accessSync, constants} from 'node:fs';
import {join} from 'node:path';
import {ProcessGroups, runProcess} from '@gemini-kernel/processes';
import type {ConfineRequest, Confined} from '../contract.js';
import {CANARY, type Laboratory} from './laboratory.js';
import type {Probe} from './probe.js';

/** What came of a probe. */
export interface Probed {
  readonly id: string;
  readonly what: string;
  /** `held` and `works` are good; `skipped`: this machine has not what it needs. */
  readonly outcome: 'held' | 'works' | 'leaked' | 'broken' | 'skipped';
  /** What was printed, or what changed, when it is not good. */
  readonly detail?: string;
}

export interface ProbeRun {
  readonly probes: readonly Probe[];
  readonly laboratory: Laboratory;
  readonly variables: Readonly<Record<string, string | undefined>>;
  confine(request: ConfineRequest): Promise<Confined>;
  /** Called after each. */
  progress?(probed: Probed): void;
}

const LIMIT_MS = 20_000;
/** A process that outlives its command would write by then. */
const OUTLIVES_MS = 2500;
const SHOWN = 200;

/** Tries each probe in a sandbox of its own, one after the other. Throws the signal's reason. */
export async function runProbes(run: ProbeRun, signal: AbortSignal): Promise<readonly Probed[]> {
  const groups = new ProcessGroups('linux');
  const results: Probed[] = [];
  try {
    for (const probe of run.probes) {
      const probed = await tryProbe(probe, run, groups, signal);
      results.push(probed);
      run.progress?.(probed);
    }
  } finally {
    groups.close();
  }
  return results;
}

async function tryProbe(
  probe: Probe,
  {laboratory, variables, confine}: ProbeRun,
  groups: ProcessGroups,
  signal: AbortSignal,
): Promise<Probed> {
  const {id, what, needs, keeps = []} = probe;
  const own = laboratory.variables(variables);
  if (needs !== undefined && !isThere(needs, own['PATH'] ?? ''))
    return {id, what, outcome: 'skipped', detail: `no ${needs}`};
  const before = keeps.map((path) => laboratory.look(path));
  const confined = await confine({
    file: '/bin/sh',
    args: ['-c', probe.script],
    cwd: laboratory.project,
    variables: own,
    roots: [laboratory.project],
    mode: 'default',
    grants: [{from: 'the laboratory', read: [laboratory.shown]}],
  });
  const request = {...confined, input: '', timeoutMs: LIMIT_MS};
  const {stdout, stderr, by, detail} = await runProcess(groups, request, signal);
  if (id === 'machine.outlive') await new Promise((resolve) => setTimeout(resolve, OUTLIVES_MS));
  const changed = keeps.filter((path, index) => laboratory.look(path) !== before[index]);
  const said = `${stdout.toString()}${stderr.toString()}`.trim();
  if (by === 'start') return {id, what, outcome: 'broken', detail: detail ?? said};
  return judge(probe, {said, printed: stdout.toString(), changed});
}

function judge(
  {id, what, kind}: Probe,
  {said, printed, changed}: {readonly said: string; readonly printed: string; readonly changed: readonly string[]},
): Probed {
  const detail = said.length > SHOWN ? `…${said.slice(-SHOWN)}` : said;
  if (said.startsWith('bwrap: ')) return {id, what, outcome: 'broken', detail};
  if (kind === 'works')
    return printed.includes('WORKS') ? {id, what, outcome: 'works'} : {id, what, outcome: 'broken', detail};
  if (changed.length > 0) return {id, what, outcome: 'leaked', detail: `changed: ${changed.join(', ')}`};
  const isOut = printed.includes(CANARY) || printed.includes('LEAK');
  return isOut ? {id, what, outcome: 'leaked', detail} : {id, what, outcome: 'held'};
}

function isThere(program: string, path: string): boolean {
  return path.split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      return false;
    }
  });
}
