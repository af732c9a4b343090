import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-sandbox/contract';
import type {TestCounts, TestResults, TestRun} from '../../run-tests.js';

interface Tested extends TestCounts {
  readonly name: string;
  /** Of the second run, and the tests that ended otherwise in it. */
  readonly isolated?: TestCounts & {readonly differing: readonly string[]};
}

/** Runs a plugin's own tests. */
export default class PluginsTest extends KernelCommand {
  static override summary = 'Build a plugin and run its tests.';
  static override description =
    'Compiles it, writes its manifests, and runs test/**/*.test.js with the test runner of Node, tests in ' +
    'TypeScript too. Kernel, oclif and the plugins that the tests name are linked into its node_modules from this ' +
    'program. With --isolated they run a second time, with the plugin in a process of its own, confined to what it ' +
    'declares. The exit code is 1 when a test fails.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ../my-plugin --json',
    {
      description: 'Also as an isolated plugin, which reaches only what it declares',
      command: '<%= config.bin %> <%= command.id %> --isolated',
    },
  ];
  static override args = {
    directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true}),
  };
  static override flags = {
    isolated: Flags.boolean({
      description: 'Run the tests a second time, with the plugin in a process of its own.',
      default: false,
    }),
  };

  async run(): Promise<Tested> {
    const {args, flags} = await this.parse(PluginsTest);
    const [{preparePlugin}, {writeManifests}, {runTests}] = await Promise.all([
      import('../../prepare-plugin.js'),
      import('../../write-manifests.js'),
      import('../../run-tests.js'),
    ]);
    const {environment} = this.kernel;
    const tier = flags.isolated ? await import('../../isolated-tests.js') : undefined;
    await tier?.requireTier(this.host.catalog, () => this.service('sandbox'));
    const compiling = {
      root: resolve(environment.cwd, args.directory),
      variables: environment.variables,
      signal: this.host.signal,
    };
    if (environment.interactive) this.logToStderr('Compiling, then testing …');
    await preparePlugin({...compiling, catalog: this.host.catalog, compile: true});
    const {name} = await writeManifests(compiling.root);
    const show = (text: string): void => void (this.jsonEnabled() || this.host.output.write(text));
    const run = {...compiling, colour: this.host.colour, onReport: show};
    const first = await runTests(run);
    const second = tier && (await this.#runIsolated(tier, run, first, runTests));
    const {ends: _, ...counts} = first;
    if ([first, ...(second ? [second] : [])].some(({failed, passed}) => failed > 0 || passed === 0)) this.host.end(1);
    return {name, ...counts, ...(second ? {isolated: second} : {})};
  }

  async #runIsolated(
    {isolatedVariables, findDiffering}: typeof import('../../isolated-tests.js'),
    run: TestRun,
    first: TestResults,
    runTests: (run: TestRun) => Promise<TestResults>,
  ): Promise<NonNullable<Tested['isolated']>> {
    this.log(`\n${this.style('strong', 'Again, with the plugin in a process of its own:')}`);
    const second = await runTests({...run, more: await isolatedVariables(run.root, this.host.catalog)});
    const differing = findDiffering(first, second);
    for (const test of differing) this.log(`${this.style('bad', '✗')} ends otherwise in a process of its own: ${test}`);
    if (differing.length === 0) this.log(`${this.style('good', '✓')} Each test ends as in the process of gemini.`);
    const {ends: _, ...counts} = second;
    return {...counts, differing};
  }
}
