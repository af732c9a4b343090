import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {passDescriptors} from '@gemini-kernel/processes';
import type {Confined} from '../../contract.js';

export default class SandboxShell extends KernelCommand {
  static override summary = 'Start a shell that is confined like the commands of the model.';
  static override description =
    'It has no control of jobs, because it does not own the terminal. The exit code is that of the shell.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --approval-mode plan',
    'echo "ls -a ~" | <%= config.bin %> <%= command.id %>',
  ];

  async run(): Promise<{readonly exitCode: number}> {
    await this.parse(SandboxShell);
    const confined = await this.confine();
    const passing = passDescriptors(confined.descriptors);
    const child = spawn(confined.file, confined.args, {
      cwd: confined.cwd,
      env: {...confined.variables},
      // With --json the result is all that is on standard output.
      stdio: ['inherit', this.jsonEnabled() ? 2 : 'inherit', 'inherit', ...passing.stdio],
    });
    passing.give(child);
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    const exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
    this.host.end(exitCode);
    return {exitCode};
  }

  private async confine(): Promise<Confined> {
    const [sandbox, workspace, secrets] = await Promise.all([
      this.service('sandbox'),
      this.service('workspace'),
      this.service('secrets'),
    ]);
    const roots = (await workspace.roots()).map(({path}) => path);
    const {variables} = await secrets.environment();
    const {cwd} = this.kernel.environment;
    return sandbox.force({
      file: '/bin/sh',
      args: this.host.terminal ? ['-i'] : [],
      cwd: roots[0] ?? cwd,
      variables: {...variables, PS1: '(sandbox) $ '},
      roots,
      mode: this.session.mode,
    });
  }
}
