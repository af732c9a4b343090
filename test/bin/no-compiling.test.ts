import {spawn} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {startGeminiServer} from '../helpers/gemini-server.js';

/** Reports each function that the program makes of a text, as a compiler of schemas does. */
const watch = `const {writeSync} = require('node:fs');
globalThis.Function = new Proxy(Function, {
  construct(target, words) {
    if (String(words.at(-1)).includes('scope.schema')) writeSync(2, 'COMPILED ' + String(words.at(-1)) + '\\n');
    return Reflect.construct(target, words);
  },
});`;

test('a prompt with extensions, skills, commands and hooks compiles no schema [start.compiled]', async () => {
  await using folder = await makeFolder();
  const home = join(folder.path, 'home');
  const files = {
    'watch.cjs': watch,
    'project/GEMINI.md': 'Be brief.',
    'home/.gemini/settings.json': JSON.stringify({hooks: {BeforeTool: [{hooks: [{command: 'true'}]}]}}),
    'home/.gemini/commands/do.toml': 'prompt = "Do it."',
    'home/.gemini/extensions/one/gemini-extension.json': JSON.stringify({name: 'one', version: '1.0.0'}),
    'home/.gemini/extensions/one/GEMINI.md': 'Be kind.',
    'home/.gemini/extensions/one/hooks/hooks.json': '{"hooks": {"AfterTool": [{"hooks": [{"command": "true"}]}]}}',
    'home/.gemini/extensions/one/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidy up.\n---\nDo.\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), {recursive: true, mode: 0o700});
    await writeFile(join(folder.path, path), text, {mode: 0o600});
  }
  await using server = await startGeminiServer({script: [{pieces: [{kind: 'text', text: 'Done.'}]}]});
  const child = spawn(
    process.execPath,
    [
      '--require',
      join(folder.path, 'watch.cjs'),
      join(checkout, 'bin', 'gemini.cjs'),
      '-p',
      'hi',
      '--approval-mode',
      'yolo',
    ],
    {
      cwd: join(folder.path, 'project'),
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        GEMINI_API_KEY: 'key',
        GOOGLE_GEMINI_BASE_URL: server.url,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const texts = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts[0] += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts[1] += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, texts[0]]).toEqual([0, 'Done.\n']);
  const request = JSON.stringify(server.requests[0]);
  expect(['Be kind.', 'tidy'].filter((text) => !request.includes(text))).toEqual([]);
  expect(texts[1]).not.toContain('COMPILED');
}, 30_000);
