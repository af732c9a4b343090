import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {openA2aPlace} from './a2a-place.js';
import {startRemote, task} from './remote-server.js';

test('gemini asks gemini: a2a call prints the answer, and needs the token in a variable [agents.call]', async () => {
  let turn = 0;
  await using place = await openA2aPlace(() =>
    (turn += 1) === 1 ? callsTools(['write_file', {file_path: 'b.txt', content: 'x'}]) : says('It is written.'),
  );
  const token = await place.token('--mode', 'auto_edit');
  await place.start();
  const call = (...words: readonly string[]) =>
    place.run(['a2a', 'call', place.url, 'Write it.', ...words], {variables: {THEIR_TOKEN: token}});
  const called = await call('--token-variable', 'THEIR_TOKEN');
  expect(called).toMatchObject({code: 0, stdout: 'It is written.\n'});
  // Progress is in words.
  expect(called.stderr.split('\n')).toEqual([expect.stringMatching(/^asks http/), 'write_file', '']);
  expect(await place.read('b.txt')).toBe('x');
  const unknown = await call();
  expect(unknown).toMatchObject({code: 1, stderr: expect.stringContaining('it wants a login, and none was sent')});
  expect(await call('--token-variable', 'NOT_SET')).toMatchObject({
    ...{code: 1, stderr: expect.stringContaining('The variable NOT_SET is not set.')},
  });
});

test('a2a call tells answers, failures, questions and silence apart [agents.call]', async () => {
  await using place = await openA2aPlace([]);
  const call = (url: string, ...words: readonly string[]) => place.run(['a2a', 'call', url, 'x', ...words]);
  await using failing = await startRemote({answer: () => task('FAILED', 'half a word')});
  const failed = await call(`${failing.url}/card.json`, '--json');
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    status: 'failed',
    text: 'half a word',
    reason: 'its task is failed',
  });
  await using silent = await startRemote({answer: () => undefined});
  expect(await call(`${silent.url}/card.json`, '--timeout', '1')).toMatchObject({
    ...{code: 1, stderr: expect.stringContaining('did not answer within 1 s')},
  });
  await using broken = await startRemote({answer: (_, response) => void response.writeHead(200).end('<html>')});
  expect(await call(`${broken.url}/card.json`)).toMatchObject({code: 1, stderr: expect.stringContaining('failed')});
  expect(await call('http://example.com/card.json')).toMatchObject({
    ...{code: 42, stderr: expect.stringContaining('is not encrypted')},
  });
  expect(await call('nowhere')).toMatchObject({code: 42, stderr: expect.stringContaining('is not an address')});
});

test('a task that is given back before its end is asked for until it has one [agents.call]', async () => {
  let polls = 0;
  await using server = await startRemote({
    answer: ({method}) => {
      if (method === 'SendMessage') return task('WORKING', '');
      polls += 1;
      const {task: own} = task(polls < 2 ? 'WORKING' : 'COMPLETED', 'At last.') as {task: object};
      return own;
    },
  });
  await using place = await openA2aPlace([]);
  expect(await place.run(['a2a', 'call', `${server.url}/card.json`, 'x'])).toMatchObject({
    code: 0,
    stdout: 'At last.\n',
  });
  expect(polls).toBe(2);
});
