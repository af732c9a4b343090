import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {Problem} from '../../contract.js';
import {diagnose, renderProblem} from '../../read/diagnose.js';
import {findNamedFiles} from '../../read/find-rule-files.js';
import {readRuleFiles} from '../../read/read-rule-file.js';
import {isCases} from '../../load-policy.js';

interface Checked {
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
  readonly errors: number;
  readonly warnings: number;
}

export default class PolicyCheck extends KernelCommand {
  static override summary =
    'Look for mistakes in rule files: errors, rules that can never match, misspelt tools and keys.';
  static override description =
    'Without paths, every file that counts here is checked. The exit code is 1 when there is an error.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ./policies team.toml --json',
  ];
  static override args = {path: Args.string({description: 'Files or folders with rules.', ignoreStdin: true})};
  static override strict = false;
  static override slash = true;

  async run(): Promise<Checked> {
    const {argv} = await this.parse(PolicyCheck);
    const {files, problems} =
      argv.length > 0
        ? await this.#read(argv.map(String))
        : await (await this.service('policy')).check((await this.conversation.tools()).map(({name}) => name));
    const {problems: sorted, errors, warnings} = diagnose(problems);
    for (const problem of sorted)
      this.log(this.style(problem.severity === 'error' ? 'bad' : 'warn', renderProblem(problem)));
    this.log(
      `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${errors} ${errors === 1 ? 'error' : 'errors'}, ` +
        `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
    );
    if (errors > 0) this.host.end(1);
    return {files, problems: sorted, errors, warnings};
  }

  async #read(
    paths: readonly string[],
  ): Promise<{readonly files: readonly string[]; readonly problems: readonly Problem[]}> {
    const {environment} = this.kernel;
    const found = findNamedFiles(
      paths.map((path) => resolve(environment.cwd, path)),
      environment.platform,
    );
    const files = found.files.filter(({file}) => !isCases(file));
    const knownTools = (await this.conversation.tools()).map(({name}) => name);
    const {problems} = await readRuleFiles(files, {knownTools});
    return {files: files.map(({file}) => file), problems: [...found.problems, ...problems]};
  }
}
