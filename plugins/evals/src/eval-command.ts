import {relative, resolve, sep} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {QueueEngine} from '@gemini-kernel/plugin-fleet/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Comparison} from './compare/compare-runs.js';
import {findRun, runsOf} from './results/find-run.js';
import type {Run} from './results/result.js';

/** Where evaluations are, unless a flag names another folder. */
export const FOLDER = 'evals';

/** What commands of evaluations share. */
export abstract class EvalCommand extends KernelCommand {
  /** Throws KernelError EVAL_UNTRUSTED unless the folder of the evaluations is trusted: they are code of it. */
  protected async requireTrust(root: string): Promise<void> {
    const trust = await this.service('trust');
    const {cwd} = this.kernel.environment;
    const below = relative(cwd, root);
    const isHere = below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && resolve(cwd, below) === root);
    const {trusted, reason} = isHere ? await trust.state() : await trust.explain(root);
    if (trusted) return;
    throw new KernelError('EVAL_UNTRUSTED', `The evaluations in ${root} do not run: ${reason}`, {
      hint: `Read them, then trust their folder: gemini trust add ${isHere ? cwd : root}`,
    });
  }

  /** Shows what evaluations need and asks for it, unless `isGiven`. Throws KernelError EVAL_NOT_AGREED. */
  protected async agree(needs: readonly string[], isGiven: boolean): Promise<void> {
    if (needs.length === 0 || isGiven) return;
    const title = 'These evaluations run without a question:';
    const lines = needs.map((need) => `  ${need}`);
    const answer = await this.ask({
      ...{title, text: lines.join('\n'), about: {kind: 'evals', needs}},
      fields: [{name: 'agree', kind: 'yes-no', label: 'Allow it for this run?', default: false}],
    });
    if (answer.outcome === 'answered' && answer.values['agree'] === true) return;
    const isAbsent = answer.outcome === 'nobody';
    if (isAbsent) [title, ...lines].forEach((line) => this.logToStderr(line));
    throw new KernelError(
      'EVAL_NOT_AGREED',
      `The evaluations need more than edits. ${isAbsent ? 'No one could be asked.' : 'You said no.'}`,
      {hint: isAbsent ? 'Read what is listed, then pass --yes.' : 'No evaluation was run.'},
    );
  }

  /** The queue at an address that machines share. Throws KernelError EVAL_FLAG_INVALID. */
  protected async queueAt(address: string, flag: string): Promise<QueueEngine> {
    const {engineAt} = await import('./queue/open-queue.js');
    return this.service(engineAt(address, flag, this.host.catalog.services) as 'queue:local');
  }

  /** The folder with the runs of this project. Undefined when it has none yet. */
  protected async runsFolder(): Promise<string | undefined> {
    const project = await (await this.service('project')).find();
    return project === undefined ? undefined : runsOf(project.temporary);
  }

  /** The file of a run that is named by its file, its name, or as the latest. */
  protected async fileOf(name: string): Promise<string> {
    return findRun(name, name.endsWith('.jsonl') ? undefined : await this.runsFolder(), this.kernel.environment.cwd);
  }

  /** Writes the page of a run, and says where. */
  protected async writePage(path: string, run: Run, comparison?: Comparison): Promise<void> {
    const file = resolve(this.kernel.environment.cwd, path);
    await (await import('./page/write-page.js')).writePage(file, run, comparison);
    this.log(this.style('dim', `Page: ${file}`));
  }
}
