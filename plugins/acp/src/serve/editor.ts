import type {
  AgentConnection,
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  Implementation,
  InitializeRequest,
  ReadTextFileRequest,
  ReadTextFileResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  WriteTextFileRequest,
} from '#sdk';

type Client = AgentConnection['client'];

/** The editor at the other end of the connection. */
export class Editor {
  #client: Client | undefined;
  #capabilities: ClientCapabilities = {};
  #info: Implementation | undefined;

  connect(client: Client): void {
    this.#client = client;
  }

  introduce({clientCapabilities, clientInfo}: InitializeRequest): void {
    this.#capabilities = clientCapabilities ?? {};
    this.#info = clientInfo ?? undefined;
  }

  get capabilities(): ClientCapabilities {
    return this.#capabilities;
  }

  /** Whether it shows terminals that an agent fills: an extension of Zed that other editors have too. */
  get showsTerminals(): boolean {
    return this.#capabilities._meta?.['terminal_output'] === true;
  }

  /** Its name and version, in the letters of a header; `editor` when it does not say. */
  get name(): string {
    const {name = '', version = ''} = this.#info ?? {};
    const [shownName, shownVersion] = [name, version].map((one) => one.replaceAll(/[^\w.+-]+/g, '-').slice(0, 40));
    return [shownName || 'editor', ...(shownVersion ? [shownVersion] : [])].join('/');
  }

  /** Sends an update. Updates arrive in the order in which they are sent; an editor that has gone needs none. */
  update(sessionId: string, update: SessionUpdate): void {
    this.#client?.notify('session/update', {sessionId, update}).catch(() => undefined);
  }

  /** Rejects with the signal's reason, or when the editor has gone. */
  async askPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    return this.#request(signal, (client, options) => client.request('session/request_permission', request, options));
  }

  async elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    return this.#request(signal, (client, options) => client.request('elicitation/create', request, options));
  }

  async readText(request: ReadTextFileRequest, signal: AbortSignal): Promise<ReadTextFileResponse> {
    return this.#request(signal, (client, options) => client.request('fs/read_text_file', request, options));
  }

  async writeText(request: WriteTextFileRequest, signal: AbortSignal): Promise<void> {
    await this.#request(signal, (client, options) => client.request('fs/write_text_file', request, options));
  }

  async #request<T>(
    signal: AbortSignal,
    send: (client: Client, options: {cancellationSignal: AbortSignal; stopWaitingOnCancel: true}) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (!this.#client) throw new Error('There is no connection to an editor.');
    try {
      return await send(this.#client, {cancellationSignal: signal, stopWaitingOnCancel: true});
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }
}
