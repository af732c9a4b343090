import {isKernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-env/contract';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {findAccess, type Access, type AccessOutcome} from './access.js';
import type {Client} from './client.js';

/** An opened API client. */
export interface OpenApi {
  readonly access: Access;
  readonly host: string;
  readonly client: Client;
  /** Converts an error of the client; `isReading`: the answer had started. */
  explain(error: unknown, model: string, isReading: boolean): Promise<ModelFailure>;
}

/** Opens the API with the current settings and variables, which may change while the program runs. */
export class ApiOpener {
  #last: {readonly access: Access; readonly api: Promise<OpenApi>} | undefined;

  constructor(private readonly service: ServiceContext['service']) {}

  async find(): Promise<AccessOutcome> {
    const [settings, variables] = await Promise.all([this.service('settings'), this.service('variables')]);
    return findAccess({variable: (name) => variables.get(name), setting: (key) => settings.get(key)});
  }

  async open(): Promise<OpenApi | {readonly failure: ModelFailure}> {
    const found = await this.find();
    if ('failure' in found) return found;
    const {access} = found;
    if (JSON.stringify(this.#last?.access) !== JSON.stringify(access)) {
      const failure = await this.#prepareNetwork();
      if (failure) return {failure};
      this.#last = {access, api: this.#create(access)};
    }
    return this.#last?.api ?? this.#create(access);
  }

  async #prepareNetwork(): Promise<ModelFailure | undefined> {
    try {
      await (await this.service('network')).prepare();
      return undefined;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      return {
        kind: 'network',
        message: error.message,
        isFinal: true,
        ...(error.hint === undefined ? {} : {hint: error.hint}),
      };
    }
  }

  async #create(access: Access): Promise<OpenApi> {
    const {hostOf, openClient} = await import('./client.js');
    const host = hostOf(access);
    const explain: OpenApi['explain'] = async (error, model, isReading) => {
      const {explainError} = await import('./explain-error.js');
      return explainError(error, {access, host, model, isReading, network: await this.service('network')});
    };
    const network = await this.service('network');
    return {access, host, client: await openClient(access, (input, init) => network.fetch(input, init)), explain};
  }
}
