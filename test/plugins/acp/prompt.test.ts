import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {call, connect, createScene, say} from './scene.js';

const write = call('w1', 'write_file', {file_path: 'new.txt', content: 'made\n'});

test('a prompt streams its answer and ends its turn [acp.prompt]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const {sessionId} = await editor.open();
  scene.model.script([{pieces: [{kind: 'thought', text: 'Hm.'}, {kind: 'text', text: 'One, '}, {kind: 'text', text: 'two.'}]}]);
  const end = await editor.prompt(sessionId, 'count');
  expect(end).toMatchObject({stopReason: 'end_turn', _meta: {quota: {token_count: expect.any(Object)}}});
  expect(editor.text(sessionId)).toBe('One, two.');
  const chunks = editor.updates(sessionId).filter(({sessionUpdate}) => sessionUpdate.startsWith('agent_'));
  expect(chunks[0]).toMatchObject({sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text: 'Hm.'}});
  expect(new Set(chunks.map((one) => ('messageId' in one ? one.messageId : '')))).toHaveProperty('size', 1);
});

test('a call is announced before the question about it, and shown with its diff [acp.calls] [acp.ask]', async () => {
  await using scene = await createScene();
  const order: string[] = [];
  await using editor = await connect(scene, {
    answer({toolCall}) {
      order.push(...editor.updates(sessionId).map((one) => `${one.sessionUpdate}:${'status' in one ? one.status : ''}`));
      expect(toolCall).toMatchObject({
        status: 'pending',
        kind: 'edit',
        rawInput: {file_path: 'new.txt', content: 'made\n'},
        locations: [{path: join(scene.project, 'new.txt')}],
        content: expect.arrayContaining([
          {type: 'diff', path: join(scene.project, 'new.txt'), oldText: null, newText: 'made\n'},
        ]),
      });
      return 'yes';
    },
  });
  const {sessionId} = await editor.open();
  scene.model.script([write, say('Done.')]);
  await editor.prompt(sessionId, 'write');
  expect(order).toContain('tool_call:pending');
  expect(await readFile(join(scene.project, 'new.txt'), 'utf8')).toBe('made\n');
  const calls = editor.updates(sessionId).filter((one) => 'toolCallId' in one);
  const [first] = calls;
  expect(first).toMatchObject({
    sessionUpdate: 'tool_call',
    toolCallId: editor.asked[0]?.toolCall.toolCallId,
    name: 'write_file',
    title: 'write_file new.txt',
    kind: 'edit',
    status: 'pending',
  });
  expect(calls.map((one) => ('status' in one ? one.status : ''))).toEqual(['pending', 'in_progress', 'completed']);
  expect(calls.at(-1)).toMatchObject({
    content: [{type: 'diff', path: join(scene.project, 'new.txt'), oldText: null, newText: 'made\n'}],
    rawOutput: {status: 'done', changed: [join(scene.project, 'new.txt')]},
  });
});
