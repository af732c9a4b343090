import {execFile} from 'node:child_process';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate} from '../../helpers/run-gemini.js';
import {hook} from './scene.js';

const run = promisify(execFile);
/** The program with an installed plugin that writes down what `hook:end` and `tool:end` announce. */
const program = join(checkout, 'test', 'fixtures', 'reference', 'gemini.mjs');

test('other plugins hear of each run of a hook, with its input and outcome [hooking.announced]', async () => {
  await using folder = await makeFolder();
  const [home, project] = [join(folder.path, 'home'), join(folder.path, 'project')];
  await mkdir(join(home, '.gemini'), {recursive: true});
  await mkdir(project);
  const hooks = {
    BeforeTool: [{hooks: [hook('cat >/dev/null; echo noted', {name: 'notes'})]}],
    AfterTool: [{hooks: [hook('cat >/dev/null; exit 2', {name: 'breaks'})]}],
  };
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({hooks}));
  await writeFile(join(project, 'a.txt'), 'one\n');
  await run(process.execPath, [program, 'tools', 'call', 'read_file', 'file_path=a.txt'], {
    cwd: project,
    env: isolate(home, {GEMINI_CLI_HOME: home}),
  });
  const lines = (await readFile(join(home, 'telemetry.log'), 'utf8')).trim().split('\n');
  const events = lines.map((line) => (JSON.parse(line) as {readonly attributes: Record<string, unknown>}).attributes);
  const input = (name: string): unknown =>
    JSON.parse(String(events.find(({hook_name: one}) => one === name)?.['hook_input']));
  expect(events).toMatchObject([
    {hook_event_name: 'BeforeTool', hook_name: 'notes', exit_code: 0, stdout: 'noted', success: true},
    {
      hook_event_name: 'AfterTool',
      hook_name: 'breaks',
      exit_code: 2,
      stdout: '',
      success: false,
      error: 'The hook "breaks" (AfterTool, user) ended with exit code 2 and gave no reason.',
    },
    {'event.name': 'gemini_cli.tool_call', function_name: 'read_file', success: true},
  ]);
  expect(input('notes')).toMatchObject({hook_event_name: 'BeforeTool', tool_name: 'read_file', cwd: project});
});
