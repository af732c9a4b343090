import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {ScriptedAnswer, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../helpers/gemini-server.js';
import {startOpenaiServer} from '../helpers/openai-server.js';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, says} from '../helpers/run-agent.js';
import {makeNewcomer} from './newcomer.js';
import {readScripts} from './markdown-steps.js';

const page = join(checkout, 'docs', 'evals.md');
const SUM = 'export function sum(a, b) {\n  return a + b;\n}\n';
const USE = "import {sum} from './math.js';\nconsole.log(sum(1, 2));\n";

/** Does what the evaluation of the page asks for. */
function renames({messages}: SeenRequest): ScriptedAnswer {
  const isDone = messages.at(-1)?.pieces.some(({kind}) => kind === 'result') ?? false;
  if (isDone) return says('The function is called sum now.');
  return callsTools(
    ['write_file', {file_path: 'math.js', content: SUM}],
    ['write_file', {file_path: 'main.js', content: USE}],
  );
}

test('the files and scripts of docs/evals.md do what it says, in an empty home [evals.guide]', async () => {
  await using gemini = await startGeminiServer({script: renames});
  await using openai = await startOpenaiServer({script: renames});
  await using newcomer = await makeNewcomer({
    ...{GEMINI_API_KEY: 'a-key', GOOGLE_GEMINI_BASE_URL: gemini.url},
    ...{OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: `${openai.url}/v1`},
  });
  const ended: string[] = [];
  for (const step of await readScripts(page)) {
    if (step.kind === 'file') {
      await newcomer.write(step.path, step.text);
      continue;
    }
    // How often each is repeated changes nothing about what is shown, but takes time.
    const line = step.command.replace('--repeat 5', '--repeat 1');
    const output = await newcomer.run(`${line}; echo "ended with $?"`);
    expect({line, output}).toEqual({line, output: expect.stringMatching(/ended with 0\n$/)});
    ended.push(line);
  }
  expect(ended).toHaveLength(13);
  expect(gemini.requests.length).toBeGreaterThan(0);
  expect(openai.requests.length).toBeGreaterThan(0);
}, 120_000);
