import type {PushNotificationSender, ServerCallContext, StoredPushNotificationConfig, StreamResponse, Task} from '#sdk';
import type {Setup} from '../setup.js';
import {Deliveries} from './deliveries.js';
import {judgeAddress, type NotifyRules, type Resolved} from './judge-address.js';
import {post} from './post.js';
import type {PushConfigs} from './push-configs.js';

/** How long the server waits at its end for what is still to be delivered. */
const LAST_MS = 8000;

interface Parts {
  readonly setup: Pick<Setup, 'sdk' | 'log'>;
  readonly configs: Pick<PushConfigs, 'loadWithMetadata'>;
  rulesOf(context: ServerCallContext): NotifyRules;
  /** Sends through the proxy of the server; undefined where there is none for the address. */
  throughProxy(url: string, init: RequestInit): Promise<number | undefined>;
}

/** Tells the receivers of a task what happens in it. */
export class PushSender implements PushNotificationSender {
  readonly #deliveries: Deliveries;
  /** Tasks whose end the server waits for. */
  readonly #awaited = new Map<string, () => void>();
  /** Events find their receivers in the order in which they came. */
  readonly #orders = new Map<string, Promise<void>>();

  constructor(private readonly parts: Parts) {
    this.#deliveries = new Deliveries(parts.setup.log);
  }

  send(event: StreamResponse, context: ServerCallContext, task?: Task): Promise<void> {
    const id = taskOf(event);
    if (id === '') return Promise.resolve();
    const act = (): Promise<void> => this.#queue(id, {event, context, task: task && structuredClone(task)});
    const before = this.#orders.get(id) ?? Promise.resolve();
    const now = before.then(act, act);
    this.#orders.set(id, now);
    return now.finally(() => {
      if (this.#orders.get(id) === now) this.#orders.delete(id);
    });
  }

  /** Resolves once the end of a task has come here. */
  ending(task: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(task, resolve));
  }

  close(): Promise<void> {
    return this.#deliveries.close(LAST_MS);
  }

  async #queue(
    id: string,
    {event, context, task}: {event: StreamResponse; context: ServerCallContext; task?: Task | undefined},
  ) {
    const isLast = this.#isLast(event);
    for (const {config, wireVersion} of await this.parts.configs.loadWithMetadata(id, context)) {
      const serialized = this.#serializerOf(wireVersion).serialize(event, task);
      this.#deliveries.add(`${config.url} (task ${id}, ${config.id})`, {
        isLast,
        send: (signal) => this.#post({config, context, ...serialized, signal}),
      });
    }
    if (isLast) this.#awaited.get(id)?.();
  }

  /** The name of a host is looked up for each request; where it leads, is judged, and is where the request goes. */
  async #post({config, context, body, contentType, signal}: Sending): Promise<number> {
    const {url, token, authentication} = config;
    const addresses: readonly Resolved[] = await judgeAddress(url, this.parts.rulesOf(context));
    const headers = {
      'content-type': contentType,
      ...(token === '' ? {} : {'X-A2A-Notification-Token': token}),
      ...(authentication ? {authorization: `${authentication.scheme} ${authentication.credentials}`} : {}),
    };
    const proxied = await this.parts.throughProxy(url, {method: 'POST', headers, body, redirect: 'manual', signal});
    return proxied ?? post({url, addresses, headers, body, signal});
  }

  #serializerOf(version: string) {
    const {V03PushNotificationSerializer, V1PushNotificationSerializer} = this.parts.setup.sdk;
    return version.startsWith('0.') ? new V03PushNotificationSerializer() : new V1PushNotificationSerializer();
  }

  #isLast({payload}: StreamResponse): boolean {
    const {TaskState: states} = this.parts.setup.sdk;
    if (payload?.$case !== 'statusUpdate') return false;
    const ends = [states.TASK_STATE_COMPLETED, states.TASK_STATE_CANCELED, states.TASK_STATE_FAILED];
    return [...ends, states.TASK_STATE_REJECTED].some((one) => one === payload.value.status?.state);
  }
}

interface Sending extends Pick<StoredPushNotificationConfig, 'config'> {
  readonly context: ServerCallContext;
  readonly body: string;
  readonly contentType: string;
  readonly signal: AbortSignal;
}

function taskOf({payload}: StreamResponse): string {
  if (!payload) return '';
  return payload.$case === 'task' ? payload.value.id : payload.value.taskId;
}
