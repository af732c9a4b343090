import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readdir, readFile, realpath, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {Ide} from '@gemini-kernel/plugin-ide/contract';
import {makeFolder, type Folder} from '../../helpers/make-plugin.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {isolate, runGemini} from '../../helpers/run-gemini.js';
import {startNeovim, withNeovim, type Neovim} from '../../helpers/run-neovim.js';

interface Scene {
  readonly folder: Folder;
  readonly project: string;
  readonly temporary: string;
  readonly neovim: Neovim;
  readonly companion: ReturnType<typeof spawn>;
  readonly kernel: TestKernel;
  readonly ide: Ide;
  at(name: string): string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A Neovim with two files, the companion as a process of its own, and a kernel that is connected with it. */
async function openScene(
  files: Readonly<Record<string, string>> = {'a.txt': 'one\ntwo äö 😀 three\nfour\n', 'b.txt': 'b\n'},
): Promise<Scene> {
  const folder = await makeFolder();
  const path = await realpath(folder.path);
  const [project, home, temporary] = ['project', 'home', 'tmp'].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([project, home, temporary].map((one) => mkdir(one)));
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  const neovim = await startNeovim({cwd: project, home, temporary, files: Object.keys(files)});
  const companion = spawn(
    process.execPath,
    [join(checkout, 'bin', 'gemini.cjs'), 'ide', 'neovim', '--attach', neovim.address],
    {cwd: project, env: isolate(home, {TMPDIR: temporary}), stdio: ['ignore', 'ignore', 'inherit']},
  );
  await neovim.until('vim.env.GEMINI_CLI_IDE_SERVER_PORT ~= nil');
  const kernel = await createTestKernel({
    plugins: ['settings', 'trust', 'workspace', 'policy', 'env', 'network', 'agent', 'model-gemini', 'ide'].map(
      pluginRoot,
    ),
    temporary,
    variables: {
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_IDE_SERVER_PORT: String(await neovim.lua('return vim.env.GEMINI_CLI_IDE_SERVER_PORT')),
    },
  });
  await neovim.lua(`vim.cmd('cd ${kernel.project}')`);
  const ide = await kernel.service('ide');
  for (const started = Date.now(); (await ide.connect({anyway: true})).state !== 'connected';)
    if (Date.now() - started > 10_000) throw new Error(JSON.stringify((await ide.status()).fault));
  return {
    folder,
    project,
    temporary,
    neovim,
    companion,
    kernel,
    ide,
    at: (name) => join(project, name),
    async [Symbol.asyncDispose]() {
      await kernel.close();
      await neovim[Symbol.asyncDispose]();
      if (companion.exitCode === null && companion.signalCode === null) await once(companion, 'exit');
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Waits until what is open satisfies the check. */
async function files(
  {ide}: Scene,
  fits: (files: Awaited<ReturnType<Ide['openFiles']>>) => boolean,
): Promise<Awaited<ReturnType<Ide['openFiles']>>> {
  for (const started = Date.now(); ;) {
    const open = await ide.openFiles();
    if (fits(open)) return open;
    if (Date.now() - started > 10_000) throw new Error(JSON.stringify(open));
  }
}

/** Has gemini propose a change, and waits until Neovim shows it. */
async function show(
  {ide, neovim}: Scene,
  change: {readonly path: string; readonly text: string},
): Promise<Awaited<ReturnType<Ide['showDiff']>>> {
  const shown = await ide.showDiff({call: change.path, ...change}, AbortSignal.timeout(20_000));
  await neovim.until('next(_G.gemini_companion.diffs) ~= nil');
  return shown;
}

describe('a Neovim with its companion', () => {
  withNeovim(
    'tells which files are open, where the cursor is and what is selected, also when the person has left the ' +
      'window [ide.neovim]',
    async () => {
      await using scene = await openScene();
      const {neovim, at} = scene;
      await neovim.type('jw');
      expect(await files(scene, ([first]) => first?.cursor?.line === 2)).toMatchObject([
        {path: at('a.txt'), isActive: true, cursor: {line: 2, character: 5}},
        {path: at('b.txt')},
      ]);
      await neovim.type('v$');
      expect((await files(scene, ([first]) => first?.selectedText !== undefined))[0]?.selectedText).toBe('äö 😀 three');
      await neovim.type('<Esc>:split | terminal<CR>');
      await neovim.until("vim.bo.buftype == 'terminal'");
      expect((await files(scene, ([first]) => first?.selectedText !== undefined))[0]).toMatchObject({
        path: at('a.txt'),
        isActive: true,
        selectedText: 'äö 😀 three',
      });
      await neovim.type('<C-\\\\><C-n>:bdelete!<CR>:buffer b.txt<CR>');
      expect((await files(scene, ([first]) => first?.path === at('b.txt')))[0]).toMatchObject({
        isActive: true,
        cursor: {line: 1, character: 1},
      });
      await neovim.type('ggVG');
      expect((await files(scene, ([first]) => first?.selectedText !== undefined))[0]?.selectedText).toBe('b');
    },
  );

  withNeovim(
    'shows a change as a diff: written it is accepted as it stands, closed it is rejected, and no byte is lost ' +
      '[ide.neovim]',
    async () => {
      await using scene = await openScene();
      const {neovim, at} = scene;
      const accepted = await show(scene, {path: at('a.txt'), text: 'one\nTWO\nfour'});
      expect(
        await neovim.lua(
          'return {#vim.api.nvim_list_tabpages(), vim.wo.diff, table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, ' +
            "false), '|'), vim.bo.filetype}",
        ),
      ).toEqual([2, true, 'one|TWO|four', 'text']);
      await neovim.type('Gofive<Esc>:w<CR>');
      expect(await accepted.decided).toEqual({decision: 'accepted', text: 'one\nTWO\nfour\nfive'});
      await neovim.until('#vim.api.nvim_list_tabpages() == 1');
      const rejected = await show(scene, {path: at('new/file "odd" \'name\' %#.ts'), text: 'x\r\ny\n'});
      await neovim.type(':q<CR>');
      expect(await rejected.decided).toEqual({decision: 'rejected'});
      await neovim.until('#vim.api.nvim_list_tabpages() == 1');
      const command = await show(scene, {path: at('b.txt'), text: 'x\r\ny\n'});
      await neovim.type(':GeminiAccept<CR>');
      expect(await command.decided).toEqual({decision: 'accepted', text: 'x\r\ny\n'});
      const closed = await show(scene, {path: at('b.txt'), text: ''});
      await neovim.type('ihello<Esc>');
      await neovim.until("vim.api.nvim_buf_get_lines(0, 0, -1, false)[1] == 'hello'");
      expect(await closed.close()).toEqual({text: 'hello'});
      expect(await readFile(at('a.txt'), 'utf8')).toBe('one\ntwo äö 😀 three\nfour\n');
    },
  );

  withNeovim('says why it cannot show what Neovim cannot, and leaves Neovim as it was', async () => {
    await using scene = await openScene();
    const {decided} = await scene.ide.showDiff(
      {call: 'c', path: scene.at('a.txt'), text: 'a\0b'},
      AbortSignal.timeout(10_000),
    );
    await expect(decided).rejects.toThrow(`${scene.at('a.txt')} contains zero bytes, which Neovim cannot show.`);
    expect(await scene.neovim.lua('return #vim.api.nvim_list_tabpages()')).toBe(1);
  });

  withNeovim(
    'takes no part of a file name for a command, neither the names it shows nor those it refuses',
    async () => {
      await using scene = await openScene();
      const {neovim, ide, at} = scene;
      const {decided} = await ide.showDiff(
        {call: 'odd', path: at('a.txt\ntabnew'), text: 'x'},
        AbortSignal.timeout(20_000),
      );
      await expect(decided).rejects.toThrow('filePath contains a line break or another control character');
      const shown = "return {#vim.api.nvim_list_tabpages(), vim.bo.filetype, vim.g.ran or 'nothing ran'}";
      // One that gets as far as Neovim all the same.
      for (const end of ['\ntabnew', '\rtabnew', '\ntabnew.orig']) {
        const path = JSON.stringify(at(`a.txt${end}`));
        expect(await neovim.lua(`_G.gemini_companion.open_diff(${path}, 'a', 'b') ${shown}`)).toEqual([
          2,
          '',
          'nothing ran',
        ]);
        await neovim.lua(`_G.gemini_companion.close_diff(${path})`);
      }
      for (const name of [
        'a | let g:ran=1 | .lua',
        '`let g:ran=1`.lua',
        '*?[a]{b,c}.lua',
        "' .. execute('let g:ran=1') .. '.lua",
        '%{execute("let g:ran=1")}.lua',
        '#%<cfile>.lua',
        '+let g:ran=1.lua',
        ' ~$HOME.lua',
      ]) {
        const diff = await show(scene, {path: at(name), text: name});
        expect([name, await neovim.lua(shown)]).toEqual([name, [2, 'lua', 'nothing ran']]);
        expect(await diff.close()).toEqual({text: name});
      }
      expect(await neovim.lua('return #vim.api.nvim_list_tabpages()')).toBe(1);
    },
  );

  withNeovim.each(['SIGINT', 'SIGTERM'] as const)(
    'that is ended by %s takes back the variables that still have its values, and Neovim lives on',
    async (signal) => {
      await using scene = await openScene();
      const {neovim, companion} = scene;
      await neovim.lua("vim.env.GEMINI_CLI_IDE_WORKSPACE_PATH = '/of/the/person'");
      companion.kill(signal);
      await once(companion, 'exit');
      const names = ['SERVER_PORT', 'AUTH_TOKEN', 'WORKSPACE_PATH'].map(
        (name) => `vim.env.GEMINI_CLI_IDE_${name} or ''`,
      );
      expect([
        await neovim.lua(`return {${names.join(', ')}}`),
        await readdir(join(scene.temporary, 'gemini', 'ide')),
      ]).toEqual([['', '', '/of/the/person'], []]);
    },
  );

  withNeovim('that gave way to another leaves the variables of that one', async () => {
    await using scene = await openScene();
    const {neovim, companion, project, temporary} = scene;
    const first = await neovim.lua('return vim.env.GEMINI_CLI_IDE_SERVER_PORT');
    const env = isolate(join(temporary, '..', 'home'), {TMPDIR: temporary});
    const later = spawn(
      process.execPath,
      [join(checkout, 'bin', 'gemini.cjs'), 'ide', 'neovim', '--attach', neovim.address],
      {cwd: project, env, stdio: ['ignore', 'ignore', 'inherit']},
    );
    await neovim.until(`vim.env.GEMINI_CLI_IDE_SERVER_PORT ~= '${String(first)}'`);
    companion.kill('SIGINT');
    await once(companion, 'exit');
    const [port, token] = (await neovim.lua(
      "return {vim.env.GEMINI_CLI_IDE_SERVER_PORT or '', vim.env.GEMINI_CLI_IDE_AUTH_TOKEN or ''}",
    )) as [string, string];
    expect([await readdir(join(temporary, 'gemini', 'ide')), token.length]).toEqual([
      [`gemini-ide-server-${neovim.child.pid ?? 0}-${port}.json`],
      43,
    ]);
    later.kill('SIGINT');
    await once(later, 'exit');
    expect(await neovim.lua("return vim.env.GEMINI_CLI_IDE_SERVER_PORT or 'none'")).toBe('none');
  });

  withNeovim('passes the conformance suite [ide.neovim-conforms]', async () => {
    await using scene = await openScene();
    const port = String(await scene.neovim.lua('return vim.env.GEMINI_CLI_IDE_SERVER_PORT'));
    const {code, stdout} = await runGemini(['ide', 'check-companion', port, '--json'], {
      cwd: scene.project,
      home: join(scene.temporary, '..', 'home'),
      variables: {TMPDIR: scene.temporary},
    });
    const report = JSON.parse(stdout) as {readonly checks: readonly {readonly name: string; readonly status: string}[]};
    expect([code, report.checks.filter(({status}) => status === 'failed')]).toEqual([0, []]);
    expect(report.checks.length).toBeGreaterThan(10);
  });

  withNeovim.each(['SIGKILL', 'SIGTERM'] as const)(
    'ends with Neovim, and leaves no file behind: %s',
    async (signal) => {
      await using scene = await openScene();
      scene.neovim.child.kill(signal);
      const [code] = (await once(scene.companion, 'exit')) as [number | null];
      expect([code, await readdir(join(scene.temporary, 'gemini', 'ide'))]).toEqual([0, []]);
    },
  );
});

test.each([
  [['--attach', '/nowhere/nvim.sock'], 42, 'NEOVIM_UNREACHABLE', 'Cannot reach Neovim at /nowhere/nvim.sock'],
  [[], 42, 'NEOVIM_UNREACHABLE', 'No Neovim to attach to'],
  [['--install'], 1, 'NEOVIM_FILE_UNWRITABLE', 'Cannot write '],
])('%j says what is missing', async (argv, exit, code, message) => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, '.local'), 'a file where a folder is due');
  const ended = await runGemini(['ide', 'neovim', ...argv, '--json'], {cwd: folder.path, home: folder.path});
  expect([ended.code, JSON.parse(ended.stdout || ended.stderr)]).toEqual([
    exit,
    {error: expect.objectContaining({code, message: expect.stringContaining(message)})},
  ]);
});

test('an address where something else answers is reported', async () => {
  await using folder = await makeFolder();
  const address = join(folder.path, 'other.sock');
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(address);
  await once(server, 'listening');
  const {code, stdout, stderr} = await runGemini(['ide', 'neovim', '--attach', address, '--json'], {
    cwd: folder.path,
    home: folder.path,
  });
  server.close();
  expect([code, JSON.parse(stdout || stderr)]).toEqual([
    1,
    {
      error: expect.objectContaining({
        code: 'NEOVIM_UNFIT',
        message: expect.stringContaining(`Cannot use the program at ${address} as Neovim`),
      }),
    },
  ]);
});

withNeovim('--install makes every Neovim start the companion automatically [ide.neovim-install]', async () => {
  await using folder = await makeFolder();
  const path = await realpath(folder.path);
  const [home, temporary] = [join(path, 'home'), join(path, 'tmp')];
  await Promise.all([mkdir(home), mkdir(temporary)]);
  const {stdout} = await runGemini(['ide', 'neovim', '--install', '--json'], {cwd: path, home});
  expect(JSON.parse(stdout)).toEqual({
    file: join(home, '.local', 'share', 'nvim', 'site', 'pack', 'gemini', 'start', 'gemini', 'plugin', 'gemini.lua'),
  });
  const bin = join(path, 'bin');
  await mkdir(bin);
  await writeFile(
    join(bin, 'gemini'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(checkout, 'bin', 'gemini.cjs')}' "$@"\n`,
    {mode: 0o755},
  );
  await using neovim = await startNeovim({
    cwd: path,
    home,
    temporary,
    variables: {PATH: `${bin}:${process.env['PATH'] ?? ''}`},
  });
  await neovim.until('vim.env.GEMINI_CLI_IDE_SERVER_PORT ~= nil');
  expect(await readdir(join(temporary, 'gemini', 'ide'))).toEqual([
    expect.stringMatching(new RegExp(`^gemini-ide-server-${neovim.child.pid ?? 0}-\\d+\\.json$`)),
  ]);
});
