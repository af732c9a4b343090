import {randomUUID} from 'node:crypto';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileFault, makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import type {
  PushNotificationStore,
  ServerCallContext,
  StoredPushNotificationConfig,
  TaskPushNotificationConfig,
} from '#sdk';
import type {Sdk} from '../setup.js';
import {AddressRefused} from './judge-address.js';

/** Receivers of one task. */
const MOST = 10;
const ID = /^[\w.-]{1,64}$/;
/** What a header may hold. */
const HEADER = /^[\x20-\x7e]{0,4096}$/;

type Fields = Pick<TaskPushNotificationConfig, 'id' | 'token' | 'authentication'>;

interface Parts {
  readonly sdk: Pick<Sdk, 'TaskPushNotificationConfig' | 'RequestMalformedError'>;
  /** The folder of the caller. */
  folderOf(context: ServerCallContext): string;
  /** Throws AddressRefused. */
  judge(url: string, context: ServerCallContext): Promise<unknown>;
}

/** Who is notified of which task: a private file for each task, with the secrets of its receivers. */
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
    try {
      const kept = JSON.parse(await readText(this.#file(taskId, context))) as {config: object; wireVersion: string}[];
      const {TaskPushNotificationConfig: form} = this.parts.sdk;
      return kept.map(({config, wireVersion}) => ({config: form.fromJSON(config), wireVersion}));
    } catch (error) {
      // A file that was cut off with its machine has no receivers.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError || isFileFault(error))
        return [];
      throw error;
    }
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
      const file = this.#file(taskId, context);
      if (next.length === 0) return rm(file, {force: true});
      await makePrivateFolder(join(this.parts.folderOf(context), 'push'));
      const {TaskPushNotificationConfig: form} = this.parts.sdk;
      const kept = next.map(({config, wireVersion}) => ({config: form.toJSON(config), wireVersion}));
      await writeAtomically(file, JSON.stringify(kept));
    };
    await (this.#last = this.#last.then(act, act));
  }

  #file(taskId: string, context: ServerCallContext): string {
    if (!ID.test(taskId)) throw new this.parts.sdk.RequestMalformedError('A task has another form of id.');
    return join(this.parts.folderOf(context), 'push', `${taskId}.json`);
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
