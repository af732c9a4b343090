import {mkdirSync, realpathSync, writeFileSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {CANARY, Laboratory} from '#plugins/sandbox/dist/leaks/laboratory.js';
import {installPlugins} from '../../helpers/install-plugins.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {capabilitiesOf, SHELL, type LeakLaboratory} from './leak-plugin.js';

const CODE = `import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {run} from '../../shell.js';
export default class GoodHello extends KernelCommand {
  static summary = 'Runs a script.';
  static args = {script: Args.string({required: true}), project: Args.string({required: true})};
  async run() {
    const {args: {script, project}} = await this.parse(GoodHello);
    this.log(await run(script, project));
  }
}\n`;

/** Puts a plugin with one command into the home, which declares what the other ones of the leak test declare. */
async function install({home, shown}: Laboratory): Promise<void> {
  await installPlugins(home, {
    present: ['good'],
    async change(root) {
      await mkdir(join(root, 'dist', 'commands', 'good'), {recursive: true});
      await writeFile(join(root, 'dist', 'shell.js'), SHELL);
      await writeFile(join(root, 'dist', 'commands', 'good', 'hello.js'), CODE);
      const file = join(root, 'gemini.plugin.json');
      const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
      await writeFile(file, JSON.stringify({...manifest, capabilities: capabilitiesOf(shown)}));
    },
  });
}

/** A laboratory in which the program runs a command of an installed plugin for each script. */
export async function openCommandLaboratory(): Promise<LeakLaboratory> {
  const laboratory = await Laboratory.build(realpathSync(tmpdir()));
  const {project, home} = laboratory;
  mkdirSync(join(home, '.gemini'), {recursive: true});
  writeFileSync(join(home, '.gemini', 'settings.json'), '{"security": {"pluginIsolation": "required"}}');
  await install(laboratory);
  const {LAB = '', PORT = '', BYSTANDER = ''} = laboratory.variables(process.env);
  const variables = {LAB, PORT, BYSTANDER, GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_TEST_TOKEN: CANARY};
  return {
    laboratory,
    run: () => async (script) => {
      const ran = await runGemini(['good', 'hello', '--', script, project], {cwd: project, home, variables});
      // A probe that ends all processes also ends the one of the command.
      if (ran.code === 0 || ran.stderr.includes('The process of good ended')) return ran.stdout;
      throw new Error(`The command failed: ${ran.stderr}`);
    },
    [Symbol.asyncDispose]: () => laboratory.close(),
  };
}
