import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {TrustState} from '../../contract.js';
import {contributions} from '../../contributions.js';

type Explained = TrustState & {readonly mayNotContribute: readonly string[]};

export default class TrustExplain extends KernelCommand {
  static override summary = 'Say whether a folder is trusted, what decided, and what that means.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ../lib --json',
  ];
  static override args = {
    path: Args.string({description: 'The folder; the current one if left out.', ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<Explained> {
    const {args} = await this.parse(TrustExplain);
    const trust = await this.service('trust');
    const {cwd} = this.kernel.environment;
    // Of the current folder it counts too whether an editor doubts it, as when a session begins.
    const state = resolve(cwd, args.path ?? '.') === cwd ? await trust.state() : await trust.explain(args.path ?? '.');
    const {folder, trusted, reason} = state;
    const mayNotContribute = Object.entries(contributions).flatMap(([name, {untrusted}]) =>
      trusted || untrusted ? [] : [name],
    );
    this.log(`${folder} is ${trusted ? this.style('good', 'trusted') : this.style('bad', 'not trusted')}.`);
    this.log(reason);
    if (!trusted) {
      this.log('What it brings along does not count:');
      for (const [name, {meaning, untrusted}] of Object.entries(contributions))
        if (!untrusted) this.log(`  ${name.padEnd(18)}  ${this.style('dim', meaning)}`);
      this.log('Without a person at a terminal, no session begins there (exit code 55). gemini trust add trusts it.');
    }
    return {...state, mayNotContribute};
  }
}
