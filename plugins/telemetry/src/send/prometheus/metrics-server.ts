import {createServer, type Server} from 'node:http';
import {toText} from './to-text.js';
import type {MetricRecord} from '../../record/records.js';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** A page on another name could otherwise read it through a browser on this machine. */
const HOSTS = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Answers Prometheus on this machine alone. It keeps no program running. */
export async function serveMetrics(port: number, read: () => readonly MetricRecord[]): Promise<Server> {
  const server = createServer((request, response) => {
    if (!HOSTS.test(request.headers.host ?? '')) return void response.writeHead(403).end();
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, {allow: 'GET'}).end();
    response.writeHead(200, {'content-type': TYPE}).end(toText(read()));
  });
  server.unref();
  server.on('connection', (socket) => socket.unref());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
