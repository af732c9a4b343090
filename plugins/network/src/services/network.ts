import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-env/contract';
import {boundAnswer} from '../bound-answer.js';
import type {Network} from '../contract.js';
import {createSender, type Sender} from '../dispatcher.js';
import {explainFault} from '../explain-fault.js';
import {openTunnel} from '../tunnel.js';
import {findProxy, readProxies, showProxy, type Proxies} from '../proxies.js';

const senders = new WeakMap<Network, Promise<Sender>>();

/** How the programs of one place reach the network. */
export default provide('network', {
  version: '2.1.0',
  scope: 'place',
  capability: 'net',
  // Answers of `fetch`, its errors, and connections do not pass between processes.
  local: ['fetch', 'explain', 'tunnel'],
  methods: ['prepare', 'proxyFor'],
  create({service}): Network {
    let reading: Promise<Proxies> | undefined;
    const read = (): Promise<Proxies> =>
      (reading ??= service('variables').then((variables) => readProxies((name) => variables.get(name))));
    const prepare = (): Promise<Sender> => {
      const sender = senders.get(network) ?? read().then(createSender);
      senders.set(network, sender);
      return sender;
    };
    const network: Network = {
      prepare: async () => void (await prepare()),
      async fetch(input, init) {
        const {dispatcher} = await prepare();
        // `dispatcher` is an extension of Node that the type of a request does not have.
        return boundAnswer(await fetch(input, {...init, ...(dispatcher ? {dispatcher} : {})} as RequestInit));
      },
      async tunnel(url, signal) {
        const proxy = findProxy(url, await read());
        return proxy && openTunnel(url, proxy, signal);
      },
      async proxyFor(url) {
        const proxy = findProxy(url, await read());
        return proxy && showProxy(proxy);
      },
      explain: async (url, error) => explainFault(url, error, findProxy(url, await read())),
    };
    return network;
  },
  dispose: async (network) => (await senders.get(network)?.catch(() => undefined))?.close(),
});
