import {expect, test} from '@jest/globals';
import {openAgentPlace} from '../../helpers/run-agent.js';
import {agentFile} from './scene.js';

const event = (...events: readonly object[]): string =>
  JSON.stringify({method: 'stream', model: 'recorded', response: [...events, {kind: 'end', reason: 'stop'}]});
const says = (text: string): string => event({kind: 'text', text});

test.each(['cli_help', 'codebase_investigator', 'generalist', 'reviewer'])(
  'the built-in agent %s passes its cases on recorded answers [agents.test]',
  async (name) => {
    await using place = await openAgentPlace();
    const {code, stdout} = await place.run(['agents', 'test', name, '--json']);
    const {failed, cases} = JSON.parse(stdout) as {failed: number; cases: readonly {name: string; faults: string[]}[]};
    expect(cases.flatMap(({faults}) => faults)).toEqual([]);
    expect({code, failed, some: cases.length > 0}).toEqual({code: 0, failed: 0, some: true});
  },
);

test('cases beside a file say what failed and why, and need no installed agent [agents.test]', async () => {
  await using place = await openAgentPlace({
    files: {
      // A recording counts before the model of the definition.
      'helper.md': agentFile('helper', 'model: flash\n'),
      'helper.tests/good.toml':
        'prompt = "-go"\nrecording = "good.jsonl"\nexpect_calls = ["write_file"]\nexpect_answer = ["done"]\n' +
        '[expect_files]\n"out.txt" = "x"\n',
      'helper.tests/good.jsonl': [
        event({kind: 'call', id: '1', name: 'write_file', input: {file_path: 'out.txt', content: 'xyz'}}),
        says('All done.'),
      ].join('\n'),
      'helper.tests/wrong.toml':
        'prompt = "x"\nrecording = "wrong.jsonl"\nexpect_calls = ["read_file"]\nexpect_answer = ["yes"]\n',
      'helper.tests/wrong.jsonl': says('No.'),
      'helper.tests/short.toml': 'prompt = "x"\nrecording = "short.jsonl"\n',
      'helper.tests/short.jsonl': event({kind: 'call', id: '1', name: 'list_directory', input: {dir_path: '.'}}),
      'odd.md': agentFile('odd'),
      'odd.tests/a.toml': 'prompt = "x"\n[files]\n"../x" = "y"\n',
      'none.md': agentFile('none'),
    },
  });
  await place.run(['trust', 'add']);
  const {code, stdout} = await place.run(['agents', 'test', 'helper.md', '--json']);
  expect({code, ...(JSON.parse(stdout) as object)}).toMatchObject({
    ...{code: 1, name: 'helper', passed: 1, failed: 2},
    cases: [
      {name: 'good', passed: true, calls: ['write_file']},
      {name: 'short', passed: false, faults: [expect.stringContaining('The run failed: ')]},
      {name: 'wrong', faults: ['read_file was not called.', 'The answer does not contain "yes".']},
    ],
  });
  expect(place.server.requests).toEqual([]);
  expect(await place.run(['agents', 'test', 'odd.md'])).toMatchObject({
    ...{code: 42, stderr: expect.stringContaining('leads outside')},
  });
  expect(await place.run(['agents', 'test', 'none.md'])).toMatchObject({
    ...{code: 42, stderr: expect.stringContaining('has no cases in')},
  });
});

test('config writes what the settings of agents say, and shows what counts [agents.config]', async () => {
  await using place = await openAgentPlace();
  const config = async (...words: readonly string[]) => {
    const {code, stdout, stderr} = await place.run(['agents', 'config', 'reviewer', ...words, '--json']);
    return {code, stderr, ...(stdout.startsWith('{') ? (JSON.parse(stdout) as object) : {})};
  };
  expect(await config()).toMatchObject({code: 0, model: 'inherit', maxTurns: 40, maxMinutes: 10});
  expect(await config('--model', 'pro', '--max-turns', '5', '--max-minutes', '2.5')).toMatchObject({
    ...{code: 0, model: 'pro', maxTurns: 5, maxMinutes: 2.5},
  });
  const settings = JSON.parse(await place.read('../home/.gemini/settings.json')) as {agents: object};
  expect(settings.agents).toEqual({
    overrides: {reviewer: {modelConfig: {model: 'pro'}, runConfig: {maxTurns: 5, maxTimeMinutes: 2.5}}},
  });
  expect(await config('--model', '', '--max-turns', '')).toMatchObject({
    model: 'inherit',
    maxTurns: 40,
    maxMinutes: 2.5,
  });
  expect(await config('--max-tokens', '20000', '--max-cost', '0.5')).toMatchObject({maxTokens: 20_000, maxCost: 0.5});
  expect(await config('--max-turns', '1.5')).toMatchObject({code: 42});
});
