import {EventEmitter, once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {isKernelError} from '@gemini-kernel/kernel';
import type {Counts} from '@gemini-kernel/plugin-fleet/contract';
import {LocalQueues} from '#plugins/fleet/dist/queue/local-queues.js';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import type {AgentPlace} from '../../helpers/run-agent.js';

/** The engine of queues of this product, for several processes: a plugin in each of them asks this one. */
export interface SharedQueue extends AsyncDisposable {
  readonly address: string;
  readonly engine: LocalQueues;
  readonly folder: string;
  counts(): Promise<Counts>;
  /** Waits until the counts are so, as they are after a call of some process. */
  until(isSo: (counts: Counts) => boolean): Promise<void>;
}

const METHODS = ['put', 'claim', 'beat', 'finish', 'fail', 'cancel', 'retry', 'set', 'list', 'counts', 'close'];

const CODE = `import {KernelError, provide} from '@gemini-kernel/kernel';
const call = (method) => async (address, ...args) => {
  const url = address.replace('proxy:', 'http:');
  const answer = await (await fetch(url, {method: 'POST', body: JSON.stringify({method, args})})).json();
  if (answer.error) throw new KernelError(answer.error.code, answer.error.message);
  return answer.value;
};
const methods = ${JSON.stringify(METHODS)};
export default provide('queue:proxy', {version: '1.0.0', scope: 'place', methods,
  create: () => Object.fromEntries(methods.map((method) => [method, call(method)]))});
`;

/** Starts one on loopback, and installs its plugin for the person of a place. */
export async function openSharedQueue(place: AgentPlace): Promise<SharedQueue> {
  const folder = await makeFolder();
  const stop = new AbortController();
  const engine = new LocalQueues(stop.signal);
  const queue = join(folder.path, 'queue');
  const calls = new EventEmitter();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const {method, args} = JSON.parse(Buffer.concat(parts).toString()) as {method: 'counts'; args: []};
      void engine[method](queue, ...args)
        .finally(() => calls.emit('call'))
        .then(
          (value: unknown) => response.end(JSON.stringify({value: value ?? null})),
          (error: unknown) => {
            const {message} = error as Error;
            response.end(
              JSON.stringify({error: {code: isKernelError(error) ? error.code : 'QUEUE_UNREACHABLE', message}}),
            );
          },
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {root} = await makePlugin(folder.path, {
    name: 'gemini-plugin-proxy-queue',
    services: [{name: 'queue:proxy', version: '1.0.0', scope: 'place', methods: METHODS, module: './dist/queue.js'}],
    files: {'dist/queue.js': CODE, 'oclif.manifest.json': '{"version": "1.0.0", "commands": {}}'},
  });
  const linked = await place.run(['plugins', 'link', root, '--yes', '--no-install']);
  if (linked.code !== 0) throw new Error(linked.stderr);
  return {
    address: `proxy://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{engine, folder: queue},
    counts: () => engine.counts(queue),
    async until(isSo) {
      for (;;) {
        const called = once(calls, 'call');
        const counts = await engine.counts(queue).catch(() => undefined);
        if (counts && isSo(counts)) return;
        await called;
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await engine.closeAll();
      server.closeAllConnections();
      server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
