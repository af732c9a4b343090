import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmod, mkdir, readFile, realpath, symlink, watch, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate, runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {startKit} from './companion-kit.js';
import {installCompanion, type InstallParts} from '#plugins/ide/dist/install/install-companion.js';
import {installableEditors, type InstallableEditor} from '#plugins/ide/dist/install/installable-editors.js';
import {listPlaces} from '#plugins/ide/dist/install/find-command-line.js';
import {readCmdFile} from '#plugins/ide/dist/install/read-cmd-file.js';

const EXTENSION = 'google.gemini-cli-vscode-ide-companion';

const editorOf = (name: string): InstallableEditor => {
  const found = installableEditors.find((one) => one.name === name);
  if (!found) throw new Error(`No editor ${name}.`);
  return found;
};

interface Place {
  readonly path: string;
  /** In PATH, before what the program itself needs. */
  readonly programs: string;
  /** Writes a script of sh there. */
  script(name: string, body: string): Promise<string>;
  run(words: readonly string[], variables?: Readonly<Record<string, string>>): Promise<RunResult>;
  readonly environment: InstallParts['environment'];
  readonly variables: Readonly<Record<string, string>>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function openPlace(): Promise<Place> {
  const made = await makeFolder();
  const path = await realpath(made.path);
  const [programs, home, project] = [join(path, 'programs'), join(path, 'home'), join(path, 'project')];
  for (const one of [programs, home, project]) await mkdir(one);
  const variables = {PATH: `${programs}:/usr/bin:/bin`, TMPDIR: path};
  return {
    path,
    programs,
    variables,
    environment: {cwd: project, home, platform: 'linux', variables},
    async script(name, body) {
      const file = join(programs, name);
      await writeFile(file, `#!/bin/sh\n${body}\n`);
      await chmod(file, 0o755);
      return file;
    },
    run: (words, more = {}) =>
      runGemini(['ide', 'install', ...words], {cwd: project, home, variables: {...variables, ...more}}),
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}

const {signal: never} = new AbortController();

describe('the command of an editor', () => {
  test('success is reported when it ends with 0, with what it said; it got the words one by one and no input', async () => {
    await using place = await openPlace();
    const file = await place.script(
      'code',
      `printf '[%s]' "$@" > "${place.path}/words"; cat; echo "(node:7) [DEP0040] DeprecationWarning: old" >&2; ` +
        `echo "Extension '${EXTENSION}' v1.2.3 was successfully installed."`,
    );
    const {code, stdout, stderr} = await place.run(['vscode']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `✓ Installed the companion into VS Code with ${file}.\nExtension '${EXTENSION}' v1.2.3 was successfully ` +
        `installed.\nOpen a folder and a new terminal in VS Code, and run gemini ide enable there.\n`,
    );
    expect(await readFile(join(place.path, 'words'), 'utf8')).toBe(`[--install-extension][${EXTENSION}][--force]`);
  });

  test('as JSON', async () => {
    await using place = await openPlace();
    const command = await place.script('cursor', 'exit 0');
    const {stdout} = await place.run(['cursor', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      installed: true,
      editor: {name: 'cursor', displayName: 'Cursor'},
      command,
      said: '',
      connected: false,
      next: expect.stringContaining('gemini ide enable'),
    });
  });

  test('its failure is reported with its own last words and its code', async () => {
    await using place = await openPlace();
    const command = await place.script(
      'code',
      'echo "Installing extensions..."; echo "Failed Installing Extensions: unable to get local issuer ' +
        'certificate" >&2; exit 3',
    );
    const {code, stderr} = await place.run(['vscode']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Error: Cannot install the companion into VS Code: ${command} ended with code 3: Installing ` +
        `extensions... Failed Installing Extensions: unable to get local issuer certificate.\nAdd the extension ` +
        `${EXTENSION} in its Extensions view.\n`,
    );
    const {stdout} = await place.run(['vscode', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {code: 'IDE_INSTALL_FAILED', exit: 1, message: expect.stringContaining('ended with code 3')},
    });
  });

  test('of a fork it says where that gets extensions from, and what is left where it has none', async () => {
    await using place = await openPlace();
    await place.script('codium', `echo "Extension '${EXTENSION}' not found."; exit 1`);
    const {code, stderr} = await place.run(['vscodium']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`'${EXTENSION}' not found.`)]);
    expect(stderr).toContain(
      'VSCodium takes extensions from Open VSX or its own marketplace, which may not have it; to install a .vsix file',
    );
  });

  test('one that ends by a signal, says too much, or is no program, is a failure that says so', async () => {
    await using place = await openPlace();
    const install = (): Promise<unknown> =>
      installCompanion(editorOf('vscode'), {environment: place.environment, signal: never});
    await place.script('code', 'kill -9 $$');
    await expect(install()).rejects.toMatchObject({
      code: 'IDE_INSTALL_FAILED',
      message: expect.stringContaining('ended by a signal: it gave no reason'),
    });
    await place.script('code', 'yes "a long story" | head -c 300000; exit 1');
    const failure = await install().catch((error: Error) => error);
    expect((failure as Error).message.length).toBeLessThan(1300);
    const file = join(place.programs, 'code');
    await writeFile(file, '#!/no/such/interpreter\n');
    await expect(install()).rejects.toMatchObject({
      code: 'IDE_INSTALL_FAILED',
      message: expect.stringContaining(`${file} could not be started`),
    });
  });

  test('one that hangs is ended after its time, with what it started, and when the person interrupts', async () => {
    await using place = await openPlace();
    const pidFile = join(place.path, 'pid');
    await place.script('code', `sh -c 'echo $$ > "${pidFile}"; exec sleep 1000'; :`);
    const begun = Date.now();
    await expect(
      installCompanion(editorOf('vscode'), {environment: place.environment, signal: never, mostMs: 700}),
    ).rejects.toMatchObject({
      code: 'IDE_INSTALL_FAILED',
      message: expect.stringContaining('did not end within 0.7 seconds, so gemini stopped it'),
    });
    expect(Date.now() - begun).toBeLessThan(5000);
    const pid = Number(await readFile(pidFile, 'utf8'));
    await expect(goneSoon(pid)).resolves.toBe(true);
    const stopped = new AbortController();
    const reason = new Error('The person stopped it.');
    const running = installCompanion(editorOf('vscode'), {environment: place.environment, signal: stopped.signal});
    stopped.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  test('Ctrl+C ends the program and the command', async () => {
    await using place = await openPlace();
    const pidFile = join(place.path, 'pid');
    await place.script('code', `echo $$ > "${pidFile}.new"; mv "${pidFile}.new" "${pidFile}"; exec sleep 1000`);
    const watching = watch(place.path, {signal: AbortSignal.timeout(15_000)});
    const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), 'ide', 'install', 'vscode'], {
      cwd: place.environment.cwd,
      env: isolate(place.environment.home, place.variables),
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    for await (const {filename} of watching) if (filename === 'pid') break;
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    await expect(goneSoon(Number(await readFile(pidFile, 'utf8')))).resolves.toBe(true);
  });

  test('one that is nowhere is said, with what to do', async () => {
    // Where the real one may be installed it would be run.
    if (process.platform === 'darwin') return;
    await using place = await openPlace();
    const {code, stderr} = await place.run(['positron'], {PATH: place.programs});
    expect([code, stderr]).toEqual([
      1,
      'Error: Cannot install the companion with the command line of Positron (positron): it is neither in PATH nor ' +
        `where its installer puts it.\nRun this command in a terminal of Positron, or add ` +
        `${EXTENSION} in its Extensions view.\n`,
    ]);
    const {stdout} = await place.run(['positron', '--json'], {PATH: place.programs});
    expect(JSON.parse(stdout)).toMatchObject({error: {code: 'IDE_CLI_MISSING', exit: 1}});
  });

  test('a folder of PATH that is not absolute, a folder and a file that cannot be run are passed by', async () => {
    if (process.platform === 'darwin') return;
    await using place = await openPlace();
    const {
      environment: {cwd},
      path,
    } = place;
    await mkdir(join(cwd, 'bin'));
    for (const folder of [cwd, join(cwd, 'bin')]) {
      await writeFile(join(folder, 'code'), '#!/bin/sh\nexit 0\n');
      await chmod(join(folder, 'code'), 0o755);
    }
    await mkdir(join(path, 'a', 'code'), {recursive: true});
    await mkdir(join(path, 'b'));
    await writeFile(join(path, 'b', 'code'), 'exit 0');
    const {code, stderr} = await place.run(['vscode'], {
      PATH: ['', '.', 'bin', join(path, 'a'), join(path, 'b')].join(':'),
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is neither in PATH nor')]);
  });

  test('Antigravity names its command by a variable, as a name or as a place', async () => {
    await using place = await openPlace();
    const other = join(place.path, 'elsewhere', 'my-agy');
    await mkdir(dirname(other));
    await symlink(await place.script('my-agy', 'exit 0'), other);
    for (const alias of ['my-agy', other]) {
      const {stdout} = await place.run(['antigravity', '--json'], {ANTIGRAVITY_CLI_ALIAS: alias});
      expect(JSON.parse(stdout)).toMatchObject({
        installed: true,
        command: alias === other ? other : join(place.programs, 'my-agy'),
      });
    }
    if (process.platform === 'darwin') return;
    const {code} = await place.run(['antigravity'], {
      ANTIGRAVITY_CLI_ALIAS: '../programs/my-agy',
      PATH: place.programs,
    });
    expect(code).toBe(1);
  });
});

describe('which editor', () => {
  test('without a name it is the one of this terminal, which is switched on and connected with', async () => {
    await using place = await openPlace();
    await place.script('cursor', 'echo done');
    await using companion = await startKit({temporary: place.path, roots: [place.environment.cwd], pid: process.pid});
    const {code, stdout} = await place.run([], {TERM_PROGRAM: 'vscode', CURSOR_TRACE_ID: '1'});
    expect([code, stdout]).toEqual([
      0,
      `✓ Installed the companion into Cursor with ${join(place.programs, 'cursor')}.\ndone\nConnected to Memory. ` +
        `Conversations connect to it from now on.\n`,
    ]);
    expect(JSON.parse(await readFile(join(place.environment.home, '.gemini', 'settings.json'), 'utf8'))).toEqual({
      ide: {enabled: true},
    });
    expect(companion.port).toBeGreaterThan(0);
  });

  test('without a name and an editor nothing is guessed, and an unknown name is answered with the nearest', async () => {
    await using place = await openPlace();
    const none = await place.run([]);
    expect([none.code, none.stderr]).toEqual([
      42,
      expect.stringMatching(
        /^Error: No editor is named, and this terminal does not belong to one\.\nName one: vscode, /,
      ),
    ]);
    const slip = await place.run(['curser']);
    expect([slip.code, slip.stderr]).toEqual([42, 'Error: The editor "curser" is not known.\nDid you mean cursor?\n']);
    const {stdout} = await place.run(['curser', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({error: {code: 'IDE_UNKNOWN', exit: 42}});
  });

  test.each([
    ['neovim', 'gemini ide neovim --install'],
    ['zed', 'docs/write-a-companion.md'],
    ['jetbrains', 'JetBrains'],
  ])('for %s it says what to do, and that nothing was installed', async (name, words) => {
    await using place = await openPlace();
    const {code, stdout} = await place.run([name, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        installed: false,
        editor: {name, displayName: expect.any(String)},
        connected: false,
        next: expect.stringContaining(words),
      },
    ]);
  });

  test('for an unknown fork it names the extension', async () => {
    await using place = await openPlace();
    const {code, stdout} = await place.run([], {TERM_PROGRAM: 'vscode', REPLIT_USER: 'a'});
    expect([code, stdout]).toEqual([1, expect.stringContaining(EXTENSION)]);
  });
});

describe('other systems', () => {
  test('macOS: in PATH, then inside the application, for everybody or for this person', () => {
    const places = listPlaces(editorOf('vscode-insiders'), {
      home: '/Users/ada',
      platform: 'darwin',
      variables: {PATH: '/usr/local/bin:bin'},
    });
    const inside = 'Visual Studio Code - Insiders.app/Contents/Resources/app/bin';
    expect(places).toEqual([
      '/usr/local/bin/code-insiders',
      `/Applications/${inside}/code-insiders`,
      `/Users/ada/Applications/${inside}/code-insiders`,
      `/Applications/${inside}/code`,
      `/Users/ada/Applications/${inside}/code`,
    ]);
  });

  test('Windows: however PATH is written, then among the programs of this person and of everybody', () => {
    const places = listPlaces(editorOf('vscode'), {
      home: 'C:\\Users\\Ada',
      platform: 'win32',
      variables: {
        Path: 'C:\\tools;.;rel',
        LOCALAPPDATA: 'C:\\Users\\Ada\\AppData\\Local',
        ProgramFiles: 'D:\\Programs',
      },
    });
    expect(places).toEqual(
      expect.arrayContaining([
        'C:\\tools\\code.cmd',
        'C:\\tools\\code.exe',
        'C:\\Users\\Ada\\AppData\\Local\\Programs\\Microsoft VS Code\\bin\\code.cmd',
        'D:\\Programs\\Microsoft VS Code\\bin\\code.cmd',
      ]),
    );
    expect(places.every((one) => /^[CD]:\\/.test(one))).toBe(true);
  });

  test('Windows: what a .cmd file would start is started without a shell, whatever is in its path', () => {
    const file = 'C:\\Program Files (x86)\\A & B\\bin\\code.cmd';
    const plain =
      '@echo off\r\nsetlocal\r\nset VSCODE_DEV=\r\nset ELECTRON_RUN_AS_NODE=1\r\n"%~dp0..\\Code.exe" ' +
      '"%~dp0..\\resources\\app\\out\\cli.js" %*\r\nIF %ERRORLEVEL% NEQ 0 EXIT /b %ERRORLEVEL%\r\nendlocal';
    const root = 'C:\\Program Files (x86)\\A & B';
    expect(readCmdFile(file, plain)).toEqual({
      file,
      program: `${root}\\Code.exe`,
      before: [`${root}\\resources\\app\\out\\cli.js`],
      after: [],
      variables: {ELECTRON_RUN_AS_NODE: '1', VSCODE_DEV: ''},
    });
    expect(
      readCmdFile(
        file,
        plain.replace('resources', '5437499feb\\resources').replace(' %*', ' --ms-enable-electron-run-as-node %*'),
      ),
    ).toMatchObject({before: [`${root}\\5437499feb\\resources\\app\\out\\cli.js`, '--ms-enable-electron-run-as-node']});
    for (const odd of [
      '',
      '@echo off\r\nnode cli.js %*',
      '"%~dp0%X%\\Code.exe" "%~dp0cli.js" %*',
      '"%~dp0..\\Code.exe" "%~dp0..\\cli.js" & calc %*',
    ])
      expect(readCmdFile(file, odd)).toBeUndefined();
  });
});

/** Whether a process that was ended goes within some seconds. */
async function goneSoon(pid: number): Promise<boolean> {
  const late = AbortSignal.timeout(5000);
  while (!late.aborted) {
    // A process that has not been waited for is still in the table, but does nothing.
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').then(
      (text) => text.slice(text.lastIndexOf(')') + 2)[0],
      () => 'gone',
    );
    if (state === 'gone' || state === 'Z') return true;
  }
  return false;
}
