import {spawn} from 'node:child_process';
import {createServer, type ServerResponse} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-ide/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {startBridge} from './bridge.js';
import {startKit} from './companion-kit.js';

const script = () => ({pieces: [{kind: 'text', text: 'Yes.'} as const]});

/** Waits until something is so. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const started = Date.now(); !(await isSo()); await new Promise(setImmediate))
    if (Date.now() - started > 15_000) throw new Error('It did not come so far.');
}

test(
  'a companion that is restarted, at another port and with another token, is found again automatically ' +
    '[ide.reconnect]',
  async () => {
    await using bridge = await startBridge({script});
    const before = await bridge.ide.status();
    await bridge.companion.close();
    await until(async () => (await bridge.ide.status()).state !== 'connected');
    expect((await bridge.ide.status()).fault).toMatchObject({
      reason: 'lost',
      message: 'The connection to Test Editor broke: its event stream has ended.',
    });
    await using again = await startKit({
      temporary: bridge.temporary,
      roots: [bridge.kernel.project],
      ide: {name: 'testeditor', displayName: 'Test Editor'},
    });
    await until(async () => (await bridge.ide.status()).state === 'connected');
    const {editor} = await bridge.ide.status();
    expect([editor?.endpoint, before.editor?.endpoint.kind]).toEqual([
      {kind: 'http', port: again.port, token: again.token},
      'http',
    ]);
  },
);

test('the folders of the editor join the workspace [ide.roots]', async () => {
  await using folder = await makeFolder();
  await using other = await makeFolder();
  await using companion = await startKit({temporary: folder.path, roots: ['/tmp', '/no such folder', other.path]});
  await using kernel = await createTestKernel({
    plugins: [
      'settings',
      'trust',
      'workspace',
      'agent',
      'env',
      'network',
      'policy',
      'filesystem',
      'model-gemini',
      'ide',
    ].map(pluginRoot),
    live: true,
    temporary: folder.path,
    homeFiles: {'.gemini/settings.json': JSON.stringify({ide: {enabled: true}})},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  });
  expect(kernel.kernel.catalog.refused).toEqual([]);
  const workspace = await kernel.service('workspace');
  await until(async () => (await workspace.roots()).some(({source}) => source === 'editor'));
  expect((await workspace.roots()).map(({path, source}) => [source, path])).toEqual([
    ['cwd', kernel.project],
    ['editor', other.path],
  ]);
  expect(companion.port).toBeGreaterThan(0);
});

test('an editor that is connected with later, by a command, brings its folders with the next prompt [ide.roots]', async () => {
  await using other = await makeFolder();
  await using bridge = await startBridge({script, enabled: false, roots: ['/tmp', other.path]});
  const workspace = await bridge.kernel.service('workspace');
  const editorRoots = async () =>
    (await workspace.roots()).filter(({source}) => source === 'editor').map(({path}) => path);
  expect(await bridge.ide.connect({anyway: true})).toMatchObject({state: 'connected'});
  expect(await editorRoots()).toEqual([]);
  await bridge.send('hello');
  expect(await editorRoots()).toEqual([other.path]);
});

test.each([
  [false, {trusted: false, source: 'doubt', reason: 'Test Editor does not trust this folder.'}],
  [true, {trusted: false, source: 'none'}],
])(
  'an editor that says of its folders that they are trusted: %s, can only take trust away [ide.trust]',
  async (isTrusted, expected) => {
    await using bridge = await startBridge({
      script,
      isTrusted,
      settings: isTrusted ? {} : {security: {folderTrust: {enabled: false}}},
      variables: {GEMINI_CLI_TRUST_WORKSPACE: ''},
      confirm: 'no',
    });
    expect(await (await bridge.kernel.service('trust')).state()).toMatchObject(expected);
  },
);

test('trust that the editor takes away later counts from then on, and the person sees a notice [ide.trust]', async () => {
  await using bridge = await startBridge({
    script,
    isTrusted: true,
    settings: {security: {folderTrust: {enabled: false}}},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: ''},
    confirm: 'no',
  });
  const trust = await bridge.kernel.service('trust');
  expect((await trust.state()).trusted).toBe(true);
  bridge.companion.update({isTrusted: false});
  await until(async () => !(await trust.state()).trusted);
  await until(() => bridge.kernel.warnings.length > 0);
  expect(bridge.kernel.warnings).toEqual([
    'Test Editor does not trust this folder. What the project has already contributed stays until you restart gemini.',
  ]);
});

/** Writes a discovery file for a port, as a companion would. */
async function announce(temporary: string, rest: object): Promise<void> {
  const [name = ''] = await readdir(join(temporary, 'gemini', 'ide'));
  await writeFile(
    join(temporary, 'gemini', 'ide', name),
    JSON.stringify({workspacePath: '/tmp', authToken: 'x', ideInfo: {name: 'other', displayName: 'Other'}, ...rest}),
  );
}

test.each([
  [
    'a port that another program uses',
    (answer: {end(text: string): void; writeHead(code: number): void}) => {
      answer.writeHead(200);
      answer.end('<html>hello</html>');
    },
    'no-answer',
  ],
  [
    'a program that has nothing at /mcp',
    (answer: {end(text: string): void; writeHead(code: number): void}) => {
      answer.writeHead(404);
      answer.end('');
    },
    'version-skew',
  ],
  [
    'a port that answers with an invalid status',
    (answer: {end(text: string): void; writeHead(code: number): void}) => {
      answer.writeHead(999);
      answer.end('');
    },
    'no-answer',
  ],
  [
    'a token that was changed',
    (answer: {end(text: string): void; writeHead(code: number): void}) => {
      answer.writeHead(401);
      answer.end('');
    },
    'token-rejected',
  ],
])('%s has its own reason [ide.reasons]', async (_, respond, reason) => {
  const server = createServer((__, answer) => respond(answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await using bridge = await startBridge({script, enabled: false});
    await announce(bridge.temporary, {port: (server.address() as AddressInfo).port});
    expect((await bridge.ide.connect({anyway: true})).fault?.reason).toBe(reason);
    await announce(bridge.temporary, {port: 1});
    expect((await bridge.ide.connect({anyway: true})).fault?.reason).toBe('port-refused');
  } finally {
    server.close();
  }
});

test(
  'of two windows that have this folder open the one that opened this terminal is taken, and the other when that is ' +
    'gone [ide.windows]',
  async () => {
    await using folder = await makeFolder();
    await using first = await startKit({
      temporary: folder.path,
      roots: ['/tmp'],
      pid: process.pid,
      ide: {name: 'first', displayName: 'First'},
    });
    await using second = await startKit({
      temporary: folder.path,
      roots: ['/tmp'],
      pid: process.ppid,
      ide: {name: 'second', displayName: 'Second'},
    });
    const kernelOf = (port: number) =>
      createTestKernel({
        plugins: [
          'settings',
          'trust',
          'workspace',
          'agent',
          'env',
          'network',
          'policy',
          'filesystem',
          'model-gemini',
          'ide',
        ].map(pluginRoot),
        temporary: folder.path,
        variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_IDE_SERVER_PORT: String(port)},
      });
    for (const {port} of [first, second]) {
      await using kernel = await kernelOf(port);
      expect((await (await kernel.service('ide')).connect({anyway: true})).editor?.endpoint).toMatchObject({port});
    }
    await second.close();
    await using kernel = await kernelOf(second.port);
    expect((await (await kernel.service('ide')).connect({anyway: true})).editor?.endpoint).toMatchObject({
      port: first.port,
    });
  },
);

test(
  'an editor that changes its mind about trust a thousand times is heard, and the person sees each notice once ' +
    '[ide.trust]',
  async () => {
    await using bridge = await startBridge({
      script,
      isTrusted: true,
      settings: {security: {folderTrust: {enabled: false}}},
      variables: {GEMINI_CLI_TRUST_WORKSPACE: ''},
      confirm: 'no',
    });
    const trust = await bridge.kernel.service('trust');
    for (let round = 0; round < 8; round += 1) {
      bridge.companion.update({isTrusted: round % 2 === 1});
      await until(async () => (await bridge.ide.status()).isTrusted === (round % 2 === 1));
    }
    bridge.companion.update({isTrusted: false});
    await until(async () => !(await trust.state()).trusted);
    expect([
      bridge.kernel.warnings.length <= 2,
      new Set(bridge.kernel.warnings).size === bridge.kernel.warnings.length,
    ]).toEqual([true, true]);
  },
);

/** A companion by hand that does with its stream of news what a test wants. */
async function startOdd(
  onStream: (stream: ServerResponse) => void,
  forgets = false,
): Promise<{readonly port: number; readonly sessions: () => number; close(): void}> {
  let sessions = 0;
  const server = createServer((asked, answer) => {
    if (asked.method === 'GET') {
      answer.writeHead(200, {'content-type': 'text/event-stream'});
      answer.flushHeaders();
      onStream(answer);
      return;
    }
    let body = '';
    asked
      .setEncoding('utf8')
      .on('data', (text: string) => (body += text))
      .on('end', () => {
        const {id, method} = JSON.parse(body || '{}') as {id?: number; method?: string};
        if (method === 'initialize') sessions += 1;
        if (forgets && method === 'tools/call') return answer.writeHead(404).end();
        const result =
          method === 'initialize'
            ? {
                protocolVersion: '2025-06-18',
                capabilities: {tools: {}},
                serverInfo: {name: 'odd\u001b]0;title\u0007', version: '1'},
              }
            : {tools: []};
        answer.writeHead(id === undefined || method === undefined ? 202 : 200, {
          'content-type': 'application/json',
          'mcp-session-id': String(sessions),
        });
        return answer.end(id === undefined || method === undefined ? '' : JSON.stringify({jsonrpc: '2.0', id, result}));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sessions: () => sessions,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

/** Connects with one, in the place of the kit's. */
async function connectOdd(bridge: Awaited<ReturnType<typeof startBridge>>, port: number) {
  await announce(bridge.temporary, {port});
  return bridge.ide.connect({anyway: true});
}

test('a companion whose stream ends again and again is asked less and less often [ide.reconnect]', async () => {
  await using bridge = await startBridge({script, enabled: true, settings: {ide: {enabled: true}}});
  await bridge.ide.disconnect();
  const odd = await startOdd((stream) => stream.end());
  try {
    await connectOdd(bridge, odd.port);
    const started = performance.now();
    await until(() => odd.sessions() >= 4);
    // 250, 500 and 1000 ms lie between them.
    expect(performance.now() - started).toBeGreaterThan(1500);
  } finally {
    odd.close();
  }
});

test.each([
  [
    'sends a line without end',
    (stream: ServerResponse) => {
      const chunk = 'x'.repeat(1024 * 1024);
      const more = (): void => {
        while (!stream.destroyed && stream.write(chunk));
        if (!stream.destroyed) stream.once('drain', more);
      };
      more();
    },
  ],
  [
    'sends too many requests',
    (stream: ServerResponse) => {
      for (let id = 0; id < 1500; id += 1)
        stream.write(`data: ${JSON.stringify({jsonrpc: '2.0', id: `p${id}`, method: 'ping'})}\n\n`);
    },
  ],
])('a companion that %s is left [ide.flood]', async (_, onStream) => {
  await using bridge = await startBridge({script, enabled: false});
  const odd = await startOdd(onStream);
  try {
    await connectOdd(bridge, odd.port);
    await until(async () => (await bridge.ide.status()).state !== 'connected');
    expect((await bridge.ide.status()).fault?.reason).toMatch(/lost|disabled|no-answer/);
  } finally {
    odd.close();
  }
});

test('of unreadable messages of a companion nothing is kept, and readable ones count [ide.garbage]', async () => {
  await using bridge = await startBridge({script, enabled: false, files: {'a.txt': ''}});
  const path = join(bridge.kernel.project, 'a.txt');
  const update = (openFiles: unknown): object => ({
    jsonrpc: '2.0',
    method: 'ide/contextUpdate',
    params: {workspaceState: {openFiles}},
  });
  const odd = await startOdd((stream) => {
    const garbage: unknown[] = [
      5,
      [],
      {jsonrpc: '2.0', method: 'ide/contextUpdate'},
      update('none'),
      update([null, {path: 5, timestamp: 1}, {path: '', timestamp: 1}, {path, timestamp: 'now'}]),
      {jsonrpc: '2.0', method: 'ide/diffAccepted', params: {content: 7}},
      {jsonrpc: '2.0', method: 'ide/diffRejected'},
      {jsonrpc: '2.0', id: 9999, result: {}},
      {jsonrpc: '2.0', method: 'unheard/of', params: []},
    ];
    stream.write('data: {not json\n\nnonsense without a colon\n\n: comment\n\nid: \u0000\n\n');
    for (const one of garbage) stream.write(`data: ${JSON.stringify(one)}\n\n`);
    stream.write(`event: message\ndata: ${JSON.stringify(update([{path, timestamp: 1}, 7]))}\n\n`);
  });
  try {
    expect(await connectOdd(bridge, odd.port)).toMatchObject({state: 'connected'});
    await until(async () => (await bridge.ide.openFiles()).length > 0);
    expect([await bridge.ide.openFiles(), bridge.kernel.warnings]).toEqual([[{path, timestamp: 1}], []]);
  } finally {
    odd.close();
  }
});

test('of 10,000 updates a second the last one counts, and nothing else waits for them [ide.flood]', async () => {
  await using bridge = await startBridge({script, enabled: false, files: {'a.txt': ''}});
  const path = join(bridge.kernel.project, 'a.txt');
  const odd = await startOdd((stream) => {
    let sent = 0;
    const timer = setInterval(() => {
      for (let count = 0; count < 100 && sent < 5_000; count += 1)
        stream.write(
          'data: ' +
            `${JSON.stringify({jsonrpc: '2.0', method: 'ide/contextUpdate', params: {workspaceState: {openFiles: [{path, timestamp: (sent += 1), isActive: true, selectedText: 'x'.repeat(200)}]}}})}\n\n`,
        );
      if (sent === 5_000) clearInterval(timer);
    }, 10);
  });
  try {
    await connectOdd(bridge, odd.port);
    let longest = 0;
    let last = performance.now();
    await until(async () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      return (await bridge.ide.openFiles())[0]?.timestamp === 5_000;
    });
    expect([longest < 3000, (await bridge.ide.status()).state]).toEqual([true, 'connected']);
  } finally {
    odd.close();
  }
});

test('a companion that was written by hand after the specification is worked with like any other [ide.by-hand]', async () => {
  await using bridge = await startBridge({script, enabled: false});
  await bridge.companion.close();
  const child = spawn(process.execPath, [join(checkout, 'test', 'fixtures', 'companions', 'by-hand.mjs')], {
    cwd: bridge.kernel.project,
    env: {...process.env, TMPDIR: bridge.temporary},
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  try {
    await until(async () => (await bridge.ide.connect({anyway: true})).state === 'connected');
    const shown = await bridge.ide.showDiff(
      {call: 'c', path: join(bridge.kernel.project, 'a.txt'), text: 'proposed'},
      AbortSignal.timeout(10_000),
    );
    expect([await shown.close(), (await bridge.ide.status()).canDiff]).toEqual([{text: 'proposed'}, true]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

test(
  'a companion over standard streams is started, worked with, and ended, also when it does not want to be ' +
    '[ide.stdio]',
  async () => {
    await using folder = await makeFolder();
    const file = join(folder.path, 'a.txt');
    await writeFile(file, '');
    const kernel = await createTestKernel({
      plugins: [
        'settings',
        'trust',
        'workspace',
        'agent',
        'env',
        'network',
        'policy',
        'filesystem',
        'model-gemini',
        'ide',
      ].map(pluginRoot),
      temporary: folder.path,
      variables: {
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: process.execPath,
        GEMINI_CLI_IDE_SERVER_STDIO_ARGS: JSON.stringify([
          join(checkout, 'test', 'fixtures', 'companions', 'by-stdio.mjs'),
          file,
        ]),
      },
    });
    const ide = await kernel.service('ide');
    expect(await ide.connect({anyway: true})).toMatchObject({
      state: 'connected',
      canDiff: true,
      server: 'by-stdio 1',
      openFiles: [{path: file, timestamp: 1, isActive: true}],
    });
    const shown = await ide.showDiff({call: 'c', path: file, text: 'proposed'}, AbortSignal.timeout(10_000));
    expect(await shown.close()).toEqual({text: 'proposed'});
    const started = performance.now();
    await kernel.close();
    expect(performance.now() - started).toBeLessThan(3500);
  },
);

test('a companion that has forgotten the session is connected again [ide.reconnect]', async () => {
  await using bridge = await startBridge({script});
  const odd = await startOdd(() => undefined, true);
  try {
    await bridge.ide.disconnect();
    await connectOdd(bridge, odd.port);
    await expect(
      bridge.ide.showDiff({call: 'c', path: '/a', text: ''}, AbortSignal.timeout(5000)).then(({decided}) => decided),
    ).rejects.toThrow();
    await until(() => odd.sessions() > 1);
  } finally {
    odd.close();
  }
});

test('what a companion calls itself can do nothing to a terminal', async () => {
  await using bridge = await startBridge({script, enabled: false});
  const odd = await startOdd(() => undefined);
  try {
    const {server, fault} = await connectOdd(bridge, odd.port);
    expect([server?.includes('\u001b'), server?.includes('title'), fault?.reason]).toEqual([
      false,
      true,
      'tools-missing',
    ]);
  } finally {
    odd.close();
  }
});

test('who disconnects while it is being connected is not connected afterwards [ide.disconnect]', async () => {
  await using bridge = await startBridge({script, enabled: false});
  const connecting = bridge.ide.connect({anyway: true});
  await bridge.ide.disconnect();
  await connecting;
  expect(await bridge.ide.status()).toMatchObject({state: 'disconnected', openFiles: []});
});
