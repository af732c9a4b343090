import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from '@jest/globals';
import type {ContentBlock} from '@agentclientprotocol/sdk';
import {call, connect, createScene, say, type Scene} from './scene.js';

const sentTo = (scene: Scene): string => JSON.stringify(scene.model.requests.at(-1)?.messages);
const write = call('w1', 'write_file', {file_path: 'new.txt', content: 'made\n'});
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a prompt streams its answer and ends its turn [acp.prompt]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  const pieces = [
    {kind: 'thought', text: 'Hm.'},
    {kind: 'text', text: 'One, '},
    {kind: 'text', text: 'two.'},
  ] as const;
  scene.model.script([{pieces, usage: {input: 12, output: 5}}, say('three')]);
  expect(await editor.prompt(sessionId, 'count')).toMatchObject({
    stopReason: 'end_turn',
    _meta: {quota: {token_count: {input_tokens: 12, output_tokens: 5}, model_usage: [{model: expect.any(String)}]}},
  });
  expect(editor.text(sessionId)).toBe('One, two.');
  const chunks = editor.updates(sessionId).filter(({sessionUpdate}) => sessionUpdate.startsWith('agent_'));
  expect(chunks[0]).toMatchObject({sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text: 'Hm.'}});
  await editor.prompt(sessionId, 'more');
  const ids = editor
    .updates(sessionId)
    .flatMap((one) => (one.sessionUpdate === 'agent_message_chunk' ? [one.messageId] : []));
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(2);
});

test('updates show the use of tokens, the title and the time [acp.usage] [acp.title]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([{pieces: [{kind: 'text', text: 'ok'}], usage: {input: 100, output: 20}}]);
  await editor.prompt(sessionId, 'Name the colours');
  expect(await editor.seen(sessionId, 'usage_update', ({used}) => used === 120)).toMatchObject({
    size: expect.any(Number),
  });
  expect(await editor.seen(sessionId, 'session_info_update')).toMatchObject({
    title: 'Name the colours',
    updatedAt: expect.stringMatching(/^\d{4}-/),
  });
});

/** What becomes of the blocks of a prompt. */
const blocks: readonly {
  readonly title: string;
  readonly make: (scene: Scene) => ContentBlock[];
  readonly sent: (scene: Scene) => readonly string[];
}[] = [
  {
    title: 'texts are one prompt',
    make: () => [
      {type: 'text', text: 'Say '},
      {type: 'text', text: 'hello'},
    ],
    sent: () => ['Say hello'],
  },
  {
    title: 'a link to a file is read',
    make: ({project}) => [
      {type: 'text', text: 'Explain '},
      {type: 'resource_link', name: 'a.txt', uri: pathToFileURL(join(project, 'a.txt')).href},
    ],
    sent: () => ['alpha\\nbeta', 'Explain @a.txt'],
  },
  {
    title: 'a link to a file with blanks in its name is read',
    make: ({project}) => [
      {type: 'resource_link', name: 'x', uri: pathToFileURL(join(project, 'two words "quoted".txt')).href},
      {type: 'resource_link', name: 'y', uri: pathToFileURL(join(project, 'two words.txt')).href},
    ],
    sent: () => ['first of two', 'second of two'],
  },
  {
    title: 'a link to lines of a file is read',
    make: ({project}) => [
      {type: 'resource_link', name: 'a.txt', uri: `${pathToFileURL(join(project, 'a.txt')).href}#L1-2`},
    ],
    sent: () => ['alpha\\nbeta'],
  },
  {
    title: 'a link to elsewhere stays a link',
    make: () => [{type: 'resource_link', name: 'Docs', uri: 'https://example.com/docs'}],
    sent: () => ['[Docs](https://example.com/docs)'],
  },
  {
    title: 'a text resource counts as it is sent, not as it is saved',
    make: ({project}) => [
      {type: 'text', text: 'Explain '},
      {type: 'resource', resource: {uri: pathToFileURL(join(project, 'a.txt')).href, text: 'not saved yet'}},
    ],
    sent: ({project}) => ['not saved yet', join(project, 'a.txt')],
  },
  {
    title: 'an @path in a text resource stays text',
    make: () => [{type: 'resource', resource: {uri: 'zed:///selection', text: 'see @a.txt'}}],
    sent: () => ['see @a.txt', 'zed:///selection'],
  },
  {
    title: 'a picture reaches the model',
    make: () => [
      {type: 'text', text: 'What is it?'},
      {type: 'image', mimeType: 'image/png', data: pixel},
    ],
    sent: () => [pixel, 'image/png'],
  },
  {
    title: 'a recording reaches the model',
    make: () => [{type: 'audio', mimeType: 'audio/wav', data: 'UklGRg=='}],
    sent: () => ['UklGRg==', 'audio/wav'],
  },
  {
    title: 'a binary resource reaches the model',
    make: () => [{type: 'resource', resource: {uri: 'file:///x.pdf', blob: 'JVBERi0=', mimeType: 'application/pdf'}}],
    sent: () => ['JVBERi0=', 'application/pdf'],
  },
];

test.each(blocks)('of the blocks of a prompt, $title [acp.blocks]', async ({make, sent}) => {
  await using scene = await createScene({
    'project/two words "quoted".txt': 'first of two',
    'project/two words.txt': 'second of two',
  });
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([say('ok')]);
  await editor.agent.request('session/prompt', {sessionId, prompt: make(scene)});
  for (const text of sent(scene)) expect(sentTo(scene)).toContain(text);
  if (sent(scene).includes('see @a.txt')) expect(sentTo(scene)).not.toContain('alpha');
});

test.each([
  {title: 'without blocks', prompt: []},
  {title: 'of blanks', prompt: [{type: 'text' as const, text: ' \n'}]},
])('a prompt $title is refused ACP_REQUEST_INVALID [acp.prompt]', async ({prompt}) => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  await expect(editor.agent.request('session/prompt', {sessionId, prompt})).rejects.toMatchObject({
    code: -32602,
    data: {code: 'ACP_REQUEST_INVALID'},
  });
});

test('a prompt for a session that is not open is -32002 ACP_SESSION_UNKNOWN [acp.prompt]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  await expect(editor.prompt('no-such-session', 'go')).rejects.toMatchObject({
    code: -32002,
    data: {code: 'ACP_SESSION_UNKNOWN'},
  });
});

test('cancel ends a prompt that runs as cancelled, and the session is of use after it [acp.cancel]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([{pieces: [{kind: 'text', text: 'begun'}], stall: {afterPieces: 1}}, say('later')]);
  const running = editor.prompt(sessionId, 'long');
  await editor.seen(sessionId, 'agent_message_chunk');
  await editor.agent.notify('session/cancel', {sessionId});
  expect(await running).toMatchObject({stopReason: 'cancelled'});
  expect(await editor.prompt(sessionId, 'again')).toMatchObject({stopReason: 'end_turn'});
});

test('cancel closes an open question, and nothing runs [acp.cancel] [acp.ask]', async () => {
  await using scene = await createScene();
  let asked: () => void = () => undefined;
  const question = new Promise<void>((resolve) => (asked = resolve));
  await using editor = await connect(scene, {
    answer: () => {
      asked();
      return new Promise(() => undefined);
    },
  });
  const {sessionId} = await editor.open();
  scene.model.script([write]);
  const running = editor.prompt(sessionId, 'write');
  await question;
  await editor.agent.notify('session/cancel', {sessionId});
  expect(await running).toMatchObject({stopReason: 'cancelled'});
  const last = editor
    .updates(sessionId)
    .filter((one) => one.sessionUpdate === 'tool_call_update')
    .at(-1);
  expect(last).toMatchObject({status: 'failed'});
});

test('a second prompt waits for the first; cancel takes it back [acp.second]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([{pieces: [{kind: 'text', text: 'one'}], stall: {afterPieces: 1}}, say('two')]);
  const first = editor.prompt(sessionId, 'first');
  await editor.seen(sessionId, 'agent_message_chunk');
  const second = editor.prompt(sessionId, 'second');
  scene.model.release();
  expect(await first).toMatchObject({stopReason: 'end_turn'});
  expect(await second).toMatchObject({stopReason: 'end_turn'});
  expect(editor.text(sessionId)).toBe('onetwo');
  scene.model.script([{pieces: [{kind: 'text', text: 'three'}], stall: {afterPieces: 1}}]);
  const third = editor.prompt(sessionId, 'third');
  await scene.model.arrived(3);
  const fourth = editor.prompt(sessionId, 'fourth');
  await editor.agent.notify('session/cancel', {sessionId});
  expect([await third, await fourth].map(({stopReason}) => stopReason)).toEqual(['cancelled', 'cancelled']);
  expect(scene.model.requests).toHaveLength(3);
});

test('a request that is cancelled by its id ends as cancelled [acp.cancel]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([{pieces: [{kind: 'text', text: 'begun'}], stall: {afterPieces: 1}}]);
  const stop = new AbortController();
  const running = editor.agent.request(
    'session/prompt',
    {sessionId, prompt: [{type: 'text', text: 'long'}]},
    {cancellationSignal: stop.signal},
  );
  await editor.seen(sessionId, 'agent_message_chunk');
  stop.abort();
  expect(await running).toMatchObject({stopReason: 'cancelled'});
});

test('an answer that is cut ends with max_tokens [acp.stop]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([{pieces: [{kind: 'text', text: 'half an ans'}], end: 'length'}]);
  expect(await editor.prompt(sessionId, 'go')).toMatchObject({stopReason: 'max_tokens'});
});

test('the limit of requests ends with max_turn_requests [acp.stop]', async () => {
  await using scene = await createScene({'home/.gemini/settings.json': '{"model": {"maxSessionTurns": 1}}'});
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([call('r', 'read_file', {file_path: 'a.txt'}), say('never')]);
  expect(await editor.prompt(sessionId, 'go')).toMatchObject({stopReason: 'max_turn_requests'});
});

test('a prompt that a hook refuses ends with refusal [acp.stop]', async () => {
  const hook = `node -e "process.stderr.write('not today');process.exit(2)"`;
  await using scene = await createScene({
    'home/.gemini/settings.json': JSON.stringify({
      hooks: {BeforeAgent: [{hooks: [{type: 'command', command: hook}]}]},
    }),
  });
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  expect(await editor.prompt(sessionId, 'go')).toMatchObject({stopReason: 'refusal'});
});

test('a model that fails is an error with the code and the sentence [acp.stop]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([{refusal: {status: 400, message: 'That is not a request.'}}]);
  await expect(editor.prompt(sessionId, 'go')).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('That is not a request.'),
    data: {code: expect.stringMatching(/^MODEL_/), status: 400},
  });
});

test('without a key no session begins, and authenticate gives one for the connection [acp.auth]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene, {
    variables: {GEMINI_API_KEY: '', GOOGLE_GEMINI_BASE_URL: '', HTTPS_PROXY: 'http://127.0.0.1:9'},
  });
  await expect(editor.open()).rejects.toMatchObject({code: -32000, data: {code: 'ACP_AUTH_MISSING'}});
  await expect(editor.agent.request('authenticate', {methodId: 'other'})).rejects.toMatchObject({code: -32602});
  const key = {methodId: 'gemini-api-key', _meta: {'api-key': 'from-the-editor'}};
  await editor.agent.request('authenticate', key);
  expect(await editor.open()).toMatchObject({sessionId: expect.any(String)});
  await expect(editor.agent.request('authenticate', {...key, _meta: {'api-key': 'a\nb'}})).rejects.toMatchObject({
    code: -32602,
  });
});

test('notices reach editors that show them, and the chat of others [acp.notices]', async () => {
  await using scene = await createScene();
  await writeFile(join(scene.project, 'GEMINI.md'), 'x');
  for (const notices of [true, false]) {
    await using editor = await connect(scene, notices ? {capabilities: {session: {notices: {}}}} : {});
    const {sessionId} = await editor.open();
    scene.model.script([{pieces: [{kind: 'text', text: 'half'}], end: 'length'}]);
    await editor.prompt(sessionId, 'go');
    if (notices)
      expect(await editor.seen(sessionId, 'notice')).toMatchObject({
        severity: 'warning',
        title: expect.stringContaining('output limit'),
      });
    else expect(editor.text(sessionId)).toMatch(/^half\n\n\*\*Warning:\*\* .*output limit/s);
  }
});
