import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {Learned, LearningPreview} from '../../contract.js';

export default class LearnNow extends KernelCommand {
  static override summary = 'Look through old sessions of this project, and propose what they show.';
  static override description =
    'Takes at most ten sessions with ten prompts or more that were not used for three hours, takes secrets out, and ' +
    'asks your model once. What it proposes waits in the inbox; nothing is changed. --dry-run prints the text that ' +
    'would be sent.';
  static override examples = ['<%= config.bin %> <%= command.id %> --dry-run', '<%= config.bin %> <%= command.id %>'];
  static override flags = {'dry-run': Flags.boolean({description: 'Send nothing, and print what would be sent.'})};

  async run(): Promise<Learned | LearningPreview> {
    const {flags} = await this.parse(LearnNow);
    const learning = await this.service('learning');
    if (flags['dry-run']) return this.#show(await learning.preview());
    const learned = await learning.now();
    if (learned.status === 'failed')
      throw new KernelError('LEARNING_FAILED', `The model did not answer: ${learned.reason}`, {
        hint: 'Nothing was changed. The sessions are tried again, three times in all.',
      });
    if (learned.status === 'done') this.#tell(learned);
    else this.log(`Nothing to do: ${learned.reason}`);
    return learned;
  }

  #show(preview: LearningPreview): LearningPreview {
    if (preview.text === '') this.log('Nothing would be sent: there is no new session with enough in it.');
    else this.print(preview.text);
    return preview;
  }

  #tell({sessions, low, proposals, refused, tokens}: Extract<Learned, {status: 'done'}>): void {
    const skipped = low.length === 0 ? '' : `; ${low.length} with too little in them`;
    this.log(`Looked at ${counted(sessions.length, 'session')}${skipped}. It took ${tokens} tokens.`);
    for (const path of proposals) this.log(`  ${path}`);
    if (refused > 0) this.log(`${counted(refused, 'proposal')} cannot be applied; the inbox says why.`);
    this.log(proposals.length + refused > 0 ? 'gemini inbox list shows them.' : 'It proposed nothing.');
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
