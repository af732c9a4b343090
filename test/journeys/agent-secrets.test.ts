import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {openAgentPlace, says} from '../helpers/run-agent.js';

const SECRET = 'what-no-one-may-see-7';

interface Bait {
  readonly files: Readonly<Record<string, string>>;
  /** Links of the project, and where each leads. */
  readonly links?: Readonly<Record<string, string>>;
  readonly prompt?: string;
}

const outside = {'../beside.txt': SECRET, '../home/.ssh/id_rsa': SECRET};
const settings = (value: object): Readonly<Record<string, string>> => ({
  '.gemini/settings.json': JSON.stringify(value),
});

/** Sends one prompt in a project with the bait; gives what the model was sent. */
async function send({files, links = {}, prompt = 'go'}: Bait): Promise<string> {
  await using place = await openAgentPlace({files: {...outside, ...files}, script: [says('Fine.')]});
  for (const [path, target] of Object.entries(links)) await symlink(target, join(place.project, path));
  const {code} = await place.ask(['-p', prompt]);
  expect({code, requests: place.server.requests.length}).toEqual({code: 0, requests: 1});
  return JSON.stringify(place.server.requests[0]?.body);
}

describe('before a model does anything, it is not shown', () => {
  const kept: Readonly<Record<string, Bait>> = {
    'a file of secrets that the prompt mentions': {files: {'.env': SECRET}, prompt: 'look at @.env'},
    'a file outside that the prompt mentions': {files: {}, prompt: 'look at @../beside.txt'},
    'a key that the prompt mentions': {files: {'keys/id_rsa': SECRET}, prompt: 'look at @keys/id_rsa'},
    'a file outside that a context file imports': {
      files: {'GEMINI.md': '@../beside.txt @~/.ssh/id_rsa @../home/.ssh/id_rsa'},
    },
    'a file outside that a context file imports by a link': {
      files: {'GEMINI.md': '@link.txt'},
      links: {'link.txt': '../beside.txt'},
    },
  };

  test.each(Object.entries(kept))('%s [memory.imports] [agent.mentions]', async (_, bait) => {
    expect(await send(bait)).not.toContain(SECRET);
  });

  const shown: Readonly<Record<string, Bait>> = {
    'a file of secrets that a context file imports': {files: {'GEMINI.md': '@.env', '.env': SECRET}},
    'a key that a context file imports': {files: {'GEMINI.md': '@keys/id_rsa', 'keys/id_rsa': SECRET}},
    'a file outside that the project calls its context file': {
      files: settings({context: {fileName: ['../beside.txt', '../home/.ssh/id_rsa']}}),
    },
    'a file outside that the context file is a link to': {files: {}, links: {'GEMINI.md': '../beside.txt'}},
  };

  test.each(Object.entries(shown))('%s [memory.imports] [agent.mentions]', async (_, bait) => {
    expect(await send(bait)).not.toContain(SECRET);
  });
});

test('a file outside that the project calls the instruction keeps the run from asking at all [memory.imports]', async () => {
  await using place = await openAgentPlace({
    files: {...outside, '.gemini/.env': 'GEMINI_SYSTEM_MD=../beside.txt\n'},
    script: [says('Fine.')],
  });
  const {code} = await place.ask(['-p', 'go']);
  expect({code, requests: place.server.requests}).toEqual({code: 42, requests: []});
});

test('a context file really reaches the model, so that the above is not true by accident [memory.context]', async () => {
  expect(await send({files: {'GEMINI.md': `Say ${SECRET}.\n@docs/more.md\n`, 'docs/more.md': 'And more.'}})).toMatch(
    new RegExp(`Say ${SECRET}[^]*And more`),
  );
});
