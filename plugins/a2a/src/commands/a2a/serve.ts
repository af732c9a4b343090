import {createRequire} from 'node:module';
import {resolve} from 'node:path';
import {Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {Tokens} from '../../tokens/tokens.js';

export default class A2aServe extends KernelCommand {
  static override summary = 'Work for other agents, over the Agent2Agent protocol (A2A 1.0 and 0.3).';
  static override description =
    'Listens on this machine only, unless it has a certificate and --host. Every request needs a token, or another ' +
    'login, of `a2a token create`, which says in which folder and in which approval mode its tasks work. Commands of ' +
    'tasks run in the sandbox unless --no-confine.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --port 8940',
    '<%= config.bin %> <%= command.id %> --host 0.0.0.0 --tls-cert server.pem --tls-key server.key',
  ];
  static override flags = {
    port: Flags.string({description: 'Port to listen at; without it, a free one.'}),
    host: Flags.string({description: 'Address to listen at: 127.0.0.1. Another machine needs --tls-cert.'}),
    'tls-cert': Flags.string({description: 'Certificate of the server, with its chain (PEM).'}),
    'tls-key': Flags.string({description: 'Its key (PEM).'}),
    'tls-client-ca': Flags.string({
      description: 'Authority (PEM): only clients with one of its certificates can connect.',
    }),
    store: Flags.string({description: 'Where tasks are kept: files, or the name that a plugin gives its store.'}),
    url: Flags.string({description: 'Address that others use, where a proxy is in front of the server.'}),
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
    const {cwd} = this.kernel.environment;
    const at = (path: string | undefined): string | undefined => (path === undefined ? undefined : resolve(cwd, path));
    const {isLoopback} = await import('../../serve/listen.js');
    const {readTls} = await import('../../serve/read-tls.js');
    const {variables} = this.kernel.environment;
    const {'tls-cert': cert, 'tls-key': key, 'tls-client-ca': ca} = flags;
    // The variables of Gemini CLI.
    const host = flags.host ?? (variables['CODER_AGENT_HOST'] || '127.0.0.1');
    const port = flags.port ?? variables['CODER_AGENT_PORT'];
    const tls = await readTls({cert: at(cert), key: at(key), clientCa: at(ca)});
    if (!tls && !isLoopback(host)) throw openHost(host);
    const listening = {port: readPort(port || undefined), host, tls, url: readUrl(flags.url)};
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
        ...{
          sdk: await import('#sdk'),
          kernel: this.kernel,
          version,
          tokens,
          isConfined: flags.confine,
          store: this.storeOf(flags.store),
        },
        slash: (words, session, into) => this.host.slash(words, {kernel: this.kernel, session}, into),
        log: (line) => this.logToStderr(line),
      },
      listening,
      signal,
    );
    signal.throwIfAborted();
  }

  private storeOf(name = 'files'): string {
    const {services} = this.kernel.catalog;
    if (services.has(`task-store:${name}`)) return name;
    const known = [...services.keys()].flatMap((one) => /^task-store:(.+)$/.exec(one)?.[1] ?? []);
    throw new KernelError('PEER_SERVE_INVALID', `There is no store ${JSON.stringify(name)} for tasks.`, {
      hint: `There are: ${known.join(', ')}.`,
    });
  }
}

function openHost(host: string): KernelError {
  const sentence = `--host ${host} would take tokens and work without encryption.`;
  return new KernelError('PEER_SERVE_INVALID', sentence, {
    hint: 'Pass --tls-cert and --tls-key too, or leave --host out and put a proxy that encrypts in front of it.',
  });
}

function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '')
    return url.href;
  throw new KernelError('PEER_SERVE_INVALID', `--url does not accept ${JSON.stringify(text)}.`, {
    hint: 'Pass an address like https://agents.example.com/gemini.',
  });
}

function readPort(port = '0'): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new KernelError('PEER_SERVE_INVALID', `The port must be a number up to 65535, not ${JSON.stringify(port)}.`, {
    hint: 'Leave it out for a free one.',
  });
}
