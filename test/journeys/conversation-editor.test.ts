import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';
import {startNeovim, withNeovim} from '../helpers/run-neovim.js';
import {CTRL_D, GeminiSitting, PROMPT, QUESTION} from '../helpers/sit-at-gemini.js';

const edit = callsTools(['write_file', {file_path: 'a.txt', content: 'new\n'}]);

/** A Neovim with its companion in the project of a place, and a person at a terminal beside it. */
async function sitBesideNeovim(place: AgentPlace) {
  const temporary = join(dirname(place.home), 'tmp');
  await mkdir(temporary);
  await mkdir(join(place.home, '.gemini'), {recursive: true});
  await writeFile(
    join(place.home, '.gemini', 'settings.json'),
    JSON.stringify({ui: {mode: 'console'}, ide: {enabled: true}}),
  );
  const neovim = await startNeovim({cwd: place.project, home: place.home, temporary, files: ['a.txt']});
  const companion = spawn(
    process.execPath,
    [join(checkout, 'bin', 'gemini.cjs'), 'ide', 'neovim', '--attach', neovim.address],
    {cwd: place.project, env: isolate(place.home, {TMPDIR: temporary}), stdio: ['ignore', 'ignore', 'inherit']},
  );
  await neovim.until('vim.env.GEMINI_CLI_IDE_SERVER_PORT ~= nil');
  const sitting = await GeminiSitting.begin(place, {variables: {TMPDIR: temporary}});
  return {
    neovim,
    sitting,
    async [Symbol.asyncDispose]() {
      await sitting[Symbol.asyncDispose]();
      await neovim[Symbol.asyncDispose]();
      if (companion.exitCode === null) await once(companion, 'exit');
    },
  };
}

withNeovim('a change is edited and taken in Neovim, while the terminal asks about the same [ide.journey]', async () => {
  await using place = await openAgentPlace({files: {'a.txt': 'old\n'}, script: [edit, says('It is done.')]});
  await using beside = await sitBesideNeovim(place);
  const {neovim, sitting} = beside;
  await sitting.go([PROMPT, 'write it\r'], [QUESTION, '']);
  await neovim.until('vim.wo.diff');
  await neovim.type('Goand mine<Esc>:w<CR>');
  await sitting.go(['This is no longer asked.', ''], ['It is done.', ''], [PROMPT, CTRL_D]);
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  expect(await readFile(join(place.project, 'a.txt'), 'utf8')).toBe('new\nand mine\n');
  const first = JSON.stringify(place.server.requests[0]?.messages);
  expect(first).toContain('"activeFile'.replaceAll('"', '\\"'));
});

withNeovim(
  'a yes in the terminal closes the diff in Neovim and takes what was edited there [ide.journey]',
  async () => {
    await using place = await openAgentPlace({files: {'a.txt': 'old\n'}, script: [edit, says('It is done.')]});
    await using beside = await sitBesideNeovim(place);
    const {neovim, sitting} = beside;
    await sitting.go([PROMPT, 'write it\r'], [QUESTION, '']);
    await neovim.until('vim.wo.diff');
    await neovim.type('Goand mine<Esc>');
    await neovim.until("vim.api.nvim_buf_get_lines(0, 0, -1, false)[2] == 'and mine'");
    sitting.type('y');
    await sitting.go(['It is done.', ''], [PROMPT, CTRL_D]);
    expect(await sitting.end()).toEqual({code: 0, isRestored: true});
    expect(await readFile(join(place.project, 'a.txt'), 'utf8')).toBe('new\nand mine\n');
    await neovim.until('#vim.api.nvim_list_tabpages() == 1');
  },
);
