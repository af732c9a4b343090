import {basename, dirname, extname, join, resolve} from 'node:path';
import {givenWords} from '@gemini-kernel/processes';
import {KernelError} from '@gemini-kernel/kernel';
import {Args, Flags} from '@oclif/core';
import type {Counts, Idle} from '../../contract.js';
import {describeEffect, type EffectRecord} from '../../effects/effect-journal.js';
import {FleetCommand, type Opened} from '../../fleet-command.js';
import {keepMemorySmall} from '../../fleets/keep-memory-small.js';
import {checkPrices} from '../../plan/check-prices.js';
import type {LeftRow} from '../../plan/pin-rows.js';
import type {Plan} from '../../plan/plan.js';
import type {WrittenPlan} from '../../plan/written-plan.js';

interface Ended extends Counts {
  readonly name: string;
  readonly added: number;
  /** Rows whose repository could not be asked. */
  readonly left: readonly LeftRow[];
  /** Why it stopped: `empty` when nothing waits. */
  readonly stopped: Idle | 'left';
  readonly results: string;
  /** What was done outside in this run. */
  readonly effects: readonly EffectRecord[];
}

const NAME = /[^\w-]+/g;

export default class FleetRun extends FleetCommand {
  static override summary = 'Run one prompt over many repositories or rows.';
  static override description =
    'Each row is a task: this program runs its prompt headless in a checkout of its own, and the changes are kept ' +
    'as a branch. Known tasks are not run again: the same command continues a fleet that was cut off. No one is ' +
    'there to ask, so what needs a question is refused and listed. The exit code is 1 when tasks failed or rows ' +
    'were left out, and 0 when all are done or the budget is used up.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> plan.toml',
    '<%= config.bin %> <%= command.id %> --prompt "Fix typos" --over repos.txt --budget 50usd',
    '<%= config.bin %> <%= command.id %> --prompt "Fix {{title}}" --over issues.jsonl --repository .',
  ];
  static override args = {
    plan: Args.string({description: 'File with a plan (TOML).', ignoreStdin: true}),
  };
  static override flags = {
    prompt: Flags.string({description: 'Prompt, with {{column}} for values of rows.', char: 'p', exclusive: ['plan']}),
    over: Flags.string({description: 'Rows: repos.txt, issues.jsonl or rows.csv.'}),
    repository: Flags.string({description: 'Repository of rows that have none: a folder or an address.'}),
    ref: Flags.string({description: 'Branch, tag or commit to begin with; HEAD if left out.'}),
    name: Flags.string({description: 'Name of the fleet; that of the plan or of the rows if left out.'}),
    model: Flags.string({description: 'Model to use.', char: 'm'}),
    jobs: Flags.integer({description: 'Tasks at once.', min: 1, max: 256}),
    budget: Flags.string({description: 'US dollars for all tasks, such as 50usd; then it pauses.'}),
    tokens: Flags.string({description: 'Tokens for all tasks, such as 20M; then it pauses.'}),
    allow: Flags.string({description: 'Tool that runs without a question; can be repeated.', multiple: true}),
    queue: Flags.string({description: 'Address of a queue that several machines share (postgres://, redis://).'}),
    output: Flags.string({description: 'File for the results (.jsonl); one in the folder of the fleet if left out.'}),
    keep: Flags.boolean({description: 'Keep the checkouts of tasks that are done.'}),
    yes: Flags.boolean({description: 'Allow what the plan needs without a question.'}),
  };

  async run(): Promise<Ended> {
    const {args, flags} = await this.parse(FleetRun);
    keepMemorySmall();
    const plan = await this.#planOf(args.plan, flags);
    const prices = await this.prices();
    if (prices) checkPrices(plan, prices);
    const fleets = await this.fleets;
    const folder = fleets.folderOf(plan.name);
    const opened = await this.open(flags.queue ?? folder);
    await this.#agree(plan, flags.yes);
    const {added, left} = await this.#put(plan, opened);
    await fleets.write({
      name: plan.name,
      ...(flags.queue === undefined ? {} : {address: flags.queue}),
      started: new Date().toISOString(),
    });
    const {cwd} = this.kernel.environment;
    const stopped = await this.#work(plan, opened, {
      folder,
      work: fleets.workOf(plan.name),
      mirrors: fleets.mirrors,
      isKept: flags.keep,
      given: givenWords(flags, (path) => resolve(cwd, path)),
    });
    const results = resolve(cwd, flags.output ?? join(folder, 'results.jsonl'));
    return this.#finish(plan, opened, {added, left, stopped, results});
  }

  async #planOf(
    file: string | undefined,
    flags: Readonly<Record<string, unknown>> & {
      readonly over?: string | undefined;
      readonly prompt?: string | undefined;
    },
  ): Promise<Plan> {
    const {cwd} = this.kernel.environment;
    const [{readPlan, settlePlan}, {readMoney, readTokens}] = await Promise.all([
      import('../../plan/read-plan.js'),
      import('../../plan/read-amount.js'),
    ]);
    const over = flags.over;
    const said = given<WrittenPlan>(flags, ['prompt', 'name', 'model', 'ref', 'repository', 'allow']);
    const limits = {
      ...given<NonNullable<WrittenPlan['limits']>>(flags, ['jobs']),
      ...(flags['budget'] === undefined ? {} : {cost: readMoney(String(flags['budget']), '--budget')}),
      ...(flags['tokens'] === undefined ? {} : {tokens: readTokens(String(flags['tokens']), '--tokens')}),
    };
    if (file !== undefined) {
      const plan = await readPlan(resolve(cwd, file), {
        ...said,
        limits,
        ...(over === undefined ? {} : {over: resolve(cwd, over)}),
      });
      return plan;
    }
    if (flags.prompt === undefined || over === undefined)
      throw new KernelError('FLEET_PLAN_INVALID', 'There is no plan.', {
        hint: 'Name a plan, or pass --prompt "..." --over repos.txt.',
      });
    const name = basename(over, extname(over)).replaceAll(NAME, '-').slice(0, 48);
    return settlePlan(
      {...said, limits, over: resolve(cwd, over)},
      {where: 'the command line', folder: dirname(resolve(cwd, 'x')), name},
    );
  }

  /** Shows what the plan lets happen, and asks for it. Throws KernelError FLEET_NOT_AGREED. */
  async #agree(plan: Plan, isGiven: boolean): Promise<void> {
    if (isGiven) return;
    const {needsOf} = await import('../../plan/needs-of.js');
    const needs = needsOf(plan);
    const title = `${plan.rows.length} tasks run without a question for each:`;
    const lines = needs.map((need) => `  ${need}`);
    const answer = await this.ask({
      ...{title, text: lines.join('\n'), about: {kind: 'fleet', needs}},
      fields: [{name: 'agree', kind: 'yes-no', label: 'Start?', default: false}],
    });
    if (answer.outcome === 'answered' && answer.values['agree'] === true) return;
    const isAbsent = answer.outcome === 'nobody';
    if (isAbsent) [title, ...lines].forEach((line) => this.logToStderr(line));
    throw new KernelError('FLEET_NOT_AGREED', isAbsent ? 'No one could be asked whether to start.' : 'You said no.', {
      hint: isAbsent ? 'Read what is listed, then pass --yes.' : 'No task was added.',
    });
  }

  async #put(plan: Plan, {engine, address}: Opened): Promise<Pick<Ended, 'added' | 'left'>> {
    const [{makeTasks}, {pinRows}, {fleetGit}, {Mirrors}, {tellSlowly}] = await Promise.all([
      import('../../plan/make-tasks.js'),
      import('../../plan/pin-rows.js'),
      import('../../repositories/fleet-git.js'),
      import('../../repositories/mirrors.js'),
      import('../../show/tell-slowly.js'),
    ]);
    const {signal} = this.host;
    const mirrors = new Mirrors((await this.fleets).mirrors, fleetGit(this.kernel.environment, signal), signal);
    let [added, known] = [0, 0];
    const tell = tellSlowly(plan.rows.length, (done, of) =>
      this.logToStderr(`Repositories are asked for their commits: ${done} of ${of} rows.`),
    );
    const pinned = await pinRows(plan, (repository, ref) => mirrors.pin(repository, ref), tell);
    for (const tasks of makeTasks(plan, pinned)) {
      const put = await engine.put(address, tasks);
      [added, known] = [added + put.added, known + put.known];
    }
    const {cost, tokens, perRepository: perGroup} = plan.limits;
    const budget = {...(cost === undefined ? {} : {cost}), ...(tokens === undefined ? {} : {tokens})};
    const limits = {...(perGroup === undefined ? {} : {perGroup}), ...(Object.keys(budget).length > 0 ? {budget} : {})};
    await engine.set(address, {isPaused: false, limits});
    this.log(`${plan.name}: ${added} new ${added === 1 ? 'task' : 'tasks'}${known > 0 ? `, ${known} known` : ''}.`);
    for (const {row, reason} of pinned.left) this.logToStderr(`Row ${row} is left out: ${reason}`);
    return {added, left: pinned.left};
  }

  async #work(
    plan: Plan,
    opened: Opened,
    more: {
      readonly folder: string;
      readonly work: string;
      readonly mirrors: string;
      readonly given: readonly string[];
      readonly isKept: boolean;
    },
  ): Promise<Idle | 'left'> {
    const [{workOnQueue}, {showWork}] = await Promise.all([
      import('../../work/work-queue.js'),
      import('../../show/show-work.js'),
    ]);
    const {output, terminal, signal} = this.host;
    const shown = showWork({
      ...{...opened, output, isLive: terminal && !this.jsonEnabled()},
      print: (line) => this.log(line),
      style: (kind, text) => this.style(kind, text),
    });
    const {environment} = this.kernel;
    try {
      const jobs = plan.limits.jobs;
      const telemetry = await this.telemetry();
      const how = {environment, jobs, signal, watch: shown, isStaying: false, telemetry};
      return await workOnQueue({...opened, ...more, ...how});
    } finally {
      shown.close();
    }
  }

  async #finish(
    {name, effects}: Plan,
    opened: Opened,
    {added, left, stopped, results}: Pick<Ended, 'added' | 'left' | 'stopped' | 'results'>,
  ): Promise<Ended> {
    const [{writeResults}, {nextStep, tally, used}] = await Promise.all([
      import('../../results/write-results.js'),
      import('../../show/describe.js'),
    ]);
    const sent = await this.#send(name, effects, opened);
    await writeResults(opened, results);
    const counts = await opened.engine.counts(opened.address);
    this.log(`${tally(counts)}; ${used(counts)}.`);
    this.log(this.style('dim', `Results: ${results}`));
    const next = nextStep(stopped, name, counts);
    if (next !== undefined) this.logToStderr(next);
    if (left.length > 0) {
      const rows = left.length === 1 ? '1 row was' : `${left.length} rows were`;
      this.logToStderr(`${rows} left out. The same command adds what can be read.`);
    }
    this.host.signal.throwIfAborted();
    if (counts.failed + left.length > 0 || sent.some(({state}) => state !== 'done')) this.host.end(1);
    return {name, added, left, stopped, results, ...counts, effects: sent};
  }

  async #send(name: string, effects: Plan['effects'], opened: Opened): Promise<readonly EffectRecord[]> {
    if (effects.length === 0 || this.host.signal.aborted) return [];
    const {sendPlanned} = await import('../../effects/send-planned.js');
    const fleets = await this.fleets;
    const {environment} = this.kernel;
    return sendPlanned({
      ...{...opened, effects, environment, signal: this.host.signal},
      ...{folder: fleets.folderOf(name), mirrors: fleets.mirrors},
      onEffect: (record) => this.log(this.style(record.state === 'done' ? 'good' : 'bad', describeEffect(record))),
    });
  }
}

function given<T>(flags: Readonly<Record<string, unknown>>, names: readonly (keyof T & string)[]): Partial<T> {
  return Object.fromEntries(
    names.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  ) as Partial<T>;
}
