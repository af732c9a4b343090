import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import {createServer as createConnections, type AddressInfo} from 'node:net';
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
  'echo.js': `
    const {randomBytes} = require('crypto');
    const [port, count, size] = process.argv.slice(2).map(Number);
    const one = () => new Promise((resolve) => {
      const sent = randomBytes(size);
      const received = [];
      const socket = require('net').connect({port: 3128, host: '127.0.0.1', allowHalfOpen: true});
      socket.write('CONNECT localhost:' + port + ' HTTP/1.1\\r\\n\\r\\n');
      setTimeout(() => socket.end(sent), size % 7 * 30);
      socket.on('data', (data) => received.push(data));
      socket.on('error', (error) => resolve(error.code));
      socket.on('end', () => resolve(Buffer.concat(received).subarray(-size).equals(sent) ? 'same' : 'other'));
    });
    Promise.all(Array.from({length: count}, one)).then((all) => console.log(count, [...new Set(all)].join()));`,
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

  testConfined('carries much, both ways at once, until both sides have ended [sandbox.network]', async () => {
    const server = createConnections({allowHalfOpen: true}, (socket) => socket.pipe(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const {port} = server.address() as AddressInfo;
    try {
      const settings = {tools: {sandboxAllowedHosts: [`localhost:${port}`]}};
      await using kernel = await openSandbox({files, homeFiles: {'.gemini/settings.json': JSON.stringify(settings)}});
      expect(await output(kernel, `node echo.js ${port} 60 1000`)).toBe('Output: 60 same');
      expect(await output(kernel, `node echo.js ${port} 4 9000000`)).toBe('Output: 4 same');
      // A connection that is closed on one side takes no process with it, nor does one that is broken.
      expect(await output(kernel, `node echo.js 1 20 10; node echo.js ${port} 20 10`)).toMatch(/20 other\n20 same$/m);
    } finally {
      server.close();
    }
  });

  testConfined('is no child of the command, and holds none of its outputs open [sandbox.network]', async () => {
    const settings = {tools: {sandboxAllowedHosts: ['public.example']}};
    await using kernel = await openSandbox({homeFiles: {'.gemini/settings.json': JSON.stringify(settings)}});
    expect(await output(kernel, "exec perl -e '1 while wait() >= 0; print qq(alone)'")).toBe('Output: alone');
    // The one that listens is the first but for that of the sandbox itself.
    const relay = 'for p in 2 3 4 5 6; do grep -qs ^/run/gemini-start /proc/$p/cmdline && ls -l /proc/$p/fd; done';
    const held = (await output(kernel, relay)).split('\n').filter((line) => line.includes('->'));
    // What watches the command holds that and nothing else.
    expect(held.filter((line) => !/\/dev\/null$|anon_inode:(?:\[pidfd\]|seccomp notify)$/.test(line))).toEqual([
      expect.stringMatching(/-> socket:\[\d+\]$/),
    ]);
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
