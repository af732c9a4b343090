import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {openAgentPlace, says} from '../../helpers/run-agent.js';
import {matches, readSteps} from '../../docs/markdown-steps.js';
import {splitWords} from '#plugins/custom-commands/dist/template/find-arguments.js';
import {parseFile} from '#plugins/custom-commands/dist/files/parse-file.js';

test('a custom command is a prompt headless, and ends the run with 56 when its shell command is refused [commands.headless]', async () => {
  await using place = await openAgentPlace({
    script: [says('Done.')],
    files: {
      '../home/.gemini/commands/fix.toml': 'prompt = "User fix"\n',
      '.gemini/commands/run.toml': 'prompt = "!{touch {{args}}} ok"',
      'a.txt': 'A',
    },
  });
  expect(await place.run(['-p', '/fix now'])).toMatchObject({code: 0, stdout: 'Done.\n'});
  const pieces = place.server.requests[0]?.messages.at(-1)?.pieces ?? [];
  expect(pieces).toContainEqual({kind: 'text', text: 'User fix\n\n/fix now'});
  const {code, report} = await place.ask(['-p', '/run canary']);
  expect(code).toBe(56);
  expect(report.error).toMatchObject({code: 'CUSTOM_COMMAND_REFUSED', exit: 56});
  await expect(stat(join(place.project, 'canary'))).rejects.toThrow('ENOENT');
});

test('every block of docs/commands.md works [commands.guide]', async () => {
  const page = join(checkout, 'docs', 'commands.md');
  await using place = await openAgentPlace({script: [says('Done.')]});
  const steps = await readSteps(page);
  for (const step of steps) {
    if (step.kind !== 'command') continue;
    const [, ...words] = splitWords(step.command);
    const {stdout, stderr} = await place.run(words);
    expect({command: step.command, output: stderr + stdout}).toEqual({
      command: step.command,
      output: matches(step.output, stderr + stdout) ? stderr + stdout : step.output,
    });
  }
  expect(steps.length).toBeGreaterThan(4);
  const [, example = ''] = /```toml\n([^]*?)```/.exec(await readFile(page, 'utf8')) ?? [];
  expect(await parseFile('example.toml', example, 'bash')).toMatchObject({
    description: 'Write a commit message',
    parts: [{}, {kind: 'arguments'}, {}, {kind: 'shell'}, {}, {kind: 'file'}, {}],
  });
});
