import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {isToolError, KernelError} from '@gemini-kernel/kernel';
import type {RemoteAgent, RemoteEnd} from '../../contract.js';

export default class A2aCall extends KernelCommand {
  static override summary = 'Ask an agent of another program, over A2A.';
  static override description =
    'Takes the address of its card, or of its server. Its answer is text of others. The exit code is 1 when the agent ' +
    'failed or refused, and 0 when it answered or asks something.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> http://127.0.0.1:8940 "What is this project about?" --token-variable A2A_TOKEN',
    '<%= config.bin %> <%= command.id %> https://agents.example.com/.well-known/agent-card.json "Hello" --json',
  ];
  static override args = {
    card: Args.string({description: 'Address of the card or the server.', required: true, ignoreStdin: true}),
    prompt: Args.string({description: 'What to ask.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    'token-variable': Flags.string({description: 'Variable with a token, which is sent as Authorization: Bearer.'}),
    timeout: Flags.integer({description: 'Seconds to wait for the answer.', default: 1800, min: 1}),
  };

  async run(): Promise<RemoteEnd> {
    const {args, flags} = await this.parse(A2aCall);
    const agent: RemoteAgent = {url: cardAddress(args.card), ...this.login(flags['token-variable'])};
    const late = AbortSignal.timeout(flags.timeout * 1000);
    const signal = AbortSignal.any([this.host.signal, late]);
    const onProgress = (line: string): void => this.logToStderr(this.style('dim', line));
    try {
      const end = await (await this.service('remote-agents')).call({agent, prompt: args.prompt}, {signal, onProgress});
      if (end.status === 'failed' || end.status === 'refused') {
        this.host.end(1);
        this.logToStderr(
          this.style('bad', `The agent ${end.status === 'failed' ? 'failed' : 'refused'}: ${end.reason ?? ''}`),
        );
      }
      this.print(end.text);
      return end;
    } catch (error) {
      this.host.signal.throwIfAborted();
      if (late.aborted) throw new KernelError('REMOTE_AGENT_FAILED', `It did not answer within ${flags.timeout} s.`);
      if (!isToolError(error)) throw error;
      throw new KernelError(error.code, error.message, {cause: error});
    }
  }

  /** A token is not typed: others see the words of a command. */
  private login(name: string | undefined): Pick<RemoteAgent, 'auth'> {
    if (name === undefined) return {};
    const token = this.kernel.environment.variables[name];
    if (token !== undefined && token !== '') return {auth: {header: 'authorization', value: `Bearer ${token}`}};
    throw new KernelError('REMOTE_AGENT_FAILED', `The variable ${name} is not set.`);
  }
}

/** A server has its card at a known place. */
function cardAddress(given: string): string {
  if (!URL.canParse(given)) throw new KernelError('REMOTE_CARD_INVALID', `${JSON.stringify(given)} is not an address.`);
  const url = new URL(given);
  return url.pathname === '/' ? new URL('/.well-known/agent-card.json', url).href : url.href;
}
