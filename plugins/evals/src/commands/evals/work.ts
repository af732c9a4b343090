import {givenWords} from '@gemini-kernel/processes';
import {randomBytes} from 'node:crypto';
import {mkdtemp, rm} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join, resolve} from 'node:path';
import {Flags} from '@oclif/core';
import type {} from '@gemini-kernel/plugin-fleet/contract';
import {EvalCommand, FOLDER} from '../../eval-command.js';
import type {Result} from '../../results/result.js';

interface Worked {
  /** Repetitions that this worker ran, and how they ended. */
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
}

const LEASE_MS = 30_000;

export default class EvalsWork extends EvalCommand {
  static override summary = 'Run repetitions of evaluations from a queue that several machines share.';
  static override description =
    'gemini evals run --queue with the same address puts them there, and collects the results. The queue names an ' +
    'evaluation of the folder here, and a model; it brings no code, and an evaluation that differs ends the worker. ' +
    'Ctrl+C gives back what runs; what a worker that was killed had, another one gets after 30 seconds.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from postgres://fleet@db/evals --jobs 4 --yes',
    '<%= config.bin %> <%= command.id %> --from redis://queue:6379/0 --until-empty --yes',
  ];
  static override flags = {
    from: Flags.string({description: 'Address of the queue.', required: true}),
    evals: Flags.string({description: 'Folder with evaluations; evals if left out.'}),
    jobs: Flags.integer({description: 'Repetitions at once.', min: 1, max: 64, default: 2}),
    'until-empty': Flags.boolean({description: 'End when nothing waits or runs.'}),
    yes: Flags.boolean({description: 'Allow what the evaluations do without a question.'}),
  };

  async run(): Promise<Worked> {
    const {flags} = await this.parse(EvalsWork);
    const [{findEvals, noEvals}, {needsOf}, {workOnEvals}, {runRepetition}, {createCalibration}] = await Promise.all([
      import('../../format/find-evals.js'),
      import('../../format/needs-of.js'),
      import('../../queue/work-on-evals.js'),
      import('../../run/run-repetition.js'),
      import('../../run/calibration.js'),
    ]);
    const {cwd, temporary} = this.kernel.environment;
    const engine = await this.queueAt(flags.from, 'from');
    const root = resolve(cwd, flags.evals ?? FOLDER);
    const evals = await findEvals(root);
    if (evals.length === 0) throw noEvals(root, '');
    await this.requireTrust(root);
    await this.agree(needsOf(evals), flags.yes);
    const {host} = this;
    const conversations = await mkdtemp(join(temporary, 'gemini-evals-'));
    const place = {
      ...{host, temporary, conversations, records: () => false},
      given: givenWords(flags, (path) => resolve(cwd, path)),
      calibrated: createCalibration({host, signal: host.signal, temporary}),
    };
    const ended = {passed: 0, failed: 0, errors: 0};
    try {
      await workOnEvals({
        ...{
          engine,
          address: flags.from,
          evals,
          jobs: flags.jobs,
          name: `${hostname()}-${randomBytes(3).toString('hex')}`,
          conversations,
        },
        ...{leaseMs: LEASE_MS, signal: host.signal, isStaying: !flags['until-empty']},
        run: (one, signal) => runRepetition(one, {...place, signal}),
        onResult: (result) => this.show(result, ended),
      });
    } finally {
      await rm(conversations, {recursive: true, force: true, maxRetries: 3});
    }
    host.signal.throwIfAborted();
    return ended;
  }

  private show(
    {status, eval: name, model, repetition, seconds, faults}: Result,
    ended: {passed: number; failed: number; errors: number},
  ): void {
    ended[status === 'error' ? 'errors' : status] += 1;
    const mark = status === 'passed' ? this.style('good', '✓') : this.style('bad', status === 'failed' ? '✗' : '!');
    this.log(`${mark} ${name}  ${model}  ${repetition}  ${seconds.toFixed(1)} s`);
    for (const fault of faults.slice(0, 3)) this.log(`    ${fault.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
  }
}
