import {tmpdir} from 'node:os';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {CheckResult} from '../../companion/check/check-companion.js';
import type {Subject} from '../../companion/check/subject.js';

interface CheckedCompanion {
  readonly checks: readonly CheckResult[];
  readonly passed: number;
  /** Failed checks of what the specification requires. */
  readonly failed: number;
  /** Failed checks of what the specification recommends. */
  readonly advised: number;
  readonly skipped: number;
}

const STARTING_MS = 15_000;

/** Checks a companion of an editor against its specification. */
export default class IdeCheckCompanion extends KernelCommand {
  static override summary = 'Check a companion, the part of an editor that gemini connects to.';
  static override description =
    'Tests the companion as gemini and as strangers would: its discovery file, who may connect, sessions, ' +
    'reports of open files, diffs opened and closed. Give the port of a running companion; its token comes from ' +
    'its discovery file, and its editor shows a few diffs during the check. Or give a command: it starts with its ' +
    'own temporary folder and is stopped afterwards. The exit code is 1 when the companion fails a check that its ' +
    'published specification requires; recommendations beyond that are only reported.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 41234',
    '<%= config.bin %> <%= command.id %> -- node companion.js',
  ];
  static override strict = false;
  static override args = {
    companion: Args.string({
      description: 'Port of a companion, or the command that starts one.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    token: Flags.string({description: 'The token of the companion on that port, if it has no discovery file.'}),
    patience: Flags.integer({description: 'Seconds that one check may take.', default: 5, min: 1, max: 600}),
  };

  async run(): Promise<CheckedCompanion> {
    const {argv, flags} = await this.parse(IdeCheckCompanion);
    const {environment} = this.kernel;
    const words = argv as readonly string[];
    if (environment.interactive) this.logToStderr('Checking; this takes a few seconds …');
    if (isPort(words)) return this.#check(await this.#find(Number(words[0]), flags.token), flags.patience);
    const {launchCompanion} = await import('../../companion/check/launch-companion.js');
    await using launched = await launchCompanion({
      command: words,
      directory: environment.cwd,
      variables: environment.variables,
      patienceMs: STARTING_MS,
      signal: this.host.signal,
    });
    return await this.#check({...launched, file: launched, signal: this.host.signal}, flags.patience);
  }

  async #find(port: number, token: string | undefined): Promise<Subject> {
    const [{findCompanion}, {asToken}] = await Promise.all([
      import('../../companion/check/find-companion.js'),
      import('../../discovery/parse-discovery.js'),
    ]);
    if (token !== undefined && asToken(token) === undefined)
      throw new KernelError('COMPANION_UNKNOWN', 'The value of --token cannot be sent as a token.', {
        hint: 'A token consists of letters, digits and signs, without spaces.',
      });
    const file = await findCompanion(tmpdir(), port);
    if (!file && token === undefined)
      throw new KernelError(
        'COMPANION_UNKNOWN',
        `No discovery file in ${tmpdir()} names port ${port}, so the token is not known.`,
        {hint: 'Pass the token with --token.'},
      );
    return {port, token: token ?? file?.token ?? '', ...(file ? {file} : {}), signal: this.host.signal};
  }

  async #check(subject: Subject, patience: number): Promise<CheckedCompanion> {
    const {checkCompanion} = await import('../../companion/check/check-companion.js');
    const checks = await checkCompanion(subject, {
      patienceMs: patience * 1000,
      onResult: (result) => this.#show(result),
    });
    const count = (wanted: CheckResult['outcome']): number => checks.filter(({outcome}) => outcome === wanted).length;
    const failing = (level: CheckResult['level']): number =>
      checks.filter((one) => one.outcome === 'failed' && one.level === level).length;
    const [failed, advised] = [failing('must'), failing('should')];
    const checked = {checks, passed: count('passed'), failed, advised, skipped: count('skipped')};
    const rest = checked.skipped > 0 ? `, ${checked.skipped} could not be checked` : '';
    this.log(`${checked.passed} of ${checks.length} checks passed${rest}.`);
    const checksOf = (some: number): string => (some === 1 ? 'check' : 'checks');
    const unasked = 'The published specification does not require them.';
    if (advised > 0) this.log(`${advised} recommended ${checksOf(advised)} failed. ${unasked}`);
    if (failed === 0) return checked;
    // A program gets the whole report rather than an error.
    if (this.jsonEnabled()) this.host.end(1);
    else
      throw new KernelError('COMPANION_UNFIT', `${failed} required ${checksOf(failed)} failed.`, {
        hint: 'docs/write-a-companion.md describes what a companion does.',
        data: checked,
      });
    return checked;
  }

  #show({name, says, level, outcome, reason}: CheckResult): void {
    if (outcome === 'passed') this.log(`${this.style('good', '✓')} ${name}`);
    else if (outcome === 'skipped') this.log(`${this.style('dim', `- ${name}: ${reason ?? ''}`)}`);
    else {
      const mark = level === 'must' ? this.style('bad', '✗ must') : this.style('warn', '! should');
      this.log(`${mark} ${name}: ${reason ?? ''}\n  ${this.style('dim', says)}`);
    }
  }
}

function isPort(words: readonly string[]): boolean {
  if (words.length !== 1 || !/^\d+$/.test(words[0] ?? '')) return false;
  if (Number(words[0]) >= 1 && Number(words[0]) <= 65_535) return true;
  throw new KernelError('COMPANION_UNKNOWN', `${words[0]} is not a port.`, {
    hint: 'A port is a number from 1 to 65535.',
  });
}
