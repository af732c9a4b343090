import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, test} from '@jest/globals';
import {isInner, isNamed, readHostRule} from '#plugins/sandbox/dist/exit/host-rules.js';
import {openSandbox, output, testConfined} from './open-sandbox.js';

async function serve(): Promise<{readonly server: Server; readonly port: number}> {
  const server = createServer((request, response) => response.end(`${request.url} ${request.headers['connection']}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {server, port: (server.address() as AddressInfo).port};
}

/** Programs that confined commands run: one asks for a URL, the others open a tunnel and send a request through it. */
const files = {
  'ask.js': `
    const request = require('http').get({host: '127.0.0.1', port: 3128, path: process.argv[2]});
    request.on('response', (response) => response.on('data', (data) => console.log(response.statusCode, String(data).trim())));
    request.on('error', (error) => console.log(error.code));`,
  'connect.js': `
    const socket = require('net').connect(3128, '127.0.0.1');
    socket.write('CONNECT localhost:' + process.argv[2] + ' HTTP/1.1\\r\\n\\r\\nGET /through HTTP/1.0\\r\\n\\r\\n');
    require('./report.js')(socket);`,
  'socks.js': `
    const socket = require('net').connect(3128, '127.0.0.1');
    const [port, name] = [Number(process.argv[2]), 'localhost'];
    socket.write(Buffer.from([5, 1, 0]));
    socket.write(Buffer.from([5, 1, 0, 3, name.length, ...Buffer.from(name), port >> 8, port & 255]));
    socket.write('GET /through HTTP/1.0\\r\\n\\r\\n');
    require('./report.js')(socket);`,
  'report.js': `
    module.exports = (socket) => {
      let text = '';
      socket.on('data', (data) => { text += data.toString('latin1'); });
      socket.on('close', () => console.log(text.includes('/through') ? 'reached' : 'refused'));
    };`,
};

describe('the way out of the sandbox', () => {
  testConfined('leads to the hosts that are granted, and to no other [sandbox.network]', async () => {
    const {server, port} = await serve();
    try {
      const settings = {tools: {sandboxAllowedHosts: [`localhost:${port}`, 'public.example']}};
      await using kernel = await openSandbox({files, homeFiles: {'.gemini/settings.json': JSON.stringify(settings)}});
      const ask = (url: string): Promise<string> => output(kernel, `node ask.js '${url}'`);
      expect(await ask(`http://localhost:${port}/a?b`)).toBe('Output: 200 /a?b close');
      expect(await ask('http://other.example/')).toMatch(
        /^Output: 403 gemini: other\.example:80 was not reached: nothing grants this host to commands\.$/m,
      );
      expect(await ask(`http://127.0.0.1:${port}/`)).toContain('nothing grants this host');
      expect(await ask(`http://localhost:${port + 1}/`)).toContain('nothing grants this host');
      for (const program of ['connect.js', 'socks.js']) {
        expect(await output(kernel, `node ${program} ${port}`)).toBe('Output: reached');
        expect(await output(kernel, `node ${program} 1`)).toMatch(/^Output: refused$/m);
      }
    } finally {
      server.close();
    }
  });

  testConfined('keeps the exit code, the input and the signals of a command [sandbox.network]', async () => {
    const settings = {tools: {sandboxAllowedHosts: ['public.example']}};
    await using kernel = await openSandbox({homeFiles: {'.gemini/settings.json': JSON.stringify(settings)}});
    expect(await output(kernel, 'echo $HTTPS_PROXY; exit 4')).toBe('Output: http://127.0.0.1:3128\nExit Code: 4');
    expect(await output(kernel, 'kill -TERM $$')).toMatch(/Signal: 15|Exit Code: 143/);
  });

  testConfined('refuses a grant that is not a host [sandbox.network]', async () => {
    const settings = {tools: {sandboxAllowedHosts: ['http://x/y']}};
    await using kernel = await openSandbox({homeFiles: {'.gemini/settings.json': JSON.stringify(settings)}});
    const outcome = await kernel.call('run_shell_command', {command: 'true'});
    expect(outcome).toMatchObject({status: 'failed', error: {code: 'SANDBOX_GRANT_INVALID'}});
  });
});

describe('a rule about hosts [sandbox.network]', () => {
  test.each([
    ['example.com', 'example.com', 443, true],
    ['example.com', 'EXAMPLE.com.', 80, true],
    ['example.com', 'example.com', 22, false],
    ['example.com:22', 'example.com', 22, true],
    ['example.com:22', 'example.com', 443, false],
    ['example.com', 'a.example.com', 443, false],
    ['*.example.com', 'a.b.example.com', 443, true],
    ['*.example.com', 'example.com', 443, false],
    ['*.example.com', 'badexample.com', 443, false],
    ['[::1]:80', '::1', 80, true],
    ['::1', '::1', 443, true],
  ])('%s for %s:%d is %s', (text, host, port, expected) => {
    const rule = readHostRule(text);
    expect(rule && isNamed([rule], host, port)).toBe(expected);
  });

  test.each(['', '*', 'a b', 'http://a', 'a/b', 'a:99999', '*.*', 'a*b', '[x'])('"%s" is not one', (text) => {
    expect(readHostRule(text)).toBeUndefined();
  });

  test('tells addresses that are not public', () => {
    const inner = [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '192.168.1.1',
      '172.31.0.1',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
    ];
    const further = [
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'name',
    ];
    const reserved = ['64:ff9b:1::1', '100::1', '3fff::1', '2001:10::1', '4000::1', '::2', 'fe00::1'];
    expect([...inner, ...further, ...reserved].filter((address) => !isInner(address))).toEqual([]);
    expect(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111'].filter(isInner)).toEqual([]);
  });
});
