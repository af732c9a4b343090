import {request, type IncomingMessage} from 'node:http';
import {connect} from 'node:net';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {meet, paramsOf, rememberingEditor, startKit, type OpenFile, type Stranger} from './companion-kit.js';
import {startServer} from '#plugins/ide/dist/companion/companion-server.js';
import {Client, StreamableHTTPClientTransport} from '#plugins/ide/dist/mcp/client.js';

const CONTEXT = 'ide/contextUpdate';
const isContext =
  (fits: (files: readonly OpenFile[]) => boolean) =>
  ({method, params}: {method: string; params: unknown}): boolean =>
    method === CONTEXT && fits((params as {workspaceState: {openFiles: readonly OpenFile[]}}).workspaceState.openFiles);
const told = (stranger: Stranger, method: string): Promise<unknown> =>
  stranger.ear.waitFor((one) => one.method === method).then(({params}) => params);

/** Sends one plain request. */
function send(
  port: number,
  {
    method = 'POST',
    path = '/mcp',
    headers = {},
    body = '',
  }: {method?: string; path?: string; headers?: Record<string, string>; body?: string | Buffer},
): Promise<{status: number | undefined; text: string}> {
  return new Promise((resolve, reject) => {
    const sent = request({host: '127.0.0.1', port, method, path, headers, agent: false}, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('end', () => resolve({status: answer.statusCode, text: Buffer.concat(chunks).toString()}));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

test('a session receives what is open as soon as it listens, and every change, as the specification has it', async () => {
  await using folder = await makeFolder();
  await using companion = await startKit({temporary: folder.path, isTrusted: true});
  const at = (name: string): string => join(folder.path, name);
  const files = Array.from({length: 12}, (_, index): OpenFile => ({
    path: at(`${index}`),
    timestamp: index,
    isActive: true,
    cursor: {line: 1, character: 1},
    selectedText: 'old',
  }));
  companion.update({
    openFiles: [
      ...files.slice(0, 3),
      {
        path: at('new'),
        timestamp: 99,
        isActive: true,
        cursor: {line: 3, character: 7},
        selectedText: 'x'.repeat(16_390),
      },
      {path: 'untitled', timestamp: 100},
      ...files.slice(3),
    ],
  });
  await using one = await meet(companion);
  const expected = {
    workspaceState: {
      openFiles: [
        {
          path: at('new'),
          timestamp: 99,
          isActive: true,
          cursor: {line: 3, character: 7},
          selectedText: `${'x'.repeat(16_384)}... [TRUNCATED]`,
        },
        ...files
          .slice(3)
          .reverse()
          .map(({path, timestamp}) => ({path, timestamp})),
      ],
      isTrusted: true,
    },
  };
  expect(await told(one, CONTEXT)).toEqual(expected);
  await using other = await meet(companion);
  expect(await told(other, CONTEXT)).toEqual(expected);
  const odd = [
    at('a b'),
    at('back\\slash'),
    at('co:lon;semi,comma'),
    at('line\nbreak\ttab'),
    at('"quoted" \'name\''),
    at('文件 😀 ü'),
    at('%20#?&'),
  ].map((path, index) => ({path, timestamp: 7 - index}));
  companion.update({openFiles: odd, isTrusted: false});
  for (const stranger of [one, other]) {
    const {params} = await stranger.ear.waitFor(isContext((open) => open.length === 7));
    expect(params).toEqual({workspaceState: {openFiles: odd, isTrusted: false}});
  }
});

test('of 10,000 updates a second one every 50 ms is sent, the stream never starves, and the last one is sent', async () => {
  await using folder = await makeFolder();
  await using companion = await startKit({temporary: folder.path});
  await using stranger = await meet(companion);
  await told(stranger, CONTEXT);
  let sent = 0;
  const flood = setInterval(() => {
    for (let count = 0; count < 100; count += 1)
      companion.update({openFiles: [{path: folder.path, timestamp: (sent += 1)}]});
  }, 10);
  const begin = Date.now();
  await stranger.ear.waitFor(() => paramsOf(stranger, CONTEXT).length >= 8);
  const took = Date.now() - begin;
  clearInterval(flood);
  const last = sent;
  await stranger.ear.waitFor(isContext(([file]) => file?.timestamp === last));
  expect(took).toBeGreaterThan(300);
});

test('a decision of the person goes to the session that asked, and only there', async () => {
  await using folder = await makeFolder();
  const editor = rememberingEditor();
  await using companion = await startKit({temporary: folder.path, editor});
  await using one = await meet(companion);
  await using other = await meet(companion);
  const [taken, refused, closed] = [
    join(folder.path, 'taken'),
    join(folder.path, 'refused'),
    join(folder.path, 'closed'),
  ];
  for (const filePath of [taken, refused, closed])
    expect(await one.call('openDiff', {filePath, newContent: 'new'})).toEqual({content: []});
  expect([...editor.views]).toEqual([
    [taken, 'new'],
    [refused, 'new'],
    [closed, 'new'],
  ]);
  companion.accept(taken, 'edited');
  companion.reject(refused);
  expect(await told(one, 'ide/diffAccepted')).toEqual({filePath: taken, content: 'edited'});
  expect(await told(one, 'ide/diffRejected')).toEqual({filePath: refused});
  expect(await one.call('closeDiff', {filePath: closed, suppressNotification: true})).toEqual({
    content: [{type: 'text', text: '{"content":"new"}'}],
  });
  // It crossed with the person's answer.
  companion.accept(closed, 'new');
  expect(() => companion.accept(taken, 'twice')).toThrow(`No diff of ${taken} is open.`);
  expect(() => companion.reject(join(folder.path, 'never'))).toThrow('is open');
  await other.request('ping');
  expect(
    [one, other].map((stranger) => stranger.ear.told.map(({method}) => method).filter((method) => method !== CONTEXT)),
  ).toEqual([['ide/diffAccepted', 'ide/diffRejected'], []]);
});

test(
  'a path has one view: while the gemini that shows it listens another is refused and can close nothing, and each ' +
    'receives the end of its own',
  async () => {
    await using folder = await makeFolder();
    const editor = rememberingEditor();
    await using companion = await startKit({temporary: folder.path, editor});
    await using one = await meet(companion);
    await using other = await meet(companion);
    const filePath = join(folder.path, 'file');
    await one.call('openDiff', {filePath, newContent: 'first'});
    expect(await other.call('openDiff', {filePath, newContent: 'second'})).toEqual({
      content: [
        {
          type: 'text',
          text: `Another gemini shows a change of ${filePath} in this editor. Accept or reject that one first.`,
        },
      ],
      isError: true,
    });
    expect(await other.call('closeDiff', {filePath})).toEqual({content: [{type: 'text', text: '{"content":null}'}]});
    // Its own is replaced without a word, which would be taken for the answer to the new one.
    await one.call('openDiff', {filePath, newContent: 'third'});
    expect(editor.acts).toEqual([`open ${filePath}`, `close ${filePath}`, `open ${filePath}`]);
    companion.accept(filePath, 'third, edited');
    expect(await told(one, 'ide/diffAccepted')).toEqual({filePath, content: 'third, edited'});
    await other.call('openDiff', {filePath, newContent: 'fourth'});
    companion.reject(filePath);
    expect(await told(other, 'ide/diffRejected')).toEqual({filePath});
    expect([paramsOf(one, 'ide/diffRejected'), paramsOf(other, 'ide/diffAccepted')]).toEqual([[], []]);
  },
);

test(
  'the view of a gemini that is gone is given to the next session that asks, without a notification that ' +
    'would be taken for an answer',
  async () => {
    await using folder = await makeFolder();
    const editor = rememberingEditor();
    await using companion = await startKit({temporary: folder.path, editor});
    await using gone = await meet(companion);
    await using next = await meet(companion);
    const filePath = join(folder.path, 'file');
    await gone.call('openDiff', {filePath, newContent: 'first'});
    expect(await gone.leave()).toBe(200);
    expect(await next.call('openDiff', {filePath, newContent: 'second'})).toEqual({content: []});
    await next.request('ping');
    expect([paramsOf(next, 'ide/diffRejected'), [...editor.views]]).toEqual([[], [[filePath, 'second']]]);
  },
);

test('a decision goes to the others when the session that asked is gone, and is kept for one whose stream broke', async () => {
  await using folder = await makeFolder();
  await using companion = await startKit({temporary: folder.path});
  const filePath = join(folder.path, 'file');
  await using gone = await meet(companion);
  await gone.call('openDiff', {filePath, newContent: 'new'});
  expect(await gone.leave()).toBe(200);
  await using other = await meet(companion);
  companion.accept(filePath, 'edited');
  expect(await told(other, 'ide/diffAccepted')).toEqual({filePath, content: 'edited'});

  await other.call('openDiff', {filePath, newContent: 'again'});
  other.ear.stop();
  const headers = {authorization: `Bearer ${companion.token}`, accept: 'text/event-stream', 'mcp-session-id': other.id};
  // Until the companion has noticed that the stream is gone, another one is refused.
  const reopened = await new Promise<string>((resolve, reject) => {
    const open = (): void => {
      request({host: '127.0.0.1', port: companion.port, path: '/mcp', headers, agent: false}, (answer) => {
        if (answer.statusCode === 409) return void answer.resume().once('end', open);
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          if (text === '') companion.reject(filePath);
          text += piece;
          if (!text.includes('diffRejected')) return;
          answer.destroy();
          resolve(text);
        });
      })
        .once('error', reject)
        .end();
    };
    open();
  });
  expect(reopened).toContain(JSON.stringify({method: 'ide/diffRejected', params: {filePath}}).slice(1, -1));
});

test('what an editor cannot show is an answer with its sentence, and nothing is open afterwards', async () => {
  await using folder = await makeFolder();
  const filePath = join(folder.path, 'file');
  await using companion = await startKit({
    temporary: folder.path,
    editor: {...rememberingEditor(), openDiff: () => Promise.reject(new Error('The window is gone.'))},
  });
  await using stranger = await meet(companion);
  const said = (text: string): object => ({content: [{type: 'text', text}], isError: true});
  expect(await stranger.call('openDiff', {filePath, newContent: 'new'})).toEqual(said('The window is gone.'));
  expect(() => companion.accept(filePath, 'new')).toThrow('is open');
  expect(await stranger.call('openDiff', {filePath: 'a/b', newContent: 'new'})).toEqual(
    said('filePath is not absolute: "a/b".'),
  );
  expect(await stranger.call('openDiff', {filePath: `${filePath}\0`, newContent: 'new'})).toEqual(
    said('filePath is not a valid path.'),
  );
  for (const name of ['openDiff', 'closeDiff']) {
    for (const end of ['\n', '\r', '\u001b[31m', '\u009b']) {
      const odd = `${filePath}${end}quit`;
      expect(await stranger.call(name, {filePath: odd, newContent: 'new'})).toEqual(
        said(
          'filePath contains a line break or another control character, which editors may take for a command: ' +
            `${JSON.stringify(odd)}.`,
        ),
      );
    }
  }
  expect(await stranger.call('openDiff', {filePath})).toEqual(said('newContent is not a string.'));
  expect(await stranger.call('closeDiff', {filePath, suppressNotification: 'yes'})).toEqual(
    said('suppressNotification is neither true nor false.'),
  );
  expect(await stranger.call('closeDiff', {filePath})).toEqual({content: [{type: 'text', text: '{"content":null}'}]});
  expect(await stranger.call('openFile', {filePath})).toEqual(said('There is no tool openFile.'));
});

test('an editor that cannot close a view says so, and the session that asked for the diff learns that it is over', async () => {
  await using folder = await makeFolder();
  const filePath = join(folder.path, 'file');
  await using companion = await startKit({
    temporary: folder.path,
    editor: {...rememberingEditor(), closeDiff: () => Promise.reject(new Error('The view is stuck.'))},
  });
  await using stranger = await meet(companion);
  await stranger.call('openDiff', {filePath, newContent: 'new'});
  expect(await stranger.call('closeDiff', {filePath})).toEqual({
    content: [{type: 'text', text: 'The view is stuck.'}],
    isError: true,
  });
  expect(await told(stranger, 'ide/diffRejected')).toEqual({filePath});
  companion.accept(filePath, 'too late');
  await stranger.request('ping');
  expect(paramsOf(stranger, 'ide/diffAccepted')).toEqual([]);
});

test('what is no request of gemini is turned away, each with its status, and the next one is answered', async () => {
  await using folder = await makeFolder();
  await using companion = await startKit({temporary: folder.path});
  const {port} = companion;
  const headers = {
    authorization: `Bearer ${companion.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const statuses = await Promise.all([
    send(port, {path: '/', headers}),
    send(port, {path: '/mcp/more', headers}),
    send(port, {method: 'PUT', headers}),
    send(port, {method: 'GET', headers}),
    send(port, {headers, body: '{'}),
    send(port, {headers: {...headers, host: `localhost:${port}`}, body: '[]'}),
    send(port, {headers: {...headers, host: `LOCALHOST:${port + 1}`}, body: '[]'}),
    send(port, {headers: {...headers, origin: 'null'}}),
    send(port, {headers: {...headers, authorization: ''}}),
    send(port, {headers: {...headers, authorization: `Bearer ${companion.token}x`}}),
    send(port, {headers: {...headers, 'mcp-session-id': 'none'}, body: '{}'}),
  ]);
  expect(statuses.map(({status}) => status)).toEqual([404, 404, 405, 400, 400, 400, 403, 403, 401, 401, 404]);
  expect((await send(port, {headers, body: Buffer.alloc(33 * 1024 * 1024, 32)})).status).toBe(413);
  // A broken connection is not a fault.
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ` +
          `${companion.token}\r\ncontent-length: 100\r\n\r\n{"half`,
        () => socket.resetAndDestroy(),
      );
    });
    socket.once('close', () => resolve());
  });
  await using stranger = await meet(companion);
  const newContent = 'y'.repeat(8 * 1024 * 1024);
  const filePath = join(folder.path, 'file');
  await stranger.call('openDiff', {filePath, newContent});
  expect(await stranger.call('closeDiff', {filePath})).toEqual({
    content: [{type: 'text', text: JSON.stringify({content: newContent})}],
  });
});

const serverParts = {
  name: 'test',
  token: 'secret',
  warn: () => undefined,
  callTool: () => Promise.resolve({content: []}),
};

test('a session that answers pings stays, one that answers none is over', async () => {
  const server = await startServer({...serverParts, context: () => ({}), pingMs: 200});
  const [here, gone] = [
    await meet({port: server.port, token: 'secret'}),
    await meet({port: server.port, token: 'secret'}),
  ];
  gone.ear.stop();
  const headers = {
    authorization: 'Bearer secret',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': gone.id,
  };
  let status: number | undefined = 200;
  while (status === 200)
    ({status} = await send(server.port, {headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}'}));
  expect([status, await here.request('ping')]).toEqual([404, expect.objectContaining({result: {}})]);
  await server.close();
});

test('who takes nothing is not told everything: what piles up is small, and at last the newest comes', async () => {
  let asked = 0;
  const server = await startServer({
    ...serverParts,
    context: () => ({workspaceState: {openFiles: [{timestamp: (asked += 1), path: 'x'.repeat(1_000_000)}]}}),
  });
  const stranger = await meet({port: server.port, token: 'secret'});
  const headers = {authorization: 'Bearer secret', accept: 'text/event-stream', 'mcp-session-id': stranger.id};
  stranger.ear.stop();
  const lazy = await new Promise<IncomingMessage>((resolve, reject) => {
    const open = (): void =>
      void request({host: '127.0.0.1', port: server.port, path: '/mcp', headers, agent: false}, (answer) =>
        answer.statusCode === 409 ? answer.resume().once('end', open) : resolve(answer),
      )
        .once('error', reject)
        .end();
    open();
  });
  for (let count = 0; count < 500; count += 1) {
    server.showContext();
    await new Promise(setImmediate);
  }
  const before = asked;
  let text = '';
  const newest = new Promise<void>(
    (resolve) =>
      void lazy.setEncoding('utf8').on('data', (piece: string) => {
        text = (text + piece).slice(-2_000_000);
        if (text.includes(`"timestamp":${before + 1},`)) resolve();
      }),
  );
  await newest;
  expect(before).toBeLessThan(50);
  lazy.destroy();
  await server.close();
});

test('the client of the MCP SDK gets along with it', async () => {
  await using folder = await makeFolder();
  await using companion = await startKit({temporary: folder.path});
  const client = new Client({name: 'test', version: '1'});
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${companion.port}/mcp`), {
      requestInit: {headers: {authorization: `Bearer ${companion.token}`}},
    }),
  );
  expect((await client.listTools()).tools.map(({name}) => name)).toEqual(['openDiff', 'closeDiff']);
  expect(
    await client.callTool({name: 'openDiff', arguments: {filePath: join(folder.path, 'a'), newContent: ''}}),
  ).toEqual({content: []});
  await client.close();
});

test('a companion that was closed listens no more, tells nothing, and may be closed again', async () => {
  await using folder = await makeFolder();
  const companion = await startKit({temporary: folder.path});
  await using stranger = await meet(companion);
  companion.update({openFiles: []});
  await companion.close();
  await companion.close();
  companion.update({openFiles: []});
  await expect(send(companion.port, {})).rejects.toMatchObject({code: 'ECONNREFUSED'});
  await expect(stranger.ear.waitFor(({method}) => method === 'nothing')).rejects.toThrow('ended');
});

test('a root that is not absolute is refused, and one that cannot be reported causes a warning', async () => {
  await using folder = await makeFolder();
  await expect(startKit({temporary: folder.path, roots: ['here']})).rejects.toThrow('The root "here" is not absolute.');
  if (process.platform === 'win32') return;
  const warnings: string[] = [];
  await using companion = await startKit({
    temporary: folder.path,
    roots: ['/a:b', '/c', '/d'],
    warn: (sentence) => warnings.push(sentence),
  });
  expect({paths: companion.variables()['GEMINI_CLI_IDE_WORKSPACE_PATH'], warnings}).toEqual({
    paths: '/c:/d',
    warnings: ['gemini cannot see the folder /a:b: its name contains :.'],
  });
});
