import {describe, expect, test} from '@jest/globals';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting, PROMPT} from '../helpers/sit-at-gemini.js';
import {runGemini} from '../helpers/run-gemini.js';
import {atTerminal} from './run-at-terminal.js';

const files = {
  'src/deep/useTreeState.ts': 'export const useTreeState = 1;\nconst token = "no secret";\n',
  'src/index.ts': 'export * from "./deep/useTreeState.js";\n',
  'dist/index.js': 'token\n',
  '.env': 'TOKEN=of-the-project\n',
};

const engines: readonly (readonly [string, Record<string, Record<string, unknown>>])[] = [
  ['ripgrep', {}],
  ['JavaScript', {tools: {useRipgrep: false}}],
];

describe.each(engines)('with %s', (_, settings) => {
  test('a model finds lines and files, and no line of what is sensitive [search.judged] [search.engine]', async () => {
    await using place = await openAgentPlace({
      files,
      settings,
      script: [
        callsTools(['grep_search', {pattern: 'token', context: 0}], ['glob', {pattern: '**/*.ts'}]),
        says('Found.'),
      ],
    });
    const {code, events} = await place.stream(['-p', 'where is the token?']);
    const given = place.server.requests
      .at(-1)
      ?.messages.at(-1)
      ?.pieces.flatMap((piece) =>
        piece.kind === 'result' ? piece.output.map((part) => ('text' in part ? part.text : '')) : [],
      );
    expect({code, end: events.at(-1)?.status, given, faults: place.server.faults}).toEqual({
      code: 0,
      end: 'success',
      given: [
        `Found 1 match for pattern "token" in path "${place.project}":\n---\nFile: ` +
          `${place.project}/src/deep/useTreeState.ts\nL2: const token = "no secret";\n---`,
        expect.stringMatching(
          new RegExp(
            `^Found 2 files matching "\\*\\*/\\*\\.ts" within ${place.project}, sorted by modification time ` +
              `\\(newest first\\):\n`,
          ),
        ),
      ],
      faults: [],
    });
    expect(JSON.stringify([events, place.server.requests])).not.toContain('of-the-project');
  });
});

test(
  'a search by hand prints what the model would read, and says what is wrong with a pattern ' +
    '[search.pattern-position]',
  async () => {
    await using place = await openAgentPlace({files});
    const run = async (...words: readonly string[]): Promise<readonly unknown[]> => {
      const {code, stdout, stderr} = await runGemini(['tools', 'call', ...words], {
        cwd: place.project,
        home: place.home,
      });
      return [code, stdout.replaceAll(place.project, '~'), stderr];
    };
    expect(await run('grep_search', 'pattern=useTreeState =', '--yes')).toEqual([
      0,
      'Found 1 match for pattern "useTreeState =" in path "~":\n---\nFile: ~/src/deep/useTreeState.ts\nL1: export ' +
        'const useTreeState = 1;\nL2- const token = "no secret";\n---\n',
      '',
    ]);
    expect(await run('grep_search', 'pattern=useTree(', '--yes')).toEqual([
      1,
      '',
      'Error: The pattern "useTree(" cannot be read: unterminated group at character 8.\nEscape it as \\( to find ' +
        'the character itself, or set fixed_strings.\n',
    ]);
  },
);

atTerminal('a name after @ is completed wherever the file lies, and its content goes along [files.find]', async () => {
  await using place = await openAgentPlace({files, script: [says('It is a tree.')]});
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'look at @uTrSt\t'],
    ['@src/deep/useTreeState.ts', '\r'],
    ['It is a tree.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  expect(JSON.stringify(place.server.requests.at(-1)).includes('export const useTreeState = 1;')).toBe(true);
});

test('a bare name after @ in a prompt means the file that has it [files.mention]', async () => {
  await using place = await openAgentPlace({files, script: [says('It is a tree.')]});
  const {code} = await place.stream(['-p', 'look at @useTreeState.ts, not at me@example.com']);
  expect({
    code,
    isAttached: JSON.stringify(place.server.requests.at(-1)).includes('export const useTreeState = 1;'),
  }).toEqual({code: 0, isAttached: true});
});
