import {KernelCommand} from '@gemini-kernel/command';
import type {} from '../contract.js';
import {aboutOf, type About} from '../report/about.js';

export default class AboutCommand extends KernelCommand {
  static override summary = 'Show versions, system, model and mode: what a report of a problem needs.';
  static override description =
    'Nothing of it is secret. gemini doctor examines more, gemini doctor report asks for help.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<About> {
    await this.parse(AboutCommand);
    const {environment} = this.kernel;
    const {version, arch} = this.config;
    const {model} = await (await this.service('agent')).model();
    const about = aboutOf({version, arch, model, mode: this.session.mode, environment});
    for (const [name, value] of Object.entries(about)) this.log(`${name.padEnd(9)} ${String(value)}`);
    return about;
  }
}
