import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {call, connect, createScene, say, start, type Scene} from './scene.js';

const script = join(checkout, 'test', 'fixtures', 'mcp', 'server.mjs');

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not come to hold within 20 seconds.');
    await sleep(20);
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** How long the answer to initialize takes, in milliseconds. */
async function initializeMs(scene: Scene): Promise<number> {
  const begun = performance.now();
  await using started = start(scene);
  started.process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n');
  while (!started.output().includes('\n')) await once(started.process.stdout, 'data');
  return performance.now() - begun;
}

test('slow MCP servers do not keep initialize and a session waiting [acp.initialize]', async () => {
  const slow = Object.fromEntries(
    [1, 2, 3, 4, 5].map((at) => [`slow${at}`, {command: process.execPath, args: [script, 'delay=60000']}]),
  );
  await using plain = await createScene();
  await using scene = await createScene({'home/.gemini/settings.json': JSON.stringify({mcpServers: slow})});
  const times: number[][] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    times[0]?.push(await initializeMs(plain));
    times[1]?.push(await initializeMs(scene));
  }
  const [without = 0, withServers = 0] = times.map((list) => Math.min(...list));
  // The servers take a minute; what is over in less did not wait for them, however busy the machine is.
  expect(withServers - without).toBeLessThan(10_000);
  await using editor = await connect(scene);
  expect(await editor.open()).toMatchObject({sessionId: expect.any(String)});
});

test.each([
  {title: 'closes its end', leave: (started: ReturnType<typeof start>) => started.process.stdin.end()},
  {
    title: 'is killed',
    leave: ({process: child}: ReturnType<typeof start>) => {
      for (const pipe of [child.stdout, child.stderr, child.stdin]) pipe.destroy();
    },
  },
])('an editor that $title takes the program and its commands along [acp.gone]', async ({leave}) => {
  await using scene = await createScene();
  const file = join(scene.project, 'pid');
  await writeFile(join(scene.project, 'go.sh'), `echo $$ > ${file}.tmp; mv ${file}.tmp ${file}; sleep 300\n`);
  const editor = await connect(scene, {args: ['--acp', '--yolo']});
  const {sessionId} = await editor.open();
  scene.model.script([call('s', 'run_shell_command', {command: 'sh go.sh'}), say('never')]);
  editor.prompt(sessionId, 'go').catch(() => undefined);
  let pid = 0;
  await until(async () => {
    pid = Number(await readFile(file, 'utf8').catch(() => '0'));
    return pid > 0;
  });
  const {process: child} = editor.started;
  leave(editor.started);
  await until(() => child.exitCode !== null || child.signalCode !== null);
  await until(() => !isAlive(pid));
  // What was said is recorded.
  await using again = await connect(scene);
  const {sessions} = await again.agent.request('session/list', {cwd: scene.project});
  expect(sessions.map(({sessionId: id}) => id)).toEqual([sessionId]);
});

test('a flood of requests is answered, each once [acp.hostile]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const ends = await Promise.allSettled(
    Array.from({length: 2000}, (_, at) => editor.prompt(`nothing-${at}`, 'x'.repeat(100))),
  );
  expect(new Set(ends.map(({status}) => status))).toEqual(new Set(['rejected']));
  const {sessionId} = await editor.open();
  scene.model.script([say('still here')]);
  await editor.prompt(sessionId, 'go');
  expect(editor.text(sessionId)).toBe('still here');
});

test('a flood of prompts in one session runs them one after the other [acp.second] [acp.hostile]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  let [running, most] = [0, 0];
  scene.model.script(async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    return say('.');
  });
  const ends = await Promise.all(Array.from({length: 20}, (_, at) => editor.prompt(sessionId, `number ${at}`)));
  expect(ends.every(({stopReason}) => stopReason === 'end_turn')).toBe(true);
  expect({most, text: editor.text(sessionId)}).toEqual({most: 1, text: '.'.repeat(20)});
});

test('more sessions than count are refused, and those that are open stay [acp.hostile]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const opens = await Promise.allSettled(Array.from({length: 210}, () => editor.open()));
  const opened = opens.flatMap((one) => (one.status === 'fulfilled' ? [one.value.sessionId] : []));
  expect(opened).toHaveLength(200);
  const [reason] = opens.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(reason).toMatchObject({code: -32602, message: expect.stringContaining('200 sessions are open')});
  scene.model.script([say('ok')]);
  expect(await editor.prompt(opened[199] ?? '', 'go')).toMatchObject({stopReason: 'end_turn'});
  await editor.agent.request('session/close', {sessionId: opened[0] ?? ''});
  expect(await editor.open()).toMatchObject({sessionId: expect.any(String)});
}, 120_000);

test('a long answer and a large output arrive whole or say what is missing [acp.hostile]', async () => {
  await using scene = await createScene();
  await writeFile(join(scene.project, 'large.txt'), `${'line of text\n'.repeat(20_000)}end`);
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  // Not the same words again and again, which would be a loop.
  const long = Array.from({length: 40_000}, (_, at) => at).join(' ');
  scene.model.script([call('r', 'read_file', {file_path: 'large.txt'}), say(long)]);
  await editor.prompt(sessionId, 'go');
  expect(editor.text(sessionId)).toBe(long);
  const last = await editor.seen(sessionId, 'tool_call_update', ({status}) => status === 'completed');
  const text = JSON.stringify(last.content);
  expect(text.length).toBeLessThan(40_000);
});
