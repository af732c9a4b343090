import {join, resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {Decision, Mode} from '../../contract.js';
import {describeCase} from '../../describe-case.js';
import {readCases, type PolicyCase} from '../../read-cases.js';
import {tellUnknownTool} from '../../unknown-tool.js';

interface Result {
  readonly file: string;
  readonly name: string;
  readonly mode: Mode;
  readonly expected: Decision;
  /** Id of the rule that has to decide. */
  readonly rule?: string;
  readonly decision: Decision;
  readonly reason: string;
  readonly passed: boolean;
}

export default class PolicyTest extends KernelCommand {
  static override summary = 'Try the rules on calls, and compare with what is expected.';
  static override description =
    'Cases stand in files *.test.toml beside the rules, each a [[case]] with tool, input, mode (default), ' +
    'interactive (true), expect (allow, ask, deny) and, if it matters, the id of the rule that decides. The exit ' +
    'code is 1 when a call is judged otherwise.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> team/rules.test.toml --policy team/rules.toml',
  ];
  static override args = {
    path: Args.string({
      description: 'Files of cases, or folders with some; the folders of the project and the user if left out.',
      ignoreStdin: true,
    }),
  };
  static override strict = false;
  static override slash = true;

  async run(): Promise<{readonly passed: number; readonly failed: number; readonly results: readonly Result[]}> {
    const {argv} = await this.parse(PolicyTest);
    const {environment} = this.kernel;
    const files = (await (await this.service('policy')).rules()).files;
    const own = [join(environment.cwd, '.gemini', 'policies'), join(environment.home, '.gemini', 'policies')].filter(
      (folder) => files.some((file) => file.startsWith(folder)),
    );
    const cases = await readCases(argv.length > 0 ? argv.map((path) => resolve(environment.cwd, String(path))) : own);
    const tools = await this.conversation.tools();
    for (const name of new Set(cases.map(({tool}) => tool))) this.#warn(tellUnknownTool(name, tools));
    const results: Result[] = [];
    for (const one of cases) results.push(...(await this.#try(one)));
    const failed = results.filter(({passed}) => !passed);
    for (const {file, name, mode, expected, rule, decision, reason} of failed)
      this.log(
        `${this.style('bad', '✗')} ${file}: ${name} (${mode}): expected ` +
          `${expected}${rule === undefined ? '' : ` by the rule ${rule}`}, got ${decision}\n    ${reason}`,
      );
    this.log(
      results.length === 0
        ? 'There are no cases. gemini policy test --help shows what one looks like.'
        : `${results.length - failed.length} passed, ${failed.length} failed.`,
    );
    if (failed.length > 0) this.host.end(1);
    return {passed: results.length - failed.length, failed: failed.length, results};
  }

  #warn(sentence: string | undefined): void {
    if (sentence) this.logToStderr(sentence);
  }

  async #try({
    file,
    name,
    tool,
    server,
    input,
    modes,
    interactive,
    expect: expected,
    rule,
  }: PolicyCase): Promise<readonly Result[]> {
    const policy = await this.service('policy');
    const call = await describeCase(this.conversation, {tool, input, ...(server === undefined ? {} : {server})});
    return Promise.all(
      modes.map(async (mode) => {
        const {decision, reason, parts} = await policy.explain(call, {mode, interactive});
        const decided = parts.some((part) => part.decision === decision && part.rule?.id === rule);
        const passed = decision === expected && (rule === undefined || decided);
        return {file, name, mode, expected, ...(rule === undefined ? {} : {rule}), decision, reason, passed};
      }),
    );
  }
}
