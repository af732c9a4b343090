import {createRequire} from 'node:module';
import {Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {Tokens} from '../../tokens/tokens.js';

export default class A2aServe extends KernelCommand {
  static override summary = 'Work for other agents, over the Agent2Agent protocol (A2A 1.0, JSON-RPC).';
  static override description =
    'Listens on this machine only. Every request needs a token of `a2a token create`, which says in which folder and ' +
    'in which approval mode its tasks work. Commands of tasks run in the sandbox unless --no-confine.';
  static override examples = ['<%= config.bin %> <%= command.id %> --port 8940'];
  static override flags = {
    port: Flags.string({description: 'Port to listen at on 127.0.0.1; without it, a free one.'}),
    confine: Flags.boolean({
      description: 'Run commands of tasks in the sandbox; --no-confine runs them outside of it.',
      default: true,
      allowNo: true,
    }),
  };

  async run(): Promise<void> {
    const {flags} = await this.parse(A2aServe);
    if (this.jsonEnabled())
      throw new KernelError('PEER_SERVE_INVALID', '--json cannot be used with a2a serve.', {hint: 'Leave it out.'});
    const port = readPort(flags.port);
    const {home} = this.kernel.environment;
    const tokens = new Tokens(await this.service('config-files'), home);
    if ((await tokens.list()).length === 0)
      throw new KernelError('PEER_SERVE_INVALID', 'There is no token, so the server would let no one in.', {
        hint: 'Make one with gemini a2a token create <name>.',
      });
    const {version} = createRequire(import.meta.url)('../../../package.json') as {readonly version: string};
    const {serve} = await import('../../serve/serve.js');
    const {signal} = this.host;
    await serve(
      {
        ...{sdk: await import('#sdk'), kernel: this.kernel, version, tokens, isConfined: flags.confine},
        log: (line) => this.logToStderr(line),
      },
      {port, signal},
    );
    signal.throwIfAborted();
  }
}

function readPort(port = '0'): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new KernelError('PEER_SERVE_INVALID', `--port must be a number up to 65535, not ${JSON.stringify(port)}.`, {
    hint: 'Leave it out for a free one.',
  });
}
