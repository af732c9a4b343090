import {mkdir, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {openAgentPlace, type AgentPlace} from '../../helpers/run-agent.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {ScreenSitting} from '../../helpers/sit-at-screen.js';
import {atTerminal} from '../../journeys/run-at-terminal.js';
import {isElsewhere, keysFolder} from '#plugins/tui/dist/programs/editor-places.js';
import {NEWLINE_KEY, planKeys} from '#plugins/tui/dist/programs/plan-keys.js';
import {findPrograms} from '#plugins/tui/dist/programs/terminal-programs.js';

const KEY = JSON.stringify(NEWLINE_KEY, null, 2);
const OTHER = '{"key": "ctrl+k", "command": "x"}';

test.each<readonly [Readonly<Record<string, string>>, readonly string[]]>([
  [{TERM_PROGRAM: 'vscode'}, ['VS Code']],
  [{TERM_PROGRAM: 'iTerm.app'}, ['iTerm2']],
  [{TERM_PROGRAM: 'Apple_Terminal'}, ['Apple Terminal']],
  [{TERM: 'xterm-kitty'}, ['kitty']],
  [{TERM_PROGRAM: 'tmux', TMUX: '/tmp/x,1,0', WT_SESSION: 'x'}, ['tmux', 'Windows Terminal']],
  [{STY: '1.x', KITTY_WINDOW_ID: '1'}, ['GNU screen', 'kitty']],
  [{TERM_PROGRAM: 'ghostty'}, ['Ghostty']],
  [{WEZTERM_PANE: '0'}, ['WezTerm']],
  [{TERMINAL_EMULATOR: 'JetBrains-JediTerm'}, ['JetBrains']],
  [{TERM: 'footage'}, []],
  [{TERM: 'xterm-256color'}, []],
])('%j is shown by %j [tui.terminal-setup]', (variables, names) => {
  expect(findPrograms(variables).map(({name}) => name)).toEqual(names);
});

test.each<readonly [string, NodeJS.Platform, Readonly<Record<string, string>>, string]>([
  ['cursor', 'linux', {}, '/home/a/.config/Cursor/User'],
  ['vscode', 'linux', {XDG_CONFIG_HOME: '/c'}, '/c/Code/User'],
  ['vscode', 'linux', {XDG_CONFIG_HOME: 'relative'}, '/home/a/.config/Code/User'],
  ['windsurf', 'darwin', {}, '/home/a/Library/Application Support/Windsurf/User'],
  ['vscode-insiders', 'win32', {APPDATA: 'C:\\A'}, 'C:\\A\\Code - Insiders\\User'],
])('the keys of %s on %s with %j are in %s [tui.terminal-setup]', (editor, platform, variables, folder) => {
  expect(keysFolder(editor, {home: '/home/a', platform, variables})).toBe(folder);
});

test('over ssh and in containers, the keys are on another machine [tui.terminal-setup]', () => {
  expect(
    [{SSH_CONNECTION: 'x'}, {REMOTE_CONTAINERS: 'true'}, {WSL_DISTRO_NAME: 'u'}, {}].map((variables) =>
      isElsewhere({variables}),
    ),
  ).toEqual([true, true, true, false]);
});

describe('a file of keys', () => {
  test.each<readonly [string, string | undefined, string]>([
    ['none', undefined, `[\n${KEY.replaceAll(/^/gm, '  ')}\n]\n`],
    ['an empty one', ' \n', `[\n${KEY.replaceAll(/^/gm, '  ')}\n]\n`],
    ['an empty list below a comment', '// Keys\n[\n]\n', ''],
    ['comments', `// Mine\n[\n  // one\n  ${OTHER} // end\n  /* x */\n]\n`, ''],
    ['a comma at the end', `[\n  ${OTHER},\n]\n`, ''],
    ['lines of Windows', `[\r\n  ${OTHER}\r\n]\r\n`, ''],
    ['all in one line', `[${OTHER}]`, ''],
    ['an entry that takes the key away', '[{"key": "shift+enter", "command": "-editor.x"}]', ''],
    [
      'the key in another part of the window',
      '[{"key": "shift+enter", "command": "x", "when": "editorTextFocus"}]',
      '',
    ],
    ['the key outside of terminals', '[{"key": "shift+enter", "command": "x", "when": "!terminalFocus"}]', ''],
    ['entries that are no entries', '[1, null, "x"]', ''],
  ])('with %s gets the key, and keeps the rest [tui.terminal-setup]', async (_, before, wanted) => {
    const plan = await planKeys('keys.json', before);
    if (plan.kind !== 'add') throw new Error(`It is ${plan.kind}.`);
    if (wanted !== '') expect(plan.after).toBe(wanted);
    // Every piece of the old text is in the new one, in its order.
    let rest = plan.after;
    for (const piece of (before ?? '').trim().split(/\s+|(?=\])/)) {
      expect(rest).toContain(piece);
      rest = rest.slice(rest.indexOf(piece) + piece.length);
    }
    expect(await planKeys('keys.json', plan.after)).toEqual({kind: 'there'});
  });

  test.each([
    ['\\u001b[13;2u', 'there'],
    ['\\\\\\r\\n', 'there'],
    ['\\u001b\\r', 'there'],
    ['ls\\r', 'taken'],
  ])('that sends "%s" with Shift+Enter has it %s [tui.terminal-setup]', async (text, kind) => {
    const entry = `{"key": "Shift+Enter", "command": "workbench.action.terminal.sendSequence", "args": {"text": "${text}"}}`;
    expect((await planKeys('keys.json', `[${entry}]`)).kind).toBe(kind);
  });

  test.each([
    ['{}', 'it is not a list in [ ]'],
    ['[{"key": ]', 'line 1 has a fault'],
    ['[\n  {"key": "a"}\n  {"key": "b"}\n]', 'line 3 has a fault'],
    ['[ /* no end', 'has a fault'],
    ['\u0000\u0001', 'has a fault'],
  ])('with %j is refused [tui.terminal-setup]', async (text, sentence) => {
    await expect(planKeys('keys.json', text)).rejects.toMatchObject({
      code: 'EDITOR_KEYS_BROKEN',
      message: expect.stringContaining(sentence),
    });
  });
});

describe('gemini terminal-setup', () => {
  async function openEditor(keys?: string): Promise<AgentPlace & {readonly folder: string; readonly file: string}> {
    const place = await openAgentPlace({script: []});
    const folder = join(place.home, '.config', 'Cursor', 'User');
    const file = join(folder, 'keybindings.json');
    await mkdir(folder, {recursive: true});
    if (keys !== undefined) await writeFile(file, keys);
    return Object.assign(place, {folder, file});
  }

  function setUp(place: AgentPlace, words: readonly string[], variables = {}): Promise<RunResult> {
    return runGemini(['terminal-setup', ...words], {
      ...{cwd: place.project, home: place.home},
      variables: {TERM_PROGRAM: 'vscode', SSH_CONNECTION: '', ...variables},
    });
  }

  test('adds the key of a named editor, keeps a copy, and does it once [tui.terminal-setup]', async () => {
    const before = `// Mine\n[${OTHER}]\n`;
    await using place = await openEditor(before);
    const first = await setUp(place, ['cursor', '--yes', '--json']);
    expect(first.code).toBe(0);
    const backup = `${place.file}.before-gemini`;
    expect(JSON.parse(first.stdout)).toMatchObject({keys: {outcome: 'written', file: place.file, backup}});
    expect(await readFile(place.file, 'utf8')).toMatch(/^\/\/ Mine\n\[[^]*"\\u001b\\r"/);
    expect(await readFile(backup, 'utf8')).toBe(before);
    expect((await setUp(place, ['cursor', '--yes'])).stdout).toContain('has Shift+Enter already');
    expect((await readdir(place.folder)).sort()).toEqual(['keybindings.json', 'keybindings.json.before-gemini']);
  });

  test('asks, and without a person changes nothing [tui.terminal-setup]', async () => {
    await using place = await openEditor('[]');
    const {stdout, code} = await setUp(place, ['cursor']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('was not changed. No one could be asked; --yes')]);
    expect(await readFile(place.file, 'utf8')).toBe('[]');
  });

  test('follows a link, and changes no file that it cannot read whole [tui.terminal-setup]', async () => {
    await using place = await openEditor();
    await using folder = await makeFolder();
    const real = join(folder.path, 'keys.json');
    await writeFile(real, '[]\n');
    await symlink(real, place.file);
    expect((await setUp(place, ['cursor', '--yes'])).stdout).toContain('Wrote ');
    expect(await readFile(real, 'utf8')).toContain('shift+enter');
    await rm(place.file);
    await writeFile(place.file, '[{');
    const broken = await setUp(place, ['cursor', '--yes', '--json']);
    expect([broken.code, JSON.parse(broken.stdout)]).toEqual([
      1,
      {error: expect.objectContaining({code: 'EDITOR_KEYS_BROKEN'})},
    ]);
    expect(await readFile(place.file, 'utf8')).toBe('[{');
  });

  test('says what to put where when the editor is elsewhere, or unknown [tui.terminal-setup]', async () => {
    await using place = await openEditor('[]');
    const afar = await setUp(place, ['cursor', '--yes'], {SSH_CONNECTION: '1 2 3 4'});
    expect(afar.stdout).toMatch(/another machine\.\n.*command palette[^]*"shift\+enter"/);
    expect((await setUp(place, ['windsurf', '--yes'])).stdout).toContain('Windsurf/User is not there');
    expect(await setUp(place, ['notepad'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Expected notepad'),
    });
    expect((await setUp(place, [], {TMUX: 'x', TERM_PROGRAM: 'tmux'})).stdout).toContain('set -s set-clipboard on');
    expect(await readFile(place.file, 'utf8')).toBe('[]');
  });

  atTerminal('asks the terminal and the person, also in a conversation [tui.terminal-setup]', async () => {
    await using place = await openEditor('[]');
    const variables = {TERM_PROGRAM: 'vscode', CURSOR_TRACE_ID: 'x', SSH_CONNECTION: ''};
    await using sitting = await ScreenSitting.begin(place, {columns: 120, rows: 40, variables});
    await sitting.seeAt('>');
    sitting.type('/terminal-setup cursor\r');
    await sitting.see('✓ pastes of several lines');
    await sitting.see('Let Shift+Enter make a new line in terminals of Cursor?');
    await sitting.seeAt('Add it? [y/N]');
    expect(await readFile(place.file, 'utf8')).toBe('[]');
    sitting.type('y\r');
    await sitting.see('Wrote ');
    expect(await readFile(place.file, 'utf8')).toContain('shift+enter');
    await sitting.seeAt('>');
    // What the key sends, and what other agents have it send.
    sitting.type('one\u001b\rtwo\\\r\nthree');
    await sitting.seeAt('three');
    expect(sitting.window.filter((row) => /^(?:> one| {2}two| {2}three)$/.test(row))).toHaveLength(3);
  });
});
