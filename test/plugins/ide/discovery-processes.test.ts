import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {climb} from '#plugins/ide/dist/discovery/ancestor.js';
import {parsePs} from '#plugins/ide/dist/discovery/ancestors-by-ps.js';
import {parseCim, cimCommand} from '#plugins/ide/dist/discovery/ancestors-on-windows.js';
import {readAncestorsOnLinux} from '#plugins/ide/dist/discovery/ancestors-on-linux.js';
import {ownIdePid} from '#plugins/ide/dist/discovery/discover-editors.js';
import {detectEditor} from '#plugins/ide/dist/discovery/detect-editor.js';
import {compareRoots, splitRoots} from '#plugins/ide/dist/discovery/compare-roots.js';

interface Ancestor {
  readonly pid: number;
  readonly name: string;
  readonly command: string;
}
type Variables = Readonly<Record<string, string>>;
type Chain = readonly Ancestor[];

const recorded = (name: string): Promise<string> =>
  readFile(join(checkout, 'test', 'fixtures', 'processes', name), 'utf8');
const namesOf = (chain: Chain): readonly string[] => chain.map(({pid, name}) => `${name} ${pid}`);

describe('tables of processes', () => {
  test('macOS, VS Code with zsh: names of applications have blanks, and their words may hold paths of shells', async () => {
    const chain = climb(parsePs(await recorded('macos-vscode-zsh.txt')), 1388);
    expect(namesOf(chain)).toEqual(['node 1388', 'zsh 1300', 'Code Helper 1231', 'Electron 1204', 'launchd 1']);
    expect(ownIdePid(chain, {platform: 'darwin', variables: {}})).toBe(1204);
    expect(detectEditor({TERM_PROGRAM: 'vscode'}, chain)).toEqual({name: 'vscode', displayName: 'VS Code'});
  });

  test('macOS, a terminal of its own: the login shell has a dash, and no editor is above it', async () => {
    const chain = climb(parsePs(await recorded('macos-vscode-zsh.txt')), 2090);
    // Outside of applications a name ends at its first blank: where a program ends and its words begin cannot be seen.
    expect(namesOf(chain)).toEqual([
      'vim 2090',
      'zsh 2005',
      'login 2004',
      'Application 2003',
      'iTerm2 2001',
      'launchd 1',
    ]);
    expect(detectEditor({TERM_PROGRAM: 'iTerm.app'}, chain)).toBeUndefined();
  });

  test(
    'macOS, tmux in a terminal of Cursor: the editor is not above it, and the variables that are left say which it ' +
      'was',
    async () => {
      const chain = climb(parsePs(await recorded('macos-tmux.txt')), 1433);
      expect(namesOf(chain)).toEqual(['node 1433', 'bash 1420', 'zsh 1401', 'tmux 1400', 'launchd 1']);
      expect(ownIdePid(chain, {platform: 'darwin', variables: {}})).toBe(1400);
      expect(ownIdePid(chain, {platform: 'darwin', variables: {GEMINI_CLI_IDE_PID: '1204'}})).toBe(1204);
      expect(detectEditor({TERM_PROGRAM: 'vscode', CURSOR_TRACE_ID: '1'}, chain)).toEqual({
        name: 'cursor',
        displayName: 'Cursor',
      });
    },
  );

  test('Windows, VS Code with pwsh: a parent that has ended is not the process that has its number now', async () => {
    const chain = climb(parseCim(await recorded('windows-vscode-pwsh.json')), 9540);
    expect(namesOf(chain)).toEqual(['node 9540', 'pwsh 9420', 'Code 9304', 'Code 9100', 'explorer 5012']);
    // The third from the root, as companions there count.
    expect(ownIdePid(chain, {platform: 'win32', variables: {}})).toBe(9304);
    expect(detectEditor({TERM_PROGRAM: 'vscode'}, chain)).toEqual({name: 'vscode', displayName: 'VS Code'});
  });

  test('Windows: one process alone, a mark before it, lines in another form, and no table', async () => {
    expect(parseCim('\ufeff{"ProcessId":7,"ParentProcessId":1,"Name":"node.exe","CommandLine":null}')).toEqual([
      {pid: 7, parent: 1, name: 'node', command: 'node.exe'},
    ]);
    expect(parseCim('[null, {"ProcessId":"7"}, 3]')).toEqual([]);
    expect(() => parseCim('Access denied')).toThrow(SyntaxError);
    expect(cimCommand({SystemRoot: 'D:\\W'}).command).toBe('D:\\W\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    expect(await recorded('windows-vscode-pwsh.json')).toContain('Code - Insiders.exe');
  });

  test('lines of ps in another form are passed by, and a circle ends', () => {
    expect(parsePs('  PID PPID COMMAND\n\n  12   1\n 13 12 sh\n')).toEqual([
      {pid: 13, parent: 12, name: 'sh', command: 'sh'},
    ]);
    expect(namesOf(climb(parsePs('1 2 a\n2 3 b\n3 1 c'), 1))).toEqual(['a 1', 'b 2', 'c 3']);
    expect(climb([], 1)).toEqual([]);
  });

  test('Linux: brackets and blanks in names, login shells, scripts, kernel processes, and processes that are hidden', () => {
    const files: Readonly<Record<string, string>> = {
      '/proc/9/stat': '9 (node) S 8 9 9 0',
      '/proc/9/cmdline': 'node\0/usr/bin/gemini\0',
      '/proc/8/stat': '8 (gemini-loop) S 7 8 8 0',
      '/proc/8/cmdline': '/bin/bash\0/home/a/gemini-loop\0',
      '/proc/7/stat': '7 (a) b (c) S 6 7 7 0',
      '/proc/7/cmdline': '/opt/My Tools/a) b (c\0--x\0',
      '/proc/6/stat': '6 (zsh) S 5 6 6 0',
      '/proc/6/cmdline': '-zsh\0',
      '/proc/5/stat': '5 (code) S 2 5 5 0',
      '/proc/5/cmdline': '/usr/share/code/code --type=utility --x=/bin/sh',
      '/proc/2/stat': '2 (kthreadd) S 1 0 0 0',
      '/proc/2/cmdline': '',
    };
    const chain = readAncestorsOnLinux(9, (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('ENOENT'), {code: 'ENOENT'});
      return text;
    });
    expect(namesOf(chain)).toEqual(['node 9', 'bash 8', 'a) b (c 7', 'zsh 6', 'code 5', 'kthreadd 2']);
    expect(ownIdePid(chain, {platform: 'linux', variables: {}})).toBe(6);
  });

  test('without a shell the topmost visible process counts, and without any there is no editor', () => {
    const chain = [
      [9, 'node'],
      [8, 'make'],
      [7, 'code'],
    ].map(([pid, name]) => ({pid: Number(pid), name: String(name), command: String(name)}));
    expect(ownIdePid(chain, {platform: 'linux', variables: {GEMINI_CLI_IDE_PID: '-3'}})).toBe(7);
    expect(ownIdePid([], {platform: 'linux', variables: {GEMINI_CLI_IDE_PID: 'x'}})).toBeUndefined();
    expect(ownIdePid([], {platform: 'win32', variables: {}})).toBeUndefined();
  });
});

describe('which editor a terminal belongs to', () => {
  const vscode = {TERM_PROGRAM: 'vscode'};
  const cases: readonly (readonly [name: string, variables: Variables, commands?: readonly string[]])[] = [
    ['antigravity', {...vscode, ANTIGRAVITY_CLI_ALIAS: 'agy'}],
    ['devin', {...vscode, __COG_BASHRC_SOURCED: '1'}],
    ['replit', {...vscode, REPLIT_USER: 'a'}],
    ['cursor', {...vscode, CURSOR_TRACE_ID: 'x'}],
    ['codespaces', {...vscode, CODESPACES: 'true'}],
    ['cloudshell', {...vscode, CLOUD_SHELL: 'true'}],
    ['cloudshell', {...vscode, EDITOR_IN_CLOUD_SHELL: 'true'}],
    ['trae', {...vscode, TERM_PRODUCT: 'Trae'}],
    ['firebasestudio', {...vscode, MONOSPACE_ENV: '1'}],
    ['positron', {...vscode, POSITRON: '1'}],
    ['vscode', {...vscode, POSITRON: '0'}],
    ['sublimetext', {TERM_PROGRAM: 'sublime'}],
    ['zed', {ZED_SESSION_ID: '1'}],
    ['zed', {TERM_PROGRAM: 'Zed'}],
    ['xcode', {XCODE_VERSION_ACTUAL: '1600'}],
    ['neovim', {NVIM: '/run/nvim.sock'}],
    ['jetbrains', {TERMINAL_EMULATOR: 'JetBrains-JediTerm'}],
    ['pycharm', {TERMINAL_EMULATOR: 'JetBrains-JediTerm'}, ['/opt/pycharm/bin/pycharm']],
    [
      'androidstudio',
      {TERMINAL_EMULATOR: 'JetBrains-JediTerm'},
      ['/Applications/Android Studio.app/Contents/MacOS/studio'],
    ],
    ['vscode', vscode, ['bash', '/usr/share/code/code']],
    ['vscode', vscode, ['bash']],
    ['vscode', vscode, []],
    ['vscodefork', vscode, ['bash', '/opt/newcomer/newcomer']],
    ['vscodium', vscode, ['bash', '/usr/share/codium/codium']],
    ['windsurf', vscode, ['bash', '/usr/share/windsurf/windsurf']],
    ['vscode-insiders', vscode, ['bash', '/usr/share/code-insiders/code-insiders']],
    ['vscodefork', vscode, ['bash --init-file /usr/share/code/shellIntegration-bash.sh', '/opt/newcomer/newcomer']],
  ];

  test.each(cases)('%s: %j', (name, variables, commands = []) => {
    const chain = ['node', ...commands].map((command, index) => ({
      pid: 100 - index,
      name: command.split(/[ ]/)[0]?.split('/').pop() ?? '',
      command,
    }));
    expect(detectEditor(variables, chain)?.name).toBe(name);
  });

  test("variables of an editor that has opened a plain terminal do not make it one of the editor's", () => {
    expect(detectEditor({TERM_PROGRAM: 'Apple_Terminal', CURSOR_TRACE_ID: 'x', POSITRON: '1'}, [])).toBeUndefined();
  });
});

describe('paths of Windows', () => {
  test('folders are joined by semicolons, drives are written in either case, and other drives lie apart', () => {
    const roots = splitRoots('c:\\work\\app;D:\\lib;relative;', 'win32');
    expect(roots).toEqual(['c:\\work\\app', 'D:\\lib']);
    const of = (cwd: string): string => compareRoots(cwd, roots, 'win32');
    expect(
      ['C:\\Work\\app', 'C:\\work\\app\\src', 'C:\\work', 'C:\\work\\application', 'E:\\work\\app', 'd:\\LIB\\x'].map(
        of,
      ),
    ).toEqual(['same', 'inside-root', 'holds-root', 'disjoint', 'disjoint', 'inside-root']);
    expect(compareRoots('\\\\server\\share\\a', ['\\\\server\\share'], 'win32')).toBe('inside-root');
  });

  test('elsewhere a folder may begin with two dots, hold a blank at its end, and be all there is', () => {
    expect(splitRoots('/a :/b', 'linux')).toEqual(['/a ', '/b']);
    expect(compareRoots('/a/..b', ['/a'], 'linux')).toBe('inside-root');
    expect(compareRoots('/a', ['/'], 'linux')).toBe('inside-root');
    expect(compareRoots('/', ['/a'], 'linux')).toBe('holds-root');
    expect(compareRoots('/a', [], 'linux')).toBe('no-roots');
  });
});
