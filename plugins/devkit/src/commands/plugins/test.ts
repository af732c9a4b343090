import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {TestCounts} from '../../run-tests.js';

interface Tested extends TestCounts {
  readonly name: string;
}

/** Runs a plugin's own tests. */
export default class PluginsTest extends KernelCommand {
  static override summary = 'Build a plugin and run its tests.';
  static override description =
    'Compiles it, writes its manifests, and runs test/**/*.test.js with the test runner of Node, tests in ' +
    'TypeScript too. Kernel, oclif and the plugins that the tests name are linked into its node_modules from this ' +
    'program. The exit code is 1 when a test fails.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ../my-plugin --json',
  ];
  static override args = {
    directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true}),
  };

  async run(): Promise<Tested> {
    const {args} = await this.parse(PluginsTest);
    const [{preparePlugin}, {writeManifests}, {runTests}] = await Promise.all([
      import('../../prepare-plugin.js'),
      import('../../write-manifests.js'),
      import('../../run-tests.js'),
    ]);
    const {environment} = this.kernel;
    const compiling = {
      root: resolve(environment.cwd, args.directory),
      variables: environment.variables,
      signal: this.host.signal,
    };
    if (environment.interactive) this.logToStderr('Compiling, then testing …');
    await preparePlugin({...compiling, catalog: this.host.catalog, compile: true});
    const {name} = await writeManifests(compiling.root);
    const show = (text: string): void => void (this.jsonEnabled() || this.host.output.write(text));
    const counts = await runTests({...compiling, colour: this.host.colour, onReport: show});
    if (counts.failed > 0 || counts.passed === 0) this.host.end(1);
    return {name, ...counts};
  }
}
