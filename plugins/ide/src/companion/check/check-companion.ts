import {probePort} from '../probe-port.js';
import {contextChecks} from './context-checks.js';
import {diffChecks} from './diff-checks.js';
import {discoveryChecks, endChecks} from './discovery-checks.js';
import {answerCheck, doorChecks} from './door-checks.js';
import {sessionCheck, sessionChecks} from './session-checks.js';
import type {Check, Need, Subject} from './subject.js';
import {Unfit} from './unfit.js';

/** The result of one check. */
export interface CheckResult {
  readonly name: string;
  /** What the specification requires or recommends. */
  readonly says: string;
  /**
   * `must`: the published specification of companions requires it. `should`: it makes a companion safer or more
   * reliable.
   */
  readonly level: 'must' | 'should';
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reason?: string;
}

export interface Checking {
  /** How long one check may take. */
  readonly patienceMs: number;
  /** Called with each result as soon as it is known. */
  onResult?(result: CheckResult): void;
}

/** What the published specification of companions requires; the rest is our recommendation. */
const MUST = new Set([
  'discovery-name',
  'discovery-content',
  'discovery-removed',
  'answers',
  'token-missing',
  'token-wrong',
  'session-begins',
  'tools',
  'context-form',
  'diff-opens',
  'diff-closes',
  'diff-new-file',
]);

/** Runs every check of the specification against a companion, in order. Rejects only when the signal is aborted. */
export async function checkCompanion(
  subject: Subject,
  {patienceMs, onResult}: Checking,
): Promise<readonly CheckResult[]> {
  const missing = new Map<Need, string>();
  if (!subject.file) missing.set('file', 'There is no discovery file; the token was given with --token.');
  if (!subject.stop) missing.set('stop', 'This command did not start the companion and does not stop it.');
  const results: CheckResult[] = [];
  for (const check of listChecks()) {
    const why = missing.get(check.needs);
    const result =
      why === undefined
        ? await runCheck(check, subject, patienceMs + (check.extraMs ?? 0))
        : resultOf(check, 'skipped', why);
    results.push(result);
    onResult?.(result);
    if (result.outcome !== 'failed' || check.needs === 'stop') continue;
    for (const [need, reason] of await findLost(check, subject)) missing.set(need, reason);
  }
  return results;
}

/** What later checks need and cannot have once this one has failed, with the reason. */
async function findLost(check: Check, subject: Subject): Promise<readonly (readonly [Need, string])[]> {
  const both = (reason: string): readonly (readonly [Need, string])[] => [
    ['answer', reason],
    ['session', reason],
  ];
  if (check === answerCheck) return both('The companion does not answer.');
  if (check === sessionCheck) return [['session', 'No session can be started.']];
  return (await probePort(subject)) === 'refused' ? both(`The companion ended during ${check.name}.`) : [];
}

function listChecks(): readonly Check[] {
  return [
    ...discoveryChecks,
    answerCheck,
    sessionCheck,
    ...doorChecks(),
    ...sessionChecks,
    ...contextChecks,
    ...diffChecks(),
    ...endChecks,
  ];
}

async function runCheck(check: Check, subject: Subject, patienceMs: number): Promise<CheckResult> {
  subject.signal.throwIfAborted();
  const late = AbortSignal.timeout(patienceMs);
  try {
    const reason = await check.run({...subject, signal: AbortSignal.any([subject.signal, late])});
    return typeof reason === 'string' ? resultOf(check, 'skipped', reason) : resultOf(check, 'passed');
  } catch (error) {
    subject.signal.throwIfAborted();
    if (late.aborted) return resultOf(check, 'failed', `It took longer than ${patienceMs / 1000} s.`);
    if (error instanceof Unfit) return resultOf(check, 'failed', error.message);
    throw error;
  }
}

function resultOf({name, says}: Check, outcome: CheckResult['outcome'], reason?: string): CheckResult {
  return {name, says, level: MUST.has(name) ? 'must' : 'should', outcome, ...(reason === undefined ? {} : {reason})};
}
