import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {callsTools, openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../helpers/run-agent.js';
import {CTRL_C, CTRL_D} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {runGemini} from '../helpers/run-gemini.js';
import {atTerminal} from './run-at-terminal.js';

const PROMPT = '>';
const DOWN = '\u001b[B';
const ESCAPE = '\u001b';
const left = {code: 0, isRestored: true};
const files = {'a.txt': 'old\n', 'b.txt': 'old\n'};
const edit = (file: string): readonly [string, object] => [
  'replace',
  {file_path: file, old_string: 'old', new_string: 'new', instruction: 'Make it new.'},
];
const edits = [callsTools(['read_file', {file_path: 'a.txt'}]), callsTools(edit('a.txt'))];

function openPlace(options: AgentPlaceOptions): Promise<AgentPlace> {
  // The default at such a terminal.
  return openAgentPlace({...options, settings: {...options.settings, ui: {...options.settings?.['ui'], mode: ''}}});
}

/** What the model heard of its last call. */
function lastResult(place: AgentPlace): string {
  return JSON.stringify(place.server.requests.at(-1)?.messages.at(-1)?.pieces ?? []);
}

atTerminal('the terminal interface prints an answer once, and leaves a whole screen [tui.turn]', async () => {
  await using place = await openPlace({script: [says('# Title\n\nSome ', 'words ', `and ${'more '.repeat(30)}end.`)]});
  await using sitting = await ScreenSitting.begin(place, {rows: 12});
  await sitting.seeAt(PROMPT);
  sitting.type('hello\r');
  await sitting.see('end.');
  await sitting.lose('Ctrl+C stops');
  await sitting.wait(() => sitting.title === '◇  Ready (project)', 'for the title');
  const {lines} = sitting;
  expect(lines.filter((line) => line === '> hello')).toHaveLength(1);
  expect(lines.filter((line) => /Some words and (more +)+end\./.test(line))).toHaveLength(1);
  sitting.type(CTRL_D);
  expect(await sitting.end()).toEqual(left);
  // The live area is gone.
  expect(sitting.window.some((row) => row.includes('? for keys'))).toBe(false);
});

describe('an approval in the terminal interface', () => {
  atTerminal.each([
    ['Enter', '\r', 'new\n', 'yes'],
    ['a digit', '1', 'new\n', 'yes'],
    ['a letter', 'y', 'new\n', 'yes'],
    ['Down and Enter', `${DOWN}\r`, 'new\n', 'session'],
    ['Esc', ESCAPE, 'old\n', 'no'],
  ])('is answered by %s [tui.approval]', async (_, keys, text, word) => {
    await using place = await openPlace({files, script: [...edits, says('Then so.')]});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('edit\r');
    await sitting.see('❯ 1. Yes, once');
    expect(sitting.title).toBe('✋  Action Required (project)');
    expect(sitting.window).toEqual(expect.arrayContaining(['1 - old', '1 + new']));
    expect(await place.read('a.txt')).toBe('old\n');
    sitting.type(keys);
    await sitting.see('Then so.');
    expect(sitting.lines).toContain(`Allow this? ${word}`);
    expect(await place.read('a.txt')).toBe(text);
    await sitting.lose('Ctrl+C stops');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
  });

  atTerminal('is refused with a reason that the model hears [tui.approval]', async () => {
    await using place = await openPlace({files, script: [...edits, says('I leave it.')]});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('edit\r');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('r');
    await sitting.seeAt('What should gemini do instead?');
    sitting.type('Use b.txt, é.\r');
    await sitting.see('I leave it.');
    expect(lastResult(place)).toContain('The person refused: Use b.txt, é.');
  });

  atTerminal('is not answered by keys typed before it appears [tui.approval]', async () => {
    await using place = await openPlace({
      files,
      script: [
        {...callsTools(['read_file', {file_path: 'a.txt'}]), pauseMs: 300},
        callsTools(edit('a.txt')),
        says('So.'),
      ],
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('edit\r');
    await sitting.see('Ctrl+C stops');
    sitting.type('yes 1 ');
    await sitting.see('❯ 1. Yes, once');
    expect(await place.read('a.txt')).toBe('old\n');
    sitting.type('n');
    await sitting.see('So.');
    await sitting.seeAt('> yes 1');
  });
});

describe('while the agent works, the terminal interface', () => {
  atTerminal('shows the end of what a command prints, and all of it afterwards [tui.running]', async () => {
    const command = 'for i in 1 2 3 4 5 6 7; do echo "line $i"; done; read -r _ < go; echo over';
    await using place = await openPlace({
      files: {'make.txt': ''},
      script: [callsTools(['run_shell_command', {command: `mkfifo go; ${command}`}]), says('Counted.')],
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('count\r');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('\r');
    await sitting.see('line 7');
    await sitting.lose('  line 2');
    sitting.type('!echo > go\r');
    await sitting.see('next: !echo > go');
    sitting.type('\u001b[A');
    await sitting.seeAt('> !echo > go');
    sitting.type(CTRL_C);
    await sitting.see('Stopped.');
  });

  atTerminal('shows shortened output, and all of it after Ctrl+O [tui.unfold]', async () => {
    await using place = await openPlace({
      script: [callsTools(['run_shell_command', {command: 'seq 101 130'}]), says('Counted.')],
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('count\r');
    await sitting.see('Counted.');
    await sitting.lose('Ctrl+C stops');
    expect(sitting.lines.join('\n')).toContain('lines omitted');
    expect(sitting.lines).not.toContain('115');
    sitting.type('\u000f');
    await sitting.wait(() => sitting.lines.includes('130'), 'for the whole output');
    const numbers = sitting.lines.filter((line) => /^1\d\d$/.test(line));
    expect(numbers).toEqual(Array.from({length: 30}, (_, index) => String(index + 101)));
    sitting.type('\u000f');
    await sitting.see('No other output was shortened.');
  });

  atTerminal('takes a prompt for later, and sends it in its turn [tui.queue]', async () => {
    await using place = await openPlace({
      script: [{...says('First ', 'half.'), pauseMs: 400}, says('Second answer.')],
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('one\r');
    await sitting.see('Ctrl+C stops');
    sitting.type('two\r');
    await sitting.see('Second answer.');
    expect(sitting.lines.filter((line) => /^> (one|two)$/.test(line))).toEqual(['> one', '> two']);
  });
});

atTerminal('lines that wait are moved, removed and taken back in a view [tui.waiting]', async () => {
  await using place = await openPlace({
    script: [{...says('First ', 'half.'), stall: {afterPieces: 1}}, says('Later.'), says('At last.')],
  });
  await using sitting = await ScreenSitting.begin(place);
  await sitting.seeAt(PROMPT);
  sitting.type('one\r');
  await sitting.see('First');
  for (const line of ['two', 'three', 'four', 'five']) {
    sitting.type(`${line}\r`);
    await sitting.see(line === 'five' ? '1 more' : `next: ${line}`);
  }
  sitting.type('\u001bq');
  await sitting.see('❯ two');
  sitting.type('-');
  await sitting.see('It cannot be moved further.');
  sitting.type('j-');
  await sitting.wait(
    () => sitting.window.slice(1, 5).join().replaceAll(/[❯ ]/g, '') === 'three,two,four,five',
    'for a move',
  );
  sitting.type('Gx');
  await sitting.see('Removed.');
  await sitting.lose('five');
  sitting.type('g\r');
  await sitting.seeAt('> three');
  sitting.type(ESCAPE);
  await sitting.see('Stopped.');
  await sitting.seeAt('three');
  expect(sitting.window.filter((row) => /two|four|three/.test(row)).map((row) => row.trim())).toEqual(
    expect.arrayContaining(['> two', 'four', 'three']),
  );
});

atTerminal('the end of an earlier prompt is offered while it is typed again [tui.ghost]', async () => {
  await using place = await openPlace({script: [says('One.'), says('Two.')]});
  await using sitting = await ScreenSitting.begin(place, {variables: {NO_COLOR: ''}});
  await sitting.seeAt(PROMPT);
  sitting.type('explain the parser\r');
  await sitting.see('One.');
  await sitting.lose('Ctrl+C stops');
  await sitting.seeAt(PROMPT);
  sitting.type('exp');
  await sitting.see('> explain the parser');
  // What is offered is not sent.
  sitting.type('\r');
  await sitting.see('Two.');
  expect(place.server.requests.at(-1)?.messages.at(-1)?.pieces).toEqual([expect.objectContaining({text: 'exp'})]);
  expect(sitting.lines).toContain('> exp');
  await sitting.lose('Ctrl+C stops');
  sitting.type('expl\u001b[C now');
  await sitting.seeAt('> explain the parser now');
});

describe('in the terminal interface', () => {
  atTerminal('commands and files are offered while they are typed [tui.complete]', async () => {
    await using place = await openPlace({files: {'notes-of-today.txt': 'x'}, script: [says('Read.')]});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('/dire');
    await sitting.see('❯ directory');
    sitting.type('\t');
    await sitting.see('❯ add');
    sitting.type(`${DOWN}\t`);
    await sitting.seeAt('> /directory explain');
    sitting.type('\u0015');
    await sitting.lose('❯');
    await sitting.seeAt(PROMPT);
    sitting.type('see @notes');
    await sitting.see('❯ notes-of-today.txt');
    sitting.type(ESCAPE);
    await sitting.lose('❯ notes');
    sitting.type('\t');
    await sitting.seeAt('@notes-of-today.txt');
    sitting.type('\r');
    await sitting.see('Read.');
  });

  atTerminal('a command that prints leaves the screen in order [tui.others]', async () => {
    await using place = await openPlace({script: [says('After.')]});
    await using sitting = await ScreenSitting.begin(place, {rows: 14});
    await sitting.seeAt(PROMPT);
    sitting.type('/directory show\r');
    await sitting.see(place.project);
    await sitting.seeAt(PROMPT);
    sitting.type('!seq 1 30\r');
    await sitting.see('30');
    await sitting.seeAt(PROMPT);
    sitting.type('go\r');
    await sitting.see('After.');
    expect(sitting.lines.filter((line) => /^\d+$/.test(line))).toEqual(
      Array.from({length: 30}, (_, index) => String(index + 1)),
    );
  });

  atTerminal('a window of another size keeps the history and the typed text [tui.resize]', async () => {
    const words = Array.from({length: 60}, (_, index) => `word${index}`).join(' ');
    await using place = await openPlace({script: [says(words)]});
    await using sitting = await ScreenSitting.begin(place, {columns: 80, rows: 20});
    await sitting.seeAt(PROMPT);
    sitting.type('go\r');
    await sitting.see('word59');
    await sitting.seeAt(PROMPT);
    sitting.type('a prompt that is typed');
    await sitting.seeAt('typed');
    const before = sitting.written.length;
    for (const [columns, rows] of [
      [50, 20],
      [100, 30],
      [40, 15],
      [80, 24],
    ] as const) {
      await sitting.resize(columns, rows);
      await sitting.seeAt('typed');
    }
    sitting.type('!');
    await sitting.seeAt('typed!');
    expect(sitting.written.length - before).toBeLessThan(4096);
    expect(sitting.lines.join(' ').match(/word\d+/g)).toEqual(words.split(' '));
  });

  atTerminal.each([['SIGTERM'], ['SIGHUP'], ['terminal']] as const)(
    '%s in the middle of an answer leaves no process [tui.leaving]',
    async (name) => {
      await using place = await openPlace({
        script: [{...says('First half. ', 'Second half.'), stall: {afterPieces: 1}}],
      });
      await using sitting = await ScreenSitting.begin(place);
      await sitting.seeAt(PROMPT);
      sitting.type('talk\r');
      await sitting.see('First half.');
      await sitting.signal(name);
      await sitting.gone();
    },
  );
});

describe('a form in the terminal interface', () => {
  atTerminal('chooses an editor by a search in all of them, and Esc changes nothing [tui.form]', async () => {
    await using place = await openPlace({script: []});
    const settings = async (): Promise<unknown> => JSON.parse(await place.read('../home/.gemini/settings.json'));
    await using sitting = await ScreenSitting.begin(place, {variables: {EDITOR: ''}});
    await sitting.seeAt(PROMPT);
    sitting.type('\u0007');
    await sitting.see('Choose one with /editor');
    sitting.type('/editor\r');
    await sitting.see('Type to search.');
    sitting.type(ESCAPE);
    await sitting.lose('Type to search.');
    expect(await settings()).not.toHaveProperty('general.preferredEditor');
    sitting.type('/editor\r');
    await sitting.see('Type to search.');
    sitting.type('neo');
    await sitting.see('Search: neo');
    await sitting.lose('Helix');
    sitting.type('\r');
    await sitting.see('Editor: nvim.');
    expect(await settings()).toMatchObject({general: {preferredEditor: 'neovim'}});
    sitting.type('/editor ed\r');
    await sitting.see('/editor does not know "ed".');
  });
});

atTerminal('Ctrl+Z suspends, and the shell continues with the prompt as it was [keys.suspend]', async () => {
  await using place = await openPlace({script: [says('Here.')]});
  await using sitting = await ScreenSitting.begin(place, {hasJobs: true});
  await sitting.seeAt(PROMPT);
  sitting.type('half a prom');
  await sitting.seeAt('half a prom');
  sitting.type('\u001a');
  await sitting.see('Stopped.');
  expect(sitting.window.some((row) => row.includes('half a prom'))).toBe(false);
  sitting.type('\r');
  await sitting.seeAt('> half a prom');
  sitting.type('pt\r');
  await sitting.see('Here.');
  await sitting.lose('Ctrl+C stops');
  sitting.type(CTRL_D);
  expect(await sitting.end()).toEqual(left);
});

atTerminal('a key of keybindings.json works, and a notice names a fault in it [keys.bindings]', async () => {
  await using place = await openPlace({
    script: [],
    files: {
      '../home/.gemini/keybindings.json':
        '[{"key": "F5", "command": "edit.deleteLeftAll"}, // mine\n {"key": "x", "command": "edit.undo"}]',
    },
  });
  await using sitting = await ScreenSitting.begin(place);
  await sitting.see('keybindings.json: Entry 2: "x"');
  await sitting.seeAt(PROMPT);
  sitting.type('one two\u001b[15~x');
  await sitting.seeAt('> x');
});

test('gemini keys lists the keys, with those of the file, and ends with 1 for a fault [keys.listed]', async () => {
  const file = '../home/.gemini/keybindings.json';
  await using place = await openPlace({files: {[file]: '[{"key": "F5", "command": "edit.undo"}]'}, script: []});
  const asked = {cwd: place.project, home: place.home};
  const listed = await runGemini(['keys'], asked);
  expect(listed.stdout).toMatch(/^  edit\.undo +F5, Alt\+Z, Ctrl\+_ {2}undo \(changed\)$/m);
  expect(listed.code).toBe(0);
  const {keys} = JSON.parse((await runGemini(['keys', '--json'], asked)).stdout) as {
    readonly keys: readonly {readonly command: string; readonly keys: readonly string[]}[];
  };
  expect(keys).toContainEqual(expect.objectContaining({command: 'edit.undo', keys: ['f5', 'alt+z', 'ctrl+_']}));
  await writeFile(join(place.project, file), '[');
  const broken = await runGemini(['keys', '--json'], asked);
  expect(broken.code).toBe(1);
  expect(broken.stdout + broken.stderr).toMatch(/KEYBINDINGS_INVALID.*It is not JSON/s);
});

atTerminal('/vim switches the keys of vim on, also for later conversations [keys.vim]', async () => {
  await using place = await openPlace({script: []});
  await using sitting = await ScreenSitting.begin(place);
  await sitting.seeAt(PROMPT);
  sitting.type('/vim\r');
  await sitting.see(' · INSERT · ');
  sitting.type('one two three');
  await sitting.seeAt('one two three');
  sitting.type(ESCAPE);
  await sitting.see(' · NORMAL · ');
  sitting.type('0dwve');
  await sitting.see(' · VISUAL · ');
  sitting.type('cTWO');
  await sitting.seeAt('> TWO three');
  sitting.type(`${ESCAPE}dd`);
  await sitting.seeAt(PROMPT);
  expect(JSON.parse(await place.read('../home/.gemini/settings.json'))).toMatchObject({general: {vimMode: true}});
  sitting.type('i');
  await sitting.see(' · INSERT · ');
  sitting.type(CTRL_D);
  expect(await sitting.end()).toEqual(left);
});

describe('themes', () => {
  const coloured = {NO_COLOR: '', COLORTERM: 'truecolor'};

  atTerminal('/theme lists them, uses the chosen one at once, and keeps it [themes.choice]', async () => {
    await using place = await openPlace({script: []});
    await using sitting = await ScreenSitting.begin(place, {variables: coloured});
    await sitting.seeAt(PROMPT);
    sitting.type('/theme\r');
    await sitting.see('Themes (1/');
    sitting.type('/drac\r');
    await sitting.see('❯ Dracula');
    // It is shown before it is chosen.
    await sitting.wait(() => sitting.written.includes('\u001b[38;2;255;121;198m'), 'for its colours');
    sitting.type(ESCAPE);
    await sitting.lose(' · search:');
    sitting.type('q');
    await sitting.lose('Themes (');
    const shown = sitting.written.length;
    sitting.type('/theme Nord\r');
    await sitting.see('there is no such theme');
    expect(sitting.written.slice(shown)).not.toContain('\u001b[38;2;255;121;198m');
    await sitting.seeAt(PROMPT);
    sitting.type('/theme\r');
    await sitting.see('Themes (1/');
    sitting.type('/drac\r');
    await sitting.see('❯ Dracula');
    sitting.type('\r');
    await sitting.lose('Themes (');
    const settings = async (): Promise<unknown> => JSON.parse(await place.read('../home/.gemini/settings.json'));
    expect(await settings()).toMatchObject({ui: {theme: 'Dracula'}});
    sitting.type('/theme Drakula\r');
    await sitting.see('Did you mean Dracula?');
    expect(await settings()).toMatchObject({ui: {theme: 'Dracula'}});
  });

  atTerminal('one of a file is used from the start, and a wrong colour is named [themes.choice]', async () => {
    const theme = JSON.stringify({text: {secondary: 'tomato'}, status: {error: 'reddish'}});
    await using place = await openPlace({
      script: [],
      files: {'../home/mine.json': theme},
      settings: {ui: {theme: '~/mine.json'}},
    });
    await using sitting = await ScreenSitting.begin(place, {variables: coloured});
    await sitting.see('status.error must be');
    await sitting.seeAt(PROMPT);
    expect(sitting.written).toContain('\u001b[38;2;255;99;71m? shows the keys');
  });

  atTerminal(
    'those of extensions are listed with where they come from, and settings name one [extensions.themes]',
    async () => {
      const ocean = (themes: unknown): Readonly<Record<string, string>> => ({
        '../home/.gemini/extensions/ocean/gemini-extension.json': JSON.stringify({
          name: 'ocean',
          version: '1.0.0',
          themes,
        }),
      });
      await using place = await openPlace({
        script: [],
        files: ocean([{name: 'Deep', text: {secondary: 'tomato', accent: '#010203'}}, {name: 4}]),
        settings: {ui: {theme: 'Deep'}},
      });
      await using sitting = await ScreenSitting.begin(place, {variables: coloured});
      await sitting.see('Did you mean Deep (ocean)?');
      await sitting.seeAt(PROMPT);
      await sitting.see('of one line, not 4.');
      // The command and the conversation are two sessions of the place.
      expect(sitting.window.filter((row) => row.includes('of one line, not 4.'))).toHaveLength(1);
      sitting.type('/theme\r');
      await sitting.see('Themes (1/');
      sitting.type('/ocean\r');
      await sitting.see('❯ Deep (ocean)');
      await sitting.see('From ocean.');
      await sitting.wait(() => sitting.written.includes('\u001b[38;2;1;2;3m'), 'for its colours');
      sitting.type('\r');
      await sitting.lose('Themes (');
      sitting.type(CTRL_D);
      expect(await sitting.end()).toEqual(left);
      expect(JSON.parse(await place.read('../home/.gemini/settings.json'))).toMatchObject({
        ui: {theme: 'Deep (ocean)'},
      });
      await using next = await ScreenSitting.begin(place, {variables: coloured});
      await next.seeAt(PROMPT);
      expect(next.written).toContain('\u001b[38;2;255;99;71m? shows the keys');
    },
  );

  atTerminal('a file outside of the home is not read [themes.choice]', async () => {
    await using place = await openPlace({
      script: [],
      files: {'theme.json': '{"text": {"secondary": "tomato"}}'},
      settings: {ui: {theme: '../project/theme.json'}},
    });
    await using sitting = await ScreenSitting.begin(place, {variables: coloured});
    await sitting.see('must be in your home directory');
    await sitting.seeAt(PROMPT);
    expect(sitting.written).not.toContain('38;2;255;99;71');
  });
});

atTerminal(
  '/copy sends the source of the last answer to the terminal, /copy code its code [tui.clipboard]',
  async () => {
    const answer = 'See **this**:\n\n```sh\nls -l\n```\nand:\n\n```\nlast\n  one\n```\n';
    await using place = await openPlace({script: [says(answer)]});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('/copy\r');
    await sitting.see('There is no answer to copy.');
    sitting.type('go\r');
    await sitting.see('one');
    await sitting.lose('Ctrl+C stops');
    const copied = (): readonly string[] =>
      [...sitting.written.matchAll(/\u001b\]52;c;([^\u0007]*)\u0007/g)].map(([, text = '']) =>
        Buffer.from(text, 'base64').toString(),
      );
    sitting.type('/copy\r');
    await sitting.see('to the clipboard of your terminal');
    expect(copied()).toEqual([answer.trimEnd()]);
    sitting.type('/copy code\r');
    await sitting.wait(() => copied().length === 2, 'for the code');
    expect(copied()[1]).toBe('last\n  one');
    sitting.type('/copy words\r');
    await sitting.see('/copy cannot copy "words".');
  },
);

describe('the footer', () => {
  const items = ['workspace', 'sandbox', 'memory-usage', 'command-output'];

  atTerminal('shows the sandbox, memory, and the first line of a command [tui.footer-command]', async () => {
    await using place = await openPlace({
      script: [says('One.')],
      settings: {ui: {footer: {items, command: 'echo "run $((1 + $(cat runs 2>/dev/null || echo 0)))"; echo more'}}},
    });
    await using sitting = await ScreenSitting.begin(place, {columns: 120});
    await sitting.seeAt(PROMPT);
    await sitting.see('no sandbox · ');
    await sitting.see(' MB · run 1 · ');
    sitting.type('!echo 4 > runs\r');
    await sitting.see('run 5');
    expect(sitting.lines.join('\n')).not.toContain('more');
  });

  atTerminal('runs no command that a rule denies, and none of a project [tui.footer-command]', async () => {
    await using place = await openPlace({
      script: [],
      files: {
        '.gemini/settings.json': JSON.stringify({ui: {footer: {command: 'touch of-the-project'}}}),
        '../home/.gemini/policies/no.toml':
          '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 900\n',
      },
      settings: {ui: {footer: {items, command: 'touch of-mine'}}},
    });
    await using sitting = await ScreenSitting.begin(place, {columns: 120});
    await sitting.seeAt(PROMPT);
    await sitting.see('command refused');
    expect((await place.run(['tools', 'call', 'list_directory', 'dir_path=.', '--yes'])).stdout).not.toContain('of-');
  });
});

describe('/footer', () => {
  atTerminal('shows, hides and moves items, previews the row, and keeps them [tui.footer-view]', async () => {
    await using place = await openPlace({
      script: [],
      settings: {ui: {footer: {items: ['model-name', 'quota', 'workspace']}}},
    });
    await using sitting = await ScreenSitting.begin(place, {columns: 110, rows: 26});
    await sitting.seeAt(PROMPT);
    await sitting.see('gemini:model-a · ');
    sitting.type('/footer\r');
    await sitting.see('What the footer shows, from left to right');
    await sitting.see('❯ model-name');
    sitting.type('l');
    await sitting.see('Kept in ');
    sitting.type('l');
    await sitting.wait(
      () => sitting.window.some((row) => /\/project · gemini:model-a · \?/.test(row)),
      'for the preview',
    );
    sitting.type('G\r');
    await sitting.wait(() => sitting.window.some((row) => /command-output: .* shown/.test(row)), 'for the item');
    await sitting.see('Set ui.footer.command to a command first.');
    sitting.type('q');
    await sitting.seeAt(PROMPT);
    await sitting.wait(() => /\/project · gemini:model-a · \?/.test(sitting.window.join('\n')), 'for the footer');
    const kept = await place.run(['settings', 'get', 'ui.footer.items', '--json']);
    expect(kept.stdout).toContain('quota');
    sitting.type('/statusline hostname nonsense\r');
    await sitting.see('The footer has no item "nonsense".');
    sitting.type('/footer session-id model-name\r');
    await sitting.wait(() => /^ {2}[\da-f]{8} · gemini:model-a · \?/m.test(sitting.window.join('\n')), 'for the items');
    sitting.type('/footer --usual\r');
    await sitting.wait(() => /\/project · gemini:model-a · /.test(sitting.window.join('\n')), 'for the usual items');
  });
});

describe('an image on the clipboard', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  /** A program in the place of xclip, which runs a line of the shell. */
  async function withXclip(place: AgentPlace, line: string): Promise<Readonly<Record<string, string>>> {
    const folder = join(place.home, 'bin');
    await mkdir(folder);
    await writeFile(join(place.home, 'image.png'), png);
    await writeFile(join(folder, 'xclip'), `#!/bin/sh\n${line}\n`, {mode: 0o755});
    return {PATH: `${folder}:${process.env['PATH'] ?? ''}`, DISPLAY: ':1', WAYLAND_DISPLAY: '', SSH_CONNECTION: ''};
  }

  atTerminal('is attached to the prompt, and the model gets it [tui.image]', async () => {
    await using place = await openPlace({script: [says('A dot.')]});
    const variables = await withXclip(place, `[ "$4" = image/png ] && cat '${join(place.home, 'image.png')}'`);
    await using sitting = await ScreenSitting.begin(place, {variables, columns: 160});
    await sitting.seeAt(PROMPT);
    sitting.type('what is it');
    await sitting.seeAt('what is it');
    sitting.type('\u0016');
    await sitting.seeAt('.png');
    sitting.type('\r');
    await sitting.see('A dot.');
    expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain(png.toString('base64'));
  });

  atTerminal.each([
    ['no image', 'echo text; exit 0', 'There is no image on the clipboard.'],
    ['a program that fails', 'exit 1', 'There is no image on the clipboard.'],
    ['one that never ends its output', 'cat /dev/zero', 'has more than 20 MB'],
  ])('with %s, the prompt stays as it is [tui.image]', async (_, line, sentence) => {
    await using place = await openPlace({script: []});
    await using sitting = await ScreenSitting.begin(place, {variables: await withXclip(place, line)});
    await sitting.seeAt(PROMPT);
    sitting.type('text\u0016');
    await sitting.see(sentence);
    await sitting.seeAt('> text');
  });
});
