import {KernelCommand} from '@gemini-kernel/command';
import type {LearningStatus} from '../../contract.js';

export default class LearnStatus extends KernelCommand {
  static override summary = 'Show whether old sessions are looked through in the background, and what came of it.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override slash = true;

  async run(): Promise<LearningStatus> {
    await this.parse(LearnStatus);
    const status = await (await this.service('learning')).status();
    const {isOn, tokens, tokensPerDay, waiting, running, last} = status;
    this.log(
      isOn ? 'Old sessions are looked through in the background.' : 'Off: nothing is looked through in the background.',
    );
    const other = isOn ? 'false ends it' : 'true begins it';
    this.log(this.style('dim', `gemini settings set experimental.autoMemory ${other}.`));
    if (running !== undefined) this.log(`Process ${running} does so now.`);
    if (last) {
      const end = last.end === 'ERROR' ? ', and the model did not answer' : '';
      this.log(`Last: ${last.at}, ${last.sessions} sessions, ${last.proposals} proposals${end}.`);
    }
    this.log(`Tokens of the last day: ${tokens} of ${tokensPerDay} (learning.tokensPerDay).`);
    this.log(waiting === 0 ? 'The inbox is empty.' : `Proposals that wait: ${waiting}. gemini inbox list shows them.`);
    return status;
  }
}
