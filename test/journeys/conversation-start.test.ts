import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect} from '@jest/globals';
import {openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_C, CTRL_D, GeminiSitting, PROMPT, type SittingOptions} from '../helpers/sit-at-gemini.js';
import {atTerminal} from './run-at-terminal.js';

const left = {code: 0, isRestored: true};
const context = {'GEMINI.md': 'The password of the day is heron.\n'};

describe('a folder without a trust decision', () => {
  const untrusted = {variables: {GEMINI_CLI_TRUST_WORKSPACE: ''}};

  atTerminal.each([
    ['y\r', {'': 'TRUST_FOLDER'}, true],
    ['p\r', {'..': 'TRUST_PARENT'}, true],
    ['n\r', {'': 'DO_NOT_TRUST'}, false],
    ['\r', undefined, false],
  ] as const)('is asked about, and %j is kept and counts at once', async (answer, kept, isTrusted) => {
    await using place = await openAgentPlace({files: context, script: [says('Heard you.')]});
    await using sitting = await GeminiSitting.begin(place, untrusted);
    await sitting.go(['Trust it? [y]es', answer], [PROMPT, 'hello\r'], ['Heard you.', ''], [PROMPT, CTRL_D]);
    expect(await sitting.end()).toEqual(left);
    expect(
      place.server.requests.map(({system, messages}) => JSON.stringify([system, messages]).includes('heron')),
    ).toEqual([isTrusted]);
    const rules = await readFile(join(place.home, '.gemini', 'trustedFolders.json'), 'utf8').catch(() => undefined);
    const expected =
      kept &&
      Object.fromEntries(
        Object.entries(kept).map(([folder, level]) => [join(place.project, folder === '..' ? '' : folder), level]),
      );
    expect(rules === undefined ? undefined : JSON.parse(rules)).toEqual(expected);
    expect(place.server.faults).toEqual([]);
  });

  atTerminal('is not asked about again, once that was answered', async () => {
    await using place = await openAgentPlace();
    for (const question of ['Trust it? [y]es', undefined]) {
      await using sitting = await GeminiSitting.begin(place, untrusted);
      if (question !== undefined) await sitting.go([question, 'n\r']);
      await sitting.go([PROMPT, CTRL_D]);
      expect(await sitting.end()).toEqual(left);
      expect(sitting.screen.includes('Trust it?')).toBe(question !== undefined);
    }
  });

  atTerminal('Ctrl+C at the question ends it, and nothing is kept', async () => {
    await using place = await openAgentPlace();
    await using sitting = await GeminiSitting.begin(place, untrusted);
    await sitting.go(['Trust it? [y]es', CTRL_C]);
    expect(await sitting.end()).toEqual({code: 130, isRestored: true});
    await expect(readFile(join(place.home, '.gemini', 'trustedFolders.json'), 'utf8')).rejects.toThrow('ENOENT');
  });
});

describe('a prompt on the command line', () => {
  atTerminal.each([
    [{words: ['-i', 'say hello']}, 'say hello'],
    [{words: ['say', 'hello', 'twice']}, 'say hello twice'],
  ] satisfies readonly [SittingOptions, string][])(
    '%j is sent first, and the conversation continues',
    async (options, prompt) => {
      await using place = await openAgentPlace({script: [says('First said.'), says('Second said.')]});
      await using sitting = await GeminiSitting.begin(place, options);
      await sitting.go(
        [`> ${prompt}`, ''],
        ['First said.', ''],
        [PROMPT, 'more\r'],
        ['Second said.', ''],
        [PROMPT, CTRL_D],
      );
      expect(await sitting.end()).toEqual(left);
      expect(place.server.requests.map(({messages}) => messages.at(-1)?.pieces.at(-1))).toEqual([
        {kind: 'text', text: prompt},
        {kind: 'text', text: 'more'},
      ]);
    },
  );
});

atTerminal('--resume shows the end of the last conversation, and the model gets all of it', async () => {
  await using place = await openAgentPlace({script: [says('It is **blue**.'), says('As I said, blue.')]});
  await using first = await GeminiSitting.begin(place);
  await first.go([PROMPT, 'which colour\r'], ['It is **blue**.', ''], [PROMPT, CTRL_D]);
  expect(await first.end()).toEqual(left);
  await using second = await GeminiSitting.begin(place, {words: ['--resume']});
  await second.go(
    ['> which colour', ''],
    ['It is **blue**.', ''],
    [PROMPT, 'again\r'],
    ['As I said, blue.', ''],
    [PROMPT, '/sessions list\r'],
    ['(1):', ''],
    ['which colour', ''],
    [PROMPT, CTRL_D],
  );
  expect(await second.end()).toEqual(left);
  const texts = place.server.requests[1]?.messages.map(({role, pieces}) => [
    role,
    pieces.map((piece) => ('text' in piece ? piece.text : piece.kind)).at(-1),
  ]);
  expect(texts).toEqual([
    ['user', 'which colour'],
    ['model', 'It is **blue**.'],
    ['user', 'again'],
  ]);
  expect(place.server.faults).toEqual([]);
});
