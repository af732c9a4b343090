import {createSocket} from 'node:dgram';
import {Resolver} from 'node:dns/promises';
import {once} from 'node:events';

export interface DnsServer extends AsyncDisposable {
  /** Asks this server, as the system would ask its own. */
  resolve(name: string): Promise<readonly {address: string; family: number}[]>;
  /** How often it was asked. */
  readonly asked: readonly string[];
}

/** A DNS server on loopback that gives the next list of addresses at each question. */
export async function startDnsServer(answers: readonly (readonly string[])[]): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const {name, end} = readName(query, 12);
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    socket.send(answer(query, end, addresses), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({timeout: 2000, tries: 1});
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked,
    resolve: async (name) => (await resolver.resolve4(name)).map((address) => ({address, family: 4})),
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readName(message: Buffer, start: number): {readonly name: string; readonly end: number} {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return {name: labels.join('.'), end: at + 5};
}

function answer(query: Buffer, end: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}
