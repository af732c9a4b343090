import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import type {CaseResult} from '@gemini-kernel/plugin-agent/cases';
import {AgentCommand} from '../../agent-command.js';

interface Tested {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly cases: readonly CaseResult[];
}

export default class AgentsTest extends AgentCommand {
  static override summary = 'Run the cases of an agent against a model, or against recorded answers.';
  static override description =
    'The cases of translator.md are the files translator.tests/*.toml beside it. Each has a prompt, the files of a ' +
    'new project, the tools that have to be called, and what the report and files have to contain. It runs in a ' +
    'temporary project, in which the agent may read and edit. A case that names a recording needs no model. The exit ' +
    'code is 1 when a case fails.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> .gemini/agents/translator.md',
    '<%= config.bin %> <%= command.id %> reviewer --model gemini-3-pro',
  ];
  static override args = {
    agent: Args.string({description: 'Name of an agent, or its file.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    allow: Flags.string({
      description: 'A tool that may run without a question; can be repeated.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    model: Flags.string({char: 'm', description: 'Model to use, also instead of recordings.'}),
    only: Flags.string({description: 'Name of the only case to run.'}),
    deadline: Flags.integer({description: 'Seconds after which a case fails.', default: 300, min: 1}),
  };

  async run(): Promise<Tested> {
    const {args, flags} = await this.parse(AgentsTest);
    const {environment} = this.kernel;
    const [{readCases, runCase}, {casesOf, invalidCase, readRun, wordsOf}] = await Promise.all([
      import('@gemini-kernel/plugin-agent/cases'),
      import('../../agent-cases.js'),
    ]);
    const path = resolve(environment.cwd, args.agent);
    const agent = args.agent.endsWith('.md') && existsSync(path) ? await this.lend(path) : await this.find(args.agent);
    const folder = casesOf(agent);
    const all = await readCases(folder, invalidCase);
    const chosen = all.filter((one) => flags.only === undefined || one.name === flags.only);
    if (chosen.length === 0) {
      const which = flags.only === undefined ? 'no cases' : `no case "${flags.only}"`;
      throw new KernelError('AGENT_INVALID', `The agent "${agent.name}" has ${which} in ${folder}.`, {
        hint: 'Add one, such as basic.toml with a prompt; docs/agents.md shows the form.',
      });
    }
    const cases: CaseResult[] = [];
    for (const one of chosen) {
      const result = await runCase(one, {
        host: this.host,
        files: [],
        temporary: environment.temporary,
        deadline: flags.deadline * 1000,
        words: wordsOf(agent, one, {model: flags.model, allow: flags.allow ?? []}),
        read: readRun,
      });
      cases.push(result);
      this.log(`${result.passed ? this.style('good', '✓') : this.style('bad', '✗')} ${result.name}`);
      for (const fault of result.faults) this.log(`  ${fault}`);
    }
    const passed = cases.filter((one) => one.passed).length;
    if (passed < cases.length) this.host.end(1);
    this.log(`${passed} of ${cases.length} cases of the agent "${agent.name}" passed.`);
    return {name: agent.name, passed, failed: cases.length - passed, cases};
  }
}
