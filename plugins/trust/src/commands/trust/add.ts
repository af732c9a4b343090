import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {TrustLevel} from '../../contract.js';

interface Kept {
  readonly path: string;
  readonly level: TrustLevel;
  readonly file: string;
}

export default class TrustAdd extends KernelCommand {
  static override summary = 'Trust a folder and what is in it, or say that it is not trusted.';
  static override description =
    'A trusted folder may bring settings, policies, hooks, servers and instructions for the model. gemini trust ' +
    'explain says what holds for a folder, and why.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ~/src --parent',
    '<%= config.bin %> <%= command.id %> ../downloaded --deny',
  ];
  static override args = {
    path: Args.string({description: 'The folder; the current one if left out.', ignoreStdin: true}),
  };
  static override flags = {
    parent: Flags.boolean({
      description: 'Trust the folder that it lies in, with everything beside it.',
      exclusive: ['deny'],
    }),
    deny: Flags.boolean({description: 'Do not trust it, whatever holds for the folders around it.'}),
  };
  static override slash = true;

  async run(): Promise<Kept> {
    const {args, flags} = await this.parse(TrustAdd);
    const level: TrustLevel = flags.deny ? 'DO_NOT_TRUST' : flags.parent ? 'TRUST_PARENT' : 'TRUST_FOLDER';
    const trust = await this.service('trust');
    const {file, path} = await trust.set(args.path ?? '.', level);
    const {trusted, reason} = await trust.explain(args.path ?? '.');
    this.log(
      flags.deny
        ? `${path} is not trusted from now on.`
        : `${flags.parent ? `The folder around ${path}` : path} is trusted from now on.`,
    );
    if (trusted === flags.deny) this.logToStderr(`Warning: It has no effect now: ${reason}`);
    return {path, level, file};
  }
}
