import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import type {Tested} from '@gemini-kernel/plugin-agent/cases';
import {AgentCommand} from '../../agent-command.js';

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
    const [{describeResult, readCases, runCases}, {casesOf, invalidCase, readRun, wordsOf}] = await Promise.all([
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
    const tested = await runCases(chosen, {
      ...{name: agent.name, environment, files: [], host: this.host, deadline: flags.deadline, read: readRun},
      wordsOf: (one) => wordsOf(agent, one, {model: flags.model, allow: flags.allow ?? []}),
      onResult: (result) => this.log(describeResult(result, (style, text) => this.style(style, text))),
    });
    if (tested.failed > 0) this.host.end(1);
    this.log(`${tested.passed} of ${chosen.length} cases of the agent "${agent.name}" passed.`);
    return tested;
  }
}
