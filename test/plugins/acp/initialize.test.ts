import {once} from 'node:events';
import {expect, test} from '@jest/globals';
import {connect, createScene, start, type Scene, type Started} from './scene.js';

/** Lines of JSON over the pipes of the program, without any client. */
class Wire {
  #seen = 0;
  constructor(readonly started: Started) {}

  write(text: string): void {
    this.started.process.stdin.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
  }

  /** The next message of the program. */
  async next(): Promise<Record<string, unknown>> {
    for (;;) {
      const lines = this.started.output().split('\n').slice(0, -1);
      const line = lines[this.#seen];
      if (line !== undefined) {
        this.#seen += 1;
        return JSON.parse(line) as Record<string, unknown>;
      }
      await once(this.started.process.stdout, 'data');
    }
  }

  async initialize(): Promise<unknown> {
    this.send({id: 'init', method: 'initialize', params: {protocolVersion: 1}});
    return this.next();
  }
}

const wire = (scene: Scene): Wire => new Wire(start(scene));

/** What the program answers to a message that comes after `initialize`; named after what the protocol asks for. */
const messages: readonly {readonly title: string; readonly text: string; readonly answer: object}[] = [
  {
    title: 'a method that is not there is -32601',
    text: '{"jsonrpc":"2.0","id":1,"method":"session/unknown","params":{}}\n',
    answer: {id: 1, error: {code: -32601}},
  },
  {
    title: 'an extension method that is not there is -32601',
    text: '{"jsonrpc":"2.0","id":1,"method":"_own/method","params":{}}\n',
    answer: {id: 1, error: {code: -32601}},
  },
  {
    title: 'parameters that do not fit are -32602',
    text: '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":7}}\n',
    answer: {id: 1, error: {code: -32602}},
  },
  {
    title: 'missing parameters are -32602',
    text: '{"jsonrpc":"2.0","id":1,"method":"session/prompt"}\n',
    answer: {id: 1, error: {code: -32602}},
  },
  {title: 'a line that is not JSON is -32700', text: '{"jsonrpc":\n', answer: {id: null, error: {code: -32700}}},
  {title: 'bytes that are no text are -32700', text: '\u0000\u0001\u0002\n', answer: {id: null, error: {code: -32700}}},
  {
    title: 'a batch is -32600',
    text: '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]\n',
    answer: {error: {code: -32600}},
  },
  {title: 'a number is -32600', text: '7\n', answer: {error: {code: -32600}}},
  {
    title: 'ids that are texts come back as texts',
    text: '{"jsonrpc":"2.0","id":"seven","method":"nothing"}\n',
    answer: {id: 'seven', error: {code: -32601}},
  },
  {
    title: 'empty lines and CRLF are passed over',
    text: '\n\r\n{"jsonrpc":"2.0","id":1,"method":"nothing"}\r\n',
    answer: {id: 1, error: {code: -32601}},
  },
  {
    title: 'notifications that are not there are passed over',
    text: '{"jsonrpc":"2.0","method":"nothing"}\n{"jsonrpc":"2.0","id":2,"method":"nothing"}\n',
    answer: {id: 2, error: {code: -32601}},
  },
  {
    title: 'an answer that nothing asked for is passed over',
    text: '{"jsonrpc":"2.0","id":99,"result":{}}\n{"jsonrpc":"2.0","id":2,"method":"nothing"}\n',
    answer: {id: 2, error: {code: -32601}},
  },
  {
    title: 'a cancellation of a session that is not open is passed over',
    text:
      '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"x"}}\n' +
      '{"jsonrpc":"2.0","id":2,"method":"nothing"}\n',
    answer: {id: 2, error: {code: -32601}},
  },
];

test.each(messages)('on the wire: $title [acp.wire]', async ({text, answer}) => {
  await using scene = await createScene();
  const peer = wire(scene);
  await using _ = peer.started;
  await peer.initialize();
  peer.write(text);
  expect(await peer.next()).toMatchObject(answer);
  // The connection is still of use.
  peer.send({id: 'last', method: 'session/list', params: {}});
  expect(await peer.next()).toMatchObject({id: 'last', result: {sessions: []}});
});

test.each([
  {title: 'the version that both know', offered: 1},
  {title: 'its newest for one from the future', offered: 99},
  {title: 'its newest for one from the past', offered: 0},
])('initialize answers $title [acp.initialize]', async ({offered}) => {
  await using scene = await createScene();
  const peer = wire(scene);
  await using _ = peer.started;
  peer.send({id: 1, method: 'initialize', params: {protocolVersion: offered}});
  expect(await peer.next()).toMatchObject({id: 1, result: {protocolVersion: 1}});
});

test('initialize says what the agent can do, and who it is [acp.initialize]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  expect(editor.initialized).toEqual({
    protocolVersion: 1,
    agentInfo: {name: 'gemini', title: 'Gemini CLI', version: expect.any(String)},
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: {image: true, audio: true, embeddedContext: true},
      mcpCapabilities: {http: true, sse: true},
      sessionCapabilities: {list: {}, resume: {}, delete: {}, close: {}, additionalDirectories: {}},
    },
    authMethods: [{id: 'gemini-api-key', name: 'Gemini API key', description: expect.any(String)}],
  });
});

test('a login in a terminal is offered to editors that can show one [acp.auth]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene, {capabilities: {auth: {terminal: true}}});
  expect(editor.initialized.authMethods).toContainEqual(expect.objectContaining({type: 'terminal', id: 'terminal'}));
});

test('initialize comes first, and needs a version [acp.initialize]', async () => {
  await using scene = await createScene();
  const peer = wire(scene);
  await using _ = peer.started;
  peer.send({id: 1, method: 'session/new', params: {cwd: scene.project, mcpServers: []}});
  expect(await peer.next()).toMatchObject({id: 1, error: {code: -32600}});
  peer.send({id: 2, method: 'initialize', params: {}});
  expect(await peer.next()).toMatchObject({id: 2, error: {code: -32602}});
  expect(await peer.initialize()).toMatchObject({result: {protocolVersion: 1}});
});

test('a message can come in pieces, and several in one [acp.wire]', async () => {
  await using scene = await createScene();
  const peer = wire(scene);
  await using _ = peer.started;
  await peer.initialize();
  for (const letter of '{"jsonrpc":"2.0","id":1,"method":"nothing"}\n') {
    peer.write(letter);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await peer.next()).toMatchObject({id: 1});
  peer.write([2, 3, 4].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"nothing"}\n`).join(''));
  expect([await peer.next(), await peer.next(), await peer.next()].map(({id}) => id)).toEqual([2, 3, 4]);
});

test('standard output is the protocol alone, and the program leaves with the editor [acp.stdout]', async () => {
  await using scene = await createScene();
  const peer = wire(scene);
  await peer.initialize();
  peer.send({id: 1, method: 'session/new', params: {cwd: scene.project, mcpServers: []}});
  await peer.next();
  expect(await peer.started.end()).toBe(0);
  const lines = peer.started.output().trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as {jsonrpc: string}).jsonrpc)).toEqual(lines.map(() => '2.0'));
});

test.each([
  {args: ['--experimental-acp'], title: 'the older name'},
  {args: ['acp'], title: 'the command'},
  {args: ['--approval-mode', 'plan', '--acp'], title: 'flags before it'},
])('it starts by $title [acp.start]', async ({args}) => {
  await using scene = await createScene();
  await using editor = await connect(scene, {args});
  const {modes} = await editor.open();
  expect(modes?.currentModeId).toBe(args.includes('plan') ? 'plan' : 'default');
});

test('--json is refused, since standard output is the protocol [acp.stdout] ACP_INVALID', async () => {
  await using scene = await createScene();
  const started = start(scene, ['--acp', '--json']);
  expect(await started.end()).toBe(42);
  expect(started.output() + started.log()).toContain('ACP_INVALID');
});

test('a line without an end is refused before it fills the memory [acp.hostile]', async () => {
  await using scene = await createScene();
  const {process: child, log} = start(scene);
  const exited = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  const piece = Buffer.alloc(1024 * 1024, 'a');
  for (let count = 0; count < 80 && child.exitCode === null; count += 1)
    if (!child.stdin.write(piece)) await Promise.race([once(child.stdin, 'drain').catch(() => exited), exited]);
  child.stdin.end();
  await exited;
  expect(log()).toMatch(/67108864/);
});
