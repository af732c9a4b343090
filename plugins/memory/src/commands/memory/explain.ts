import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {ExplainedLine} from '../../contract.js';

export default class MemoryExplain extends KernelCommand {
  static override summary = 'Show where a text of the context comes from, and whether a model gets it.';
  static override description =
    'Finds the lines that contain the text, in context files and in what they import, also in files that are left out.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "four spaces"',
    '<%= config.bin %> <%= command.id %> PostgreSQL --json',
  ];
  static override args = {
    text: Args.string({description: 'A part of the line.', required: true, multiple: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<{readonly lines: readonly ExplainedLine[]; readonly faults: readonly string[]}> {
    const {args} = await this.parse(MemoryExplain);
    const text = [args.text].flat().join(' ');
    const memory = await this.service('memory');
    const lines = await memory.explain(text);
    const faults = (await memory.files()).flatMap((file) => file.faults);
    if (lines.length === 0) this.log(`No line of a context file contains ${JSON.stringify(text)}.`);
    for (const {path, line, text: found, tier, importedBy, leftOut} of lines) {
      this.log(`${path}:${line}  ${found}`);
      const way = importedBy.length > 0 ? `, imported by ${importedBy.join(' -> ')}` : '';
      const state =
        leftOut === undefined ? 'a model gets it' : this.style('warn', `a model does not get it: ${leftOut}`);
      this.log(`  ${tier}${way}; ${state}`);
    }
    for (const fault of faults) this.log(this.style('warn', fault));
    return {lines, faults};
  }
}
