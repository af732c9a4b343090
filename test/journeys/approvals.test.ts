import {chmod, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect} from '@jest/globals';
import {callsTools, openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {atTerminal} from './run-at-terminal.js';

const PROMPT = '>';
const ESCAPE = '\u001b';
const files = {'a.txt': 'one\r\nold\r\n'};
const edit = callsTools(['replace', {file_path: 'a.txt', old_string: 'old', new_string: 'new', instruction: 'x'}]);
const edits = [callsTools(['read_file', {file_path: 'a.txt'}]), edit];

function openPlace(options: AgentPlaceOptions): Promise<AgentPlace> {
  return openAgentPlace({...options, settings: {...options.settings, ui: {...options.settings?.['ui'], mode: ''}}});
}

/** An editor that runs a line of the shell on the file, `$1`. */
async function makeEditor(place: AgentPlace, line: string): Promise<Readonly<Record<string, string>>> {
  const path = join(place.home, 'editor.sh');
  await writeFile(path, `#!/bin/sh\n${line}\n`);
  await chmod(path, 0o755);
  return {EDITOR: path};
}

function lastResult(place: AgentPlace): string {
  return JSON.stringify(place.server.requests.at(-1)?.messages.at(-1)?.pieces ?? []);
}

describe('a proposal in the editor of the person', () => {
  atTerminal('is written as the person left it, and the model hears of it [tui.edit]', async () => {
    await using place = await openPlace({files, script: [...edits, says('So be it.')]});
    const variables = await makeEditor(place, 'case "$1" in */a.txt) sed -i "s/new/mine/" "$1";; esac');
    await using sitting = await ScreenSitting.begin(place, {variables});
    await sitting.seeAt(PROMPT);
    sitting.type('edit\r');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('e');
    await sitting.see('❯ 1. Yes, with your changes');
    expect(sitting.window.some((row) => row.includes('do not ask again'))).toBe(false);
    expect(await place.read('a.txt')).toBe('one\r\nold\r\n');
    sitting.type('\r');
    await sitting.see('So be it.');
    // Its line ends are as they were.
    expect(await place.read('a.txt')).toBe('one\r\nmine\r\n');
  });

  atTerminal('runs the command that the person made of it [tui.edit]', async () => {
    await using place = await openPlace({
      script: [callsTools(['run_shell_command', {command: 'touch proposed'}]), says('Done.')],
    });
    const variables = await makeEditor(place, 'echo "touch mine" > "$1"');
    await using sitting = await ScreenSitting.begin(place, {variables});
    await sitting.seeAt(PROMPT);
    sitting.type('go\r');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('e');
    await sitting.see('❯ 1. Yes, with your changes');
    sitting.type('\r');
    await sitting.see('Done.');
    expect(await place.read('mine')).toBe('');
    await expect(place.read('proposed')).rejects.toThrow('ENOENT');
  });

  atTerminal.each([
    ['an editor that fails', 'exit 3', 'ended with code 3'],
    ['an editor that changes nothing', ':', 'The text is the one that was proposed.'],
    ['a text of which nothing is left', ': > "$1"', 'Nothing was left of it'],
  ])('%s leaves the question as it was [tui.edit]', async (_, line, sentence) => {
    await using place = await openPlace({
      script: [callsTools(['run_shell_command', {command: 'touch proposed'}]), says('No.')],
    });
    const variables = await makeEditor(place, line);
    await using sitting = await ScreenSitting.begin(place, {variables});
    await sitting.seeAt(PROMPT);
    sitting.type('go\r');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('e');
    await sitting.wait(() => sitting.lines.some((row) => row.includes(sentence)), `for ${sentence}`);
    await sitting.see('❯ 1. Yes, once');
    sitting.type(ESCAPE);
    await sitting.see('No.');
    expect(lastResult(place)).toContain('The person refused');
    await expect(place.read('proposed')).rejects.toThrow('ENOENT');
  });

  atTerminal('is edited in plain lines as well [tui.edit]', async () => {
    await using place = await openAgentPlace({files, script: [...edits, says('So be it.')]});
    const variables = {...(await makeEditor(place, 'sed -i "s/new/mine/" "$1"')), TERM: 'dumb'};
    await using sitting = await GeminiSitting.begin(place, {variables});
    await sitting.go(
      ['> ', 'edit\r'],
      ['Allow this? yes, session, always, no, edit, reason', 'edit\r'],
      ['You changed it: 2 lines instead of 2.', ''],
      ['Allow this?', 'session\r'],
      ['What you edited is allowed once only.', ''],
      ['Allow this?', 'yes\r'],
      ['So be it.', ''],
      ['> ', CTRL_D],
    );
    expect(await sitting.end()).toEqual({code: 0, isRestored: true});
    expect(await place.read('a.txt')).toBe('one\r\nmine\r\n');
  });
});

describe('a question about a call', () => {
  atTerminal('shows all of a long change in a view, and is still there afterwards [views.diff]', async () => {
    const lines = (word: string): string => Array.from({length: 80}, (_, index) => `${word} line ${index}\n`).join('');
    await using place = await openPlace({
      files: {'b.txt': lines('old')},
      script: [
        callsTools(['read_file', {file_path: 'b.txt'}]),
        callsTools(['write_file', {file_path: 'b.txt', content: lines('new')}]),
        says('Kept.'),
      ],
    });
    await using sitting = await ScreenSitting.begin(place, {columns: 110, rows: 24});
    await sitting.seeAt(PROMPT);
    sitting.type('rewrite\r');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('v');
    await sitting.see('What write_file would do to');
    expect(sitting.window.some((row) => /^ 1 - old line 0 +│ {2}1 \+ new line 0$/.test(row))).toBe(true);
    sitting.type('G');
    await sitting.see('80 + new line 79');
    sitting.type('s');
    await sitting.lose('│');
    sitting.type(ESCAPE);
    await sitting.see('❯ 1. Yes, once');
    expect(await place.read('b.txt')).toBe(lines('old'));
    sitting.type('n');
    await sitting.see('Kept.');
  });

  atTerminal('allows what waits with it, after it has shown all of that [tui.all]', async () => {
    await using place = await openPlace({
      files: {
        'a.txt': 'A',
        'b.txt': 'B',
        'c.txt': 'C',
        '../home/.gemini/policies/ask.toml':
          '[[rule]]\ntoolName = "read_file"\ndecision = "ask_user"\npriority = 900\n',
      },
      script: [
        callsTools(
          ['read_file', {file_path: 'a.txt'}],
          ['read_file', {file_path: 'b.txt'}],
          ['read_file', {file_path: 'c.txt'}],
        ),
        says('All read.'),
      ],
    });
    await using sitting = await ScreenSitting.begin(place, {columns: 140, rows: 30});
    await sitting.seeAt(PROMPT);
    sitting.type('read\r');
    await sitting.see('2. Yes, once, and to the 2 other calls that wait');
    sitting.type('\u001b[B');
    await sitting.see('/b.txt');
    expect(sitting.window.filter((row) => /read_file: read path .*\/[bc]\.txt$/.test(row))).toHaveLength(2);
    sitting.type('\r');
    await sitting.see('All read.');
    expect(lastResult(place)).not.toContain('refused');
    expect(sitting.lines.filter((line) => line.startsWith('Allow this?'))).toEqual([
      'Allow this? yes, to all that wait',
    ]);
  });

  atTerminal('is not part of the time of the call [calls.thinking]', async () => {
    await using place = await openPlace({files, script: [...edits, says('It is new.')]});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('edit\r');
    await sitting.see('❯ 1. Yes, once');
    const shown = performance.now();
    // A person reads, for much longer than the call takes.
    for (let count = 0; count < 10; count += 1) {
      sitting.type('v');
      await sitting.see('What replace would do');
      sitting.type('q');
      await sitting.see('❯ 1. Yes, once');
    }
    const thought = performance.now() - shown;
    sitting.type('\r');
    await sitting.see('It is new.');
    const line = sitting.lines.find((row) => row.startsWith('✓ replace')) ?? '';
    const [, amount = '', unit = ''] = /([\d.]+) (ms|s)$/.exec(line) ?? [];
    expect(Number(amount) * (unit === 's' ? 1000 : 1)).toBeLessThan(thought);
  });
});

describe('the rule of an answer that is kept', () => {
  const commands = ['touch one two', 'touch one three', 'touch four'];
  const script = [...commands.map((command) => callsTools(['run_shell_command', {command}])), says('Looked.')];
  const kept = '.gemini/policies/auto-saved.toml';

  atTerminal('is narrowed before it is kept, and never made wider [tui.limit]', async () => {
    await using place = await openPlace({script});
    await using sitting = await ScreenSitting.begin(place, {columns: 110});
    await sitting.seeAt(PROMPT);
    sitting.type('look\r');
    await sitting.see('l limit rule');
    sitting.type('l');
    await sitting.seeAt('Only commands that begin with: touch');
    sitting.type('\u0015cp\r');
    await sitting.see('it must begin with "touch", or it would allow more');
    sitting.type('l');
    await sitting.seeAt('begin with: touch');
    sitting.type(' two\r');
    await sitting.see('the command that is asked about does not begin so');
    sitting.type('l');
    await sitting.seeAt('begin with: touch');
    sitting.type(' one\r');
    await sitting.see('commandPrefix = "touch one"');
    sitting.type('a');
    // The second one is covered, the third is not.
    await sitting.see('touch four');
    await sitting.see('❯ 1. Yes, once');
    expect(await place.read(`../home/${kept}`)).toContain('commandPrefix = "touch one"');
    expect(place.server.requests).toHaveLength(3);
    sitting.type('\r');
    await sitting.see('Looked.');
  });

  atTerminal('is narrowed in plain lines, too [tui.limit]', async () => {
    await using place = await openAgentPlace({script});
    await using sitting = await GeminiSitting.begin(place, {variables: {TERM: 'dumb'}});
    await sitting.go(
      ['> ', 'look\r'],
      ['limit', 'limit\r'],
      ['Only commands that begin with: touch', ' one\r'],
      ['saves: ', ''],
      ['commandPrefix = "touch one"', ''],
      ['Allow this? ', 'session\r'],
      ['touch four', ''],
      ['Allow this? ', 'yes\r'],
      ['Looked.', ''],
      ['> ', CTRL_D],
    );
    expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  });
});
