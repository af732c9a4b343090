import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting, PROMPT, QUESTION} from '../helpers/sit-at-gemini.js';
import {atTerminal} from './run-at-terminal.js';

const left = {code: 0, isRestored: true};

atTerminal('what a conversation is, knows and has cost can be asked in it', async () => {
  await using place = await openAgentPlace({
    files: {'GEMINI.md': 'Herons are grey.\n', 'a.txt': 'old\n'},
    script: [callsTools(['read_file', {file_path: 'a.txt'}]), says('It says old.')],
  });
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, '/stats\r'],
    ['There are no requests yet.', ''],
    [PROMPT, 'look\r'],
    ['It says old.', ''],
    [PROMPT, '/stats\r'],
    ['model-a  2 requests', ''],
    ['20 in', ''],
    ['read_file  1 call', ''],
    [PROMPT, '/model\r'],
    ['gemini:model-a', ''],
    ['Which model? (number, Enter for 1): ', '\u001b'],
    [PROMPT, '/model model-b\r'],
    ['model-b', ''],
    [PROMPT, '/tools list\r'],
    ['read_file', ''],
    ['write_file', ''],
    [PROMPT, '/memory show\r'],
    ['Herons are grey.', ''],
    [PROMPT, '/policy explain last\r'],
    ['read_file', ''],
    ['allow', ''],
    ['Rules that were looked at', ''],
    [PROMPT, '/chat list\r'],
    ['There are no saved conversations.', ''],
    [PROMPT, '/chat save one\r'],
    ['Saved as one.', ''],
    [PROMPT, '/chat save one\r'],
    ['--force', ''],
    [PROMPT, '/chat list\r'],
    ['  one (', ''],
    [PROMPT, '/sessions\r'],
    ['(1):', ''],
    [PROMPT, '/staats\r'],
    ['There is no command /staats.', ''],
    ['Did you mean /stats?', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect([place.server.requests.length, place.server.faults]).toEqual([2, []]);
});

atTerminal('/model chooses who answers from the next prompt on', async () => {
  await using place = await openAgentPlace({script: [says('One.'), says('Two.')]});
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'first\r'],
    ['One.', ''],
    [PROMPT, '/model model-b\r'],
    ['model-b', ''],
    [PROMPT, 'second\r'],
    ['Two.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect(place.server.requests.map(({model}) => model)).toEqual(['model-a', 'model-b']);
});

atTerminal('/directory add lets the very next call reach it', async () => {
  const reads = callsTools(['read_file', {file_path: '../beside/b.txt'}]);
  await using place = await openAgentPlace({
    files: {'../beside/b.txt': 'from beside\n'},
    script: [reads, says('I cannot.'), reads, says('Now I can.')],
  });
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'read\r'],
    ['I cannot.', ''],
    [PROMPT, '/directory add ../beside\r'],
    ['beside', ''],
    [PROMPT, 'again\r'],
    ['Now I can.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  const results = [1, 3].map((index) =>
    place.server.requests[index]?.messages.at(-1)?.pieces.find(({kind}) => kind === 'result'),
  );
  expect(results).toEqual([
    expect.objectContaining({failed: true}),
    expect.objectContaining({failed: false, output: [{text: 'from beside\n'}]}),
  ]);
});

atTerminal('/compress puts a summary in the place of what was said', async () => {
  const long = Array.from(
    {length: 200},
    (_, index) => `${(index * 7919 + 13) % 104_729} herons will be forgotten, `,
  ).join('');
  await using place = await openAgentPlace({
    settings: {model: {compressionThreshold: 1}},
    script: [
      says(long),
      says(long),
      says(long),
      says('<state_snapshot>It was about herons.</state_snapshot>'),
      says('Herons.'),
    ],
  });
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'one\r'],
    [PROMPT, 'two\r'],
    [PROMPT, 'three\r'],
    [PROMPT, '/compress\r'],
    ['tokens before', ''],
    [PROMPT, 'what was it about\r'],
    ['Herons.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  const last = JSON.stringify(place.server.requests.at(-1)?.messages);
  expect([last.includes('It was about herons.'), last.split('herons will be').length - 1, place.server.faults]).toEqual(
    [true, 0, []],
  );
});

const edits = [
  callsTools(['read_file', {file_path: 'a.txt'}]),
  callsTools(['replace', {file_path: 'a.txt', old_string: 'old', new_string: 'new', instruction: 'Make it new.'}]),
  says('It is new.'),
];

atTerminal('/restore brings a file back, and the conversation stays', async () => {
  await using place = await openAgentPlace({files: {'a.txt': 'old\n'}, script: [...edits, says('I remember.')]});
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'edit\r'],
    [QUESTION, 'y'],
    ['It is new.', ''],
    [PROMPT, '/restore\r'],
    ['1. replace', ''],
    ['a.txt', ''],
    [PROMPT, '/restore 1\r'],
    ['a.txt', ''],
    [PROMPT, 'do you remember\r'],
    ['I remember.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect([
    await place.read('a.txt'),
    JSON.stringify(place.server.requests.at(-1)?.messages).includes('"edit"'),
    place.server.faults,
  ]).toEqual(['old\n', true, []]);
});

atTerminal.each([
  ['y', '{"old": 1}\n'],
  ['n', '{"new": 1}\n'],
])(
  '/restore asks on the screen about a file that rules guard, and %j decides [ask.everywhere]',
  async (answer, text) => {
    await using place = await openAgentPlace({
      files: {'package.json': '{"old": 1}\n'},
      script: [
        callsTools(['read_file', {file_path: 'package.json'}]),
        callsTools([
          'replace',
          {file_path: 'package.json', old_string: 'old', new_string: 'new', instruction: 'Make it new.'},
        ]),
        says('It is new.'),
      ],
    });
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go(
      [PROMPT, 'edit\r'],
      [QUESTION, 'y'],
      ['It is new.', ''],
      [PROMPT, '/restore 1\r'],
      ['Rules ask about these files', ''],
      ['package.json', ''],
      ['Restore them too? [y/N] ', `${answer}\r`],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    expect(await place.read('package.json')).toBe(text);
  },
);

atTerminal('/rewind takes a prompt and its changes back, and the model never hears of them', async () => {
  await using place = await openAgentPlace({
    files: {'a.txt': 'old\n'},
    script: [says('Hello.'), ...edits, says('Nothing happened.')],
  });
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'hello\r'],
    ['Hello.', ''],
    [PROMPT, 'edit\r'],
    [QUESTION, 'y'],
    ['It is new.', ''],
    [PROMPT, '/rewind\r'],
    ['2. edit (1 file +1 -1)', ''],
    ['Which one? ', 'v 2\r'],
    ['a.txt changes (+1 -1)', ''],
    ['1 - new', ''],
    ['1 + old', ''],
    ['Which one? ', '2\r'],
    ['restore the files?', ''],
    ['(y/n) ', 'y\r'],
    ['The conversation is back at the point before: edit', ''],
    ['> edit', '\u0015'],
    [PROMPT, 'what happened\r'],
    ['Nothing happened.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  const said = place.server.requests
    .at(-1)
    ?.messages.map(({pieces}) => pieces.map((piece) => ('text' in piece ? piece.text : piece.kind)).at(-1));
  expect([said, await place.read('a.txt'), place.server.faults]).toEqual([
    ['hello', 'Hello.', 'what happened'],
    'old\n',
    [],
  ]);
});

atTerminal('Tab completes a file, whose text the model then gets', async () => {
  await using place = await openAgentPlace({
    files: {'alphabet.txt': 'abc\n', 'beta.txt': ''},
    script: [says('It has three.')],
  });
  await mkdir(join(place.project, 'sub'));
  await writeFile(join(place.project, 'sub', 'other.txt'), '');
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go([PROMPT, 'count @alp\t'], ['count @alphabet.txt ', '\r'], ['It has three.', ''], [PROMPT, CTRL_D]);
  expect(await sitting.end()).toEqual(left);
  expect(JSON.stringify(place.server.requests[0]?.messages)).toContain('abc');
});
