import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {Tested} from '@gemini-kernel/plugin-agent/cases';
import type {InboxDone, InboxItem} from '../../contract.js';

const TEST = 'skills:test';

export default class InboxApply extends KernelCommand {
  static override summary = 'Apply a proposal: all of it, or nothing.';
  static override description =
    'Shows it and asks. A skill is made in your skills or in those of the project, after its own cases have passed; ' +
    'a patch changes the files that it names. `gemini inbox undo` takes it back.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1',
    '<%= config.bin %> <%= command.id %> skill:release --scope workspace --consent',
  ];
  static override args = {
    proposal: Args.string({description: 'Id or number.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'For a skill: yours, or of this project.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
    consent: Flags.boolean({description: 'Agree to what is shown.'}),
    untested: Flags.boolean({description: 'Do not run the cases of a skill first.'}),
  };
  static override slash = true;

  async run(): Promise<InboxDone> {
    const {args, flags} = await this.parse(InboxApply);
    const inbox = await this.service('inbox');
    const item = await inbox.find(args.proposal);
    const {folder, files} = await inbox.cases(item.id);
    const cases = flags.untested || item.fault !== undefined ? [] : files;
    if (item.fault === undefined) await this.#agree(item, {isGiven: flags.consent, cases});
    if (cases.length > 0) await this.#prove(item.id, folder);
    const done = await inbox.apply(item.id, {scope: flags.scope});
    this.log(`Applied ${done.id}: ${done.files.join(', ')}.`);
    return done;
  }

  /** Throws KernelError INBOX_NOT_AGREED. */
  async #agree(
    {id, text, targets}: InboxItem,
    {isGiven, cases}: {readonly isGiven: boolean; readonly cases: readonly string[]},
  ): Promise<void> {
    if (isGiven) return this.logToStderr(text);
    const first = cases.length === 0 ? '' : `\n\nFirst it runs its cases, with a model: ${cases.join(', ')}.`;
    const answer = await this.ask({
      title: `Apply ${id}?`,
      text: `${targets.join('\n')}\n\n${text}\n\nA model follows what it says: read it before you agree.${first}`,
      about: {kind: 'proposal', lines: targets},
      fields: [{name: 'agree', kind: 'yes-no', label: 'Apply it?', default: false}],
    });
    if (answer.outcome === 'answered' && answer.values['agree'] === true) return;
    const isAbsent = answer.outcome === 'nobody';
    const why = isAbsent ? 'no one could be asked' : 'you said no';
    throw new KernelError('INBOX_NOT_AGREED', `${id} was not applied: ${why}.`, {
      hint: isAbsent ? `Look at gemini inbox show ${id}, then pass --consent.` : 'Nothing was changed.',
    });
  }

  /** Runs the cases of a skill where it waits. Throws KernelError INBOX_INVALID. */
  async #prove(id: string, folder: string): Promise<void> {
    const {catalog} = this.host;
    const fail = (fault: string): KernelError =>
      new KernelError('INBOX_INVALID', `${id} was not applied: ${fault}`, {
        hint: `gemini inbox edit ${id} changes it; --untested applies it without its cases.`,
      });
    if (!catalog.commands.has(TEST)) throw fail('its cases cannot be run, since the plugin skills is not installed.');
    const {signal} = this.host;
    const {stdout, stderr} = await this.host.run([...TEST.split(':'), folder, '--json'], {show: false, signal});
    const tested = readTested(stdout);
    if (!tested) throw fail(`its cases could not be run: ${stderr.trim().split('\n').at(-1) ?? ''}`);
    const failed = tested.cases.filter(({passed}) => !passed);
    if (failed.length > 0)
      throw fail(failed.map(({name, faults}) => `its case ${name} failed. ${faults.join(' ')}`).join(' '));
    this.log(tested.cases.length === 1 ? 'Its case passed.' : `Its ${tested.cases.length} cases passed.`);
  }
}

/** What `gemini skills test --json` printed; undefined when it is no result. */
function readTested(text: string): Pick<Tested, 'cases'> | undefined {
  try {
    const {cases} = JSON.parse(text) as Partial<Tested>;
    return Array.isArray(cases) ? {cases} : undefined;
  } catch (error) {
    if ((error as Error).name !== 'SyntaxError') throw error;
    return undefined;
  }
}
