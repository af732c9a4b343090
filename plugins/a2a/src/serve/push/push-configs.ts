import {randomUUID} from 'node:crypto';
import type {
  PushNotificationStore,
  ServerCallContext,
  StoredPushNotificationConfig,
  TaskPushNotificationConfig,
} from '#sdk';
import type {TaskKey, TaskStorage} from '../../contract.js';
import {keyOf} from '../kept-tasks.js';
import type {Sdk} from '../setup.js';
import {AddressRefused} from './judge-address.js';

/** Receivers of one task. */
const MOST = 10;
const ID = /^[\w.-]{1,64}$/;
const TASK = /^[\w-]{1,64}$/;
/** What a header may hold. */
const HEADER = /^[\x20-\x7e]{0,4096}$/;

type Fields = Pick<TaskPushNotificationConfig, 'id' | 'token' | 'authentication'>;

interface Parts {
  readonly sdk: Pick<Sdk, 'TaskPushNotificationConfig' | 'RequestMalformedError'>;
  readonly storage: TaskStorage;
  /** Throws AddressRefused. */
  judge(url: string, context: ServerCallContext): Promise<unknown>;
}

/** Who is notified of which task, with the secrets of its receivers. */
export class PushConfigs implements PushNotificationStore {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  /** Throws an error of the protocol for a receiver that cannot be used. */
  async save(taskId: string, context: ServerCallContext, config: TaskPushNotificationConfig): Promise<void> {
    const {RequestMalformedError} = this.parts.sdk;
    if (config.id === '') config.id = randomUUID();
    const fault = findFault(config);
    if (fault !== undefined) throw new RequestMalformedError(fault);
    await this.parts.judge(config.url, context).catch((cause: unknown) => {
      throw cause instanceof AddressRefused ? new RequestMalformedError(cause.message) : cause;
    });
    await this.#change(taskId, context, (kept) => {
      const others = kept.filter(({config: {id}}) => id !== config.id);
      if (others.length >= MOST) throw new RequestMalformedError(`A task has at most ${MOST} receivers.`);
      return [...others, {config, wireVersion: context.requestedVersion}];
    });
  }

  async load(taskId: string, context: ServerCallContext): Promise<TaskPushNotificationConfig[]> {
    return (await this.loadWithMetadata(taskId, context)).map(({config}) => config);
  }

  async loadWithMetadata(taskId: string, context: ServerCallContext): Promise<StoredPushNotificationConfig[]> {
    const kept = (await this.parts.storage.get(this.#keyOf(taskId, context))) as
      readonly {config: object; wireVersion: string}[] | undefined;
    const {TaskPushNotificationConfig: form} = this.parts.sdk;
    return (kept ?? []).map(({config, wireVersion}) => ({config: form.fromJSON(config), wireVersion}));
  }

  async delete(taskId: string, context: ServerCallContext, id?: string): Promise<void> {
    await this.#change(taskId, context, (kept) => kept.filter(({config}) => id !== undefined && config.id !== id));
  }

  /** One change after the other, so that none is lost. */
  async #change(
    taskId: string,
    context: ServerCallContext,
    change: (kept: readonly StoredPushNotificationConfig[]) => readonly StoredPushNotificationConfig[],
  ): Promise<void> {
    const act = async (): Promise<void> => {
      const next = change(await this.loadWithMetadata(taskId, context));
      const {storage, sdk} = this.parts;
      const key = this.#keyOf(taskId, context);
      if (next.length === 0) return storage.remove(key);
      const {TaskPushNotificationConfig: form} = sdk;
      const kept = next.map(({config, wireVersion}) => ({config: form.toJSON(config), wireVersion}));
      await storage.put(key, kept, {durable: true});
    };
    await (this.#last = this.#last.then(act, act));
  }

  #keyOf(taskId: string, context: ServerCallContext): TaskKey {
    if (!TASK.test(taskId)) throw new this.parts.sdk.RequestMalformedError('A task has another form of id.');
    return {...keyOf(taskId, context), kind: 'receivers'};
  }
}

function findFault({id, token, authentication}: Fields): string | undefined {
  if (!ID.test(id)) return 'The id of a receiver has 1 to 64 letters, digits, dots, lines and underscores.';
  if (!HEADER.test(token)) return 'The token of a receiver must be printable ASCII of at most 4096 characters.';
  if (authentication === undefined) return undefined;
  if (!/^[\w-]{1,64}$/.test(authentication.scheme)) return 'The authentication of a receiver needs a scheme.';
  return HEADER.test(authentication.credentials)
    ? undefined
    : 'The credentials of a receiver must be printable ASCII of at most 4096 characters.';
}
