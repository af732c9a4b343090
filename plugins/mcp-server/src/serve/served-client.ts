import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {ClientCapabilities, ClientRequest, LiveClient} from '../contract.js';
import {findMissing, findNeeds, type Answers, type Reach, type Requests} from './reach.js';

/** Gives a tool or a prompt what the client of a request offers. */
export class ServedClient implements LiveClient {
  #lacking: ClientCapabilities | undefined;

  constructor(
    private readonly reach: Reach,
    /** What asks, for the person: `The tool x`. */
    private readonly asker: string,
    private readonly signal: AbortSignal,
  ) {}

  get capabilities(): ClientCapabilities {
    return this.reach.capabilities;
  }

  /** What a tool wanted and the client does not declare. */
  get lacking(): ClientCapabilities | undefined {
    return this.#lacking;
  }

  require(wanted: ClientCapabilities): void {
    const missing = findMissing(wanted, this.capabilities);
    if (!missing) return;
    this.#lacking = missing;
    const {extensions = {}, ...plain} = missing;
    const names = [...Object.keys(plain), ...Object.keys(extensions)].join(', ');
    throw new KernelError('MCP_CLIENT_LACKS', `The MCP client does not declare what this needs: ${names}.`, {
      hint: 'Use a client that supports it.',
    });
  }

  async send(requests: Requests): Promise<Answers> {
    this.require(findNeeds(requests));
    const sent = Object.entries(requests).map(([name, request]) => [name, this.#signed(request)] as const);
    const answers = await this.reach.send(Object.fromEntries(sent), this.signal).catch((cause: unknown) => {
      this.signal.throwIfAborted();
      throw new KernelError('MCP_CLIENT_FAILED', `The MCP client refused a request: ${messageOf(cause)}`, {cause});
    });
    if (answers) return answers;
    // Only the end of the call leaves it without answers.
    throw this.signal.reason;
  }

  /** A person at the client must see that a plugin asks, and which. */
  #signed(request: ClientRequest): ClientRequest {
    if (request.method !== 'elicitation/create') return request;
    const {message} = request.params;
    return {...request, params: {...request.params, message: `${this.asker} asks:\n${String(message)}`}};
  }
}
