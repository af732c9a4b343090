import {release} from 'node:os';
import {version as nodeVersion} from 'node:process';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '../contract.js';

interface About {
  readonly version: string;
  readonly node: string;
  readonly system: string;
  readonly model: string;
  readonly mode: string;
  readonly terminal: string;
}

export default class AboutCommand extends KernelCommand {
  static override summary = 'Show versions, system, model and mode: what a report of a problem needs.';
  static override description = 'Nothing of it is secret. gemini doctor examines more.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<About> {
    await this.parse(AboutCommand);
    const {platform, variables} = this.kernel.environment;
    const {model} = await (await this.service('agent')).model();
    const program = variables['TERM_PROGRAM'];
    const about: About = {
      version: this.config.version,
      node: nodeVersion,
      system: `${platform} ${release()} ${this.config.arch}`,
      model,
      mode: this.session.mode,
      terminal: [variables['TERM'] ?? 'none', ...(program ? [program] : [])].join(', '),
    };
    for (const [name, value] of Object.entries(about)) this.log(`${name.padEnd(9)} ${String(value)}`);
    return about;
  }
}
