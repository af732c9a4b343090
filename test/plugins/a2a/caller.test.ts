import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {TaskState, type Task} from '@a2a-js/sdk';
import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {asks, artifactsOf, openA2aPlace} from './a2a-place.js';

const write = (file: string) => callsTools(['write_file', {file_path: file, content: 'x'}]);

/** Tokens of these places are made for `tester`. */
async function rules(home: string, text: string): Promise<void> {
  await mkdir(join(home, '.gemini', 'policies'), {recursive: true});
  await writeFile(join(home, '.gemini', 'policies', 'callers.toml'), text);
}

test('a rule that denies a caller holds for its tasks, whatever a body says, and for no one else [peer.caller]', async () => {
  await using place = await openA2aPlace([write('a.txt'), says('Refused.'), write('b.txt'), says('Written.')]);
  await rules(
    place.home,
    '[[rule]]\ntoolName = "write_file"\ncaller = "test*"\ndecision = "deny"\npriority = 900\nmessage = "Not you."\n',
  );
  const token = await place.token('--mode', 'yolo');
  await place.start();
  const {message, ...rest} = asks('Write');
  const trick = {caller: 'other', name: 'other'};
  const client = await place.client(token);
  await client.sendMessage({...rest, message: {...message, metadata: trick}, metadata: trick});
  await expect(place.read('a.txt')).rejects.toThrow('ENOENT');
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('Not you.');
  expect(await place.run(['-p', 'Write', '--approval-mode', 'yolo'])).toMatchObject({code: 0});
  expect(await place.read('b.txt')).toBe('x');
});

test('a rule that allows a caller lets tasks of that caller pass without a question, and of no other [peer.caller]', async () => {
  await using place = await openA2aPlace([write('a.txt'), says('Written.'), write('b.txt'), says('Refused.')]);
  await rules(
    place.home,
    '[[rule]]\ntoolName = "write_file"\ncaller = "tester"\ndecision = "allow"\npriority = 500\n' +
      '[[rule]]\ntoolName = "write_file"\ncaller = "teste"\ndecision = "deny"\npriority = 900\n',
  );
  const token = await place.token();
  await place.start();
  const task = (await (await place.client(token)).sendMessage(asks('Write'))) as Task;
  expect([task.status?.state, artifactsOf(task)['response']]).toEqual([TaskState.TASK_STATE_COMPLETED, 'Written.']);
  await place.run(['-p', 'Write']);
  await expect(place.read('b.txt')).rejects.toThrow('ENOENT');
  const explain = async (...words: readonly string[]): Promise<string> => {
    const asked = ['policy', 'explain', 'write_file', 'file_path=c.txt', 'content=x', '--mode', 'default', ...words];
    return (await place.run(asked)).stdout;
  };
  const [own, theirs] = [await explain(), await explain('--caller', 'tester')];
  expect(theirs).toContain('for caller tester');
  expect([own.split('\n')[0]?.includes('allow'), theirs.split('\n')[0]?.includes('allow')]).toEqual([false, true]);
});
