import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {InboxDone, InboxItem} from '../../contract.js';

export default class InboxApply extends KernelCommand {
  static override summary = 'Apply a proposal: all of it, or nothing.';
  static override description =
    'Shows it and asks. A skill is made in your skills or in those of the project; a patch changes the files that it ' +
    'names. `gemini inbox undo` takes it back.';
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
  };
  static override slash = true;

  async run(): Promise<InboxDone> {
    const {args, flags} = await this.parse(InboxApply);
    const inbox = await this.service('inbox');
    const item = await inbox.find(args.proposal);
    if (item.fault === undefined) await this.#agree(item, flags.consent);
    const done = await inbox.apply(item.id, {scope: flags.scope});
    this.log(`Applied ${done.id}: ${done.files.join(', ')}.`);
    return done;
  }

  /** Throws KernelError INBOX_NOT_AGREED. */
  async #agree({id, text, targets}: InboxItem, isGiven: boolean): Promise<void> {
    if (isGiven) return this.logToStderr(text);
    const answer = await this.ask({
      title: `Apply ${id}?`,
      text: `${targets.join('\n')}\n\n${text}\n\nA model follows what it says: read it before you agree.`,
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
}
