import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-env/contract';
import {boundAnswer} from '../bound-answer.js';
import type {Network} from '../contract.js';
import {useProxies} from '../dispatcher.js';
import {explainFault} from '../explain-fault.js';
import {findProxy, readProxies, showProxy, type Proxies} from '../proxies.js';

const undoing = new WeakMap<Network, () => Promise<void>>();

/** How this program reaches the network. */
export default provide('network', {
  version: '1.0.0',
  scope: 'place',
  capability: 'net',
  create({service}): Network {
    let reading: Promise<Proxies> | undefined;
    const read = (): Promise<Proxies> =>
      (reading ??= service('variables').then((variables) => readProxies((name) => variables.get(name))));
    let preparing: Promise<void> | undefined;
    const network: Network = {
      prepare: () =>
        (preparing ??= read().then(async (proxies) => void undoing.set(network, await useProxies(proxies)))),
      async proxyFor(url) {
        const proxy = findProxy(url, await read());
        return proxy && showProxy(proxy);
      },
      bound: (answer) => boundAnswer(answer),
      explain: async (url, error) => explainFault(url, error, findProxy(url, await read())),
    };
    return network;
  },
  dispose: async (network) => undoing.get(network)?.(),
});
