import {lookup} from 'node:dns/promises';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {TaskStorage} from '../../contract.js';
import type {Grant} from '../../tokens/tokens.js';
import type {Setup} from '../setup.js';
import {GRANT} from '../task-runs.js';
import type {ServerCallContext} from '#sdk';
import {judgeAddress, type NotifyRules} from './judge-address.js';
import {PushConfigs} from './push-configs.js';
import {PushSender} from './push-sender.js';

/** What notifies receivers of what happens in tasks. */
export interface Notifier {
  readonly configs: PushConfigs;
  readonly sender: PushSender;
  /** Delivers what is still to be delivered. */
  close(): Promise<void>;
}

/** Makes the notifier of one server. Nothing is opened before there is something to send. */
export function createNotifier(setup: Setup, storage: TaskStorage): Notifier {
  const {sdk, kernel} = setup;
  let opened: ReturnType<typeof kernel.open> | undefined;
  const rulesOf = ({state}: ServerCallContext): NotifyRules => ({
    resolve: (name) => lookup(name, {all: true}),
    hosts: (state.get(GRANT) as Grant | undefined)?.notify ?? [],
  });
  const judge = (url: string, context: ServerCallContext) => judgeAddress(url, rulesOf(context));
  const configs = new PushConfigs({sdk, storage, judge});
  const throughProxy = async (url: string, init: RequestInit): Promise<number | undefined> => {
    const network = await (opened ??= kernel.open({interactive: false})).service('network');
    if ((await network.proxyFor(url)) === undefined) return undefined;
    const {status, body} = await network.fetch(url, init);
    await body?.cancel();
    return status;
  };
  const sender = new PushSender({setup, configs, rulesOf, throughProxy});
  const close = async (): Promise<void> => {
    await sender.close();
    await opened?.close();
  };
  return {configs, sender, close};
}
