import {describe, expect} from '@jest/globals';
import {callsTools, openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../helpers/run-agent.js';
import {CTRL_C, CTRL_D, GeminiSitting} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {atTerminal} from './run-at-terminal.js';

const PROMPT = '>';
const UP = '\u001b[A';
const DOWN = '\u001b[B';
const ESCAPE = '\u001b';
const ENTER_SCREEN = '\u001b[?1049h';
const LEAVE_SCREEN = '\u001b[?1049l';
const left = {code: 0, isRestored: true};
const files = {'a.txt': 'one old line\n'};
const edits = [
  callsTools(['read_file', {file_path: 'a.txt'}]),
  callsTools(['replace', {file_path: 'a.txt', old_string: 'old', new_string: 'new', instruction: 'x'}]),
];

function openPlace(options: AgentPlaceOptions): Promise<AgentPlace> {
  return openAgentPlace({...options, settings: {...options.settings, ui: {...options.settings?.['ui'], mode: ''}}});
}

/** Sends a prompt, and waits for the end of its answer. */
async function ask(sitting: ScreenSitting, prompt: string, answer: string): Promise<void> {
  await sitting.seeAt(PROMPT);
  sitting.type(`${prompt}\r`);
  await sitting.see(answer);
  await sitting.lose('Ctrl+C stops');
}

describe('/rewind in the whole window', () => {
  atTerminal('shows what would be undone, and goes back with the files [views.rewind]', async () => {
    await using place = await openPlace({files, script: [says('Hello.'), ...edits, says('It is new.'), says('Good.')]});
    await using sitting = await ScreenSitting.begin(place);
    await ask(sitting, 'hello', 'Hello.');
    sitting.type('edit\r');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('\r');
    await sitting.see('It is new.');
    await sitting.lose('Ctrl+C stops');
    sitting.type('/rewind\r');
    await sitting.see('Go back to before a prompt (2/2)');
    await sitting.see('1 - one new line');
    expect(sitting.window).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^❯ edit +1 file \+1 -1$/),
        'a.txt changes (+1 -1)',
        '1 + one old line',
      ]),
    );
    sitting.type(UP);
    await sitting.see('Later prompts: 1.');
    sitting.type(`${DOWN}\r`);
    await sitting.seeAt('restore the files? (y/n)');
    sitting.type('n');
    await sitting.lose('(y/n)');
    sitting.type('\r');
    await sitting.seeAt('restore the files? (y/n)');
    expect(await place.read('a.txt')).toBe('one new line\n');
    sitting.type('y');
    await sitting.see('The conversation is back at the point before: edit');
    await sitting.seeAt('> edit');
    expect(await place.read('a.txt')).toBe('one old line\n');
    // What was on the screen is there again.
    expect(sitting.lines).toEqual(expect.arrayContaining(['> hello', 'Hello.', '> /rewind']));
    sitting.type('\u0015really?\r');
    await sitting.see('Good.');
    expect(place.server.requests.at(-1)?.messages).toHaveLength(3);
    await sitting.lose('Ctrl+C stops');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
  });

  atTerminal('goes back with the files only, and Esc changes nothing [views.rewind]', async () => {
    await using place = await openPlace({files, script: [...edits, says('It is new.')]});
    await using sitting = await ScreenSitting.begin(place, {columns: 120, rows: 30});
    await sitting.seeAt(PROMPT);
    sitting.type('edit\r');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('\r');
    await sitting.see('It is new.');
    await sitting.lose('Ctrl+C stops');
    sitting.type('/rewind\r');
    await sitting.see('│ a.txt changes (+1 -1)');
    sitting.type(ESCAPE);
    await sitting.lose('Go back to before');
    await sitting.seeAt(PROMPT);
    sitting.type('/rewind\r');
    await sitting.see('│ a.txt changes (+1 -1)');
    sitting.type('f');
    await sitting.seeAt('(y/n)');
    sitting.type('y');
    await sitting.see('Restored:');
    expect(await place.read('a.txt')).toBe('one old line\n');
    await sitting.seeAt(PROMPT);
  });
});

describe('/resume in the whole window', () => {
  atTerminal('searches in contents, renames, exports, deletes, and continues a session [views.resume]', async () => {
    await using place = await openPlace({
      script: [says('About whales.'), says('About bees.'), says('About ants.'), says('Still whales.')],
    });
    await using sitting = await ScreenSitting.begin(place);
    for (const [prompt, answer] of [
      ['first', 'About whales.'],
      ['second', 'About bees.'],
      ['third', 'About ants.'],
    ] as const) {
      await ask(sitting, prompt, answer);
      if (prompt === 'third') break;
      sitting.type('/clear\r');
      await sitting.see('This is a new conversation.');
    }
    await sitting.seeAt(PROMPT);
    sitting.type('/resume\r');
    await sitting.see('Sessions of this project (1/3) · by date');
    await sitting.see('About ants.');
    sitting.type('/whales');
    await sitting.see('model: About whales.');
    await sitting.lose('About ants.');
    sitting.type('\r');
    sitting.type('n');
    await sitting.seeAt('New name: first');
    sitting.type('\u0015the sea\r');
    await sitting.see('It is now called: the sea');
    expect((await place.run(['--list-sessions'])).stdout).toContain('  1. the sea (');
    sitting.type('e');
    await sitting.seeAt('Write to (.md or .json):');
    sitting.type('sea.md\r');
    await sitting.see('sea.md.');
    expect(await place.read('sea.md')).toContain('About whales.');
    sitting.type('e');
    await sitting.seeAt('Write to (.md or .json):');
    sitting.type('sea.txt\r');
    await sitting.see('the file name has no known format');
    sitting.type(ESCAPE);
    await sitting.see('(3/3)');
    sitting.type('s');
    await sitting.see('by name');
    sitting.type('r');
    await sitting.see('by name, reversed');
    sitting.type('g');
    await sitting.see('❯ third');
    sitting.type('x');
    await sitting.seeAt('(y/n)');
    sitting.type('y');
    // It is recorded by this program.
    await sitting.see('has been recording the session');
    sitting.type('/bees');
    await sitting.see('model: About bees.');
    sitting.type('\rx');
    await sitting.seeAt('(y/n)');
    sitting.type('y');
    await sitting.see('Deleted: second');
    sitting.type(ESCAPE);
    await sitting.see('(1/2)');
    sitting.type('/sea');
    await sitting.see('❯ the sea');
    sitting.type('\r\r');
    await sitting.see('The conversation continues after one prompt.');
    await ask(sitting, 'more', 'Still whales.');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
    // The name outlives the next turn.
    const {stdout} = await place.run(['--list-sessions']);
    expect(stdout.match(/^ {2}\d\. [\w ]+/gm)).toEqual(['  1. the sea ', '  2. third ']);
  });
});

describe('/output', () => {
  atTerminal('finds and pages what tools have printed, at any length [views.output]', async () => {
    await using place = await openPlace({
      script: [callsTools(['run_shell_command', {command: 'seq 1000 3999'}]), says('Counted.')],
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('count\r');
    await sitting.see('Counted.');
    await sitting.lose('Ctrl+C stops');
    sitting.type('\u001bo');
    await sitting.see('3000 lines');
    sitting.type('/2345');
    await sitting.see('    2345');
    sitting.type('\r\tG');
    await sitting.see('3999');
    sitting.type('g');
    await sitting.see('"command": "seq 1000 3999"');
    sitting.type(CTRL_C);
    await sitting.lose('"command":');
    await sitting.seeAt(PROMPT);
    expect(sitting.lines).not.toContain('2345');
  });

  atTerminal('waits with a question until the view is closed, and says so [views.question]', async () => {
    await using place = await openPlace({
      files,
      script: [
        callsTools(['read_file', {file_path: 'a.txt'}]),
        {...(edits[1] ?? says('')), pauseMs: 1500},
        says('Done.'),
      ],
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('edit\r');
    await sitting.see('read_file a.txt');
    sitting.type('\u001bo');
    await sitting.see('Calls of this conversation');
    await sitting.see('gemini asks something.');
    sitting.type(ESCAPE);
    await sitting.see('❯ 1. Yes, once');
    expect(await place.read('a.txt')).toBe('one old line\n');
    sitting.type('\r');
    await sitting.see('Done.');
    expect(await place.read('a.txt')).toBe('one new line\n');
  });
});

describe('/settings', () => {
  atTerminal('finds a setting, says why its value holds, and changes it [views.settings]', async () => {
    await using place = await openPlace({script: []});
    await using sitting = await ScreenSitting.begin(place, {columns: 100, rows: 30});
    await sitting.seeAt(PROMPT);
    sitting.type('/settings\r');
    await sitting.see('Settings (1/');
    sitting.type('/maxsessionturns');
    await sitting.see('❯ model.maxSessionTurns');
    await sitting.see('→ default: -1');
    sitting.type('\r\r');
    await sitting.seeAt('New value (JSON or text): -1');
    sitting.type('\u001512\r');
    await sitting.see('It is 12 now, by user.');
    await sitting.see('settings.json): 12');
    const settings = async (): Promise<unknown> => JSON.parse(await place.read('../home/.gemini/settings.json'));
    expect(await settings()).toMatchObject({model: {maxSessionTurns: 12}});
    sitting.type('\r');
    await sitting.seeAt('New value (JSON or text): 12');
    sitting.type('\u0015many\r');
    await sitting.see('must be a number');
    expect(await settings()).toMatchObject({model: {maxSessionTurns: 12}});
    sitting.type('x');
    await sitting.see('(y/n)');
    sitting.type('y');
    await sitting.see('It is -1 now, by default.');
    expect(await settings()).not.toMatchObject({model: {maxSessionTurns: 12}});
  });

  atTerminal('is a list in plain lines, too [views.settings]', async () => {
    await using place = await openAgentPlace({script: []});
    await using sitting = await GeminiSitting.begin(place, {variables: {TERM: 'dumb'}});
    await sitting.go(
      ['> ', '/settings\r'],
      ['Which one? ', '/maxsessionturns\r'],
      ['1. model.maxSessionTurns (-1)', ''],
      ['Which one? ', '1\r'],
      ['New value (JSON or text): ', '\u00157\r'],
      ['It is 7 now, by user.', ''],
      ['Which one? ', '\r'],
      ['> ', CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
  });
});

describe('/help', () => {
  atTerminal('finds what people want to do, and puts it into the prompt [views.help]', async () => {
    await using place = await openPlace({script: []});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('/help\r');
    await sitting.see('❯ Run a line of the shell');
    sitting.type('/go back');
    await sitting.see('❯ Go back to before a prompt');
    sitting.type('\r\r');
    await sitting.seeAt('> /rewind');
    sitting.type('\u0015/help\r');
    await sitting.see('❯ Run a line of the shell');
    sitting.type('/Ctrl+O');
    await sitting.see('show all of the last shortened output');
    sitting.type('\r\r');
    await sitting.see('A key is pressed, not typed.');
  });
});

describe('a view', () => {
  atTerminal('fits windows of any size, and gives history back as it was [views.resize]', async () => {
    await using place = await openPlace({script: [says('A first answer.'), says('And after.')]});
    await using sitting = await ScreenSitting.begin(place);
    await ask(sitting, 'a prompt that is longer than forty columns, for sure', 'A first answer.');
    sitting.type('/resume\r');
    await sitting.see('Sessions of this project (1/1)');
    for (const [columns, rows] of [
      [40, 15],
      [120, 40],
      [20, 6],
      [80, 24],
    ] as const) {
      await sitting.resize(columns, rows);
      await sitting.wait(
        () => sitting.window[0]?.startsWith('Sessions of') === true && (sitting.window.at(-1) ?? '') !== '',
        `for the view at ${columns}x${rows}`,
      );
      expect(sitting.window).toHaveLength(rows);
    }
    sitting.type(ESCAPE);
    await ask(sitting, 'on', 'And after.');
    expect(sitting.lines.filter((line) => line === 'A first answer.')).toHaveLength(1);
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
  });

  atTerminal.each([['SIGTERM'], ['SIGHUP']] as const)(
    '%s leaves it and the terminal as it was [views.leaving]',
    async (name) => {
      await using place = await openPlace({script: [says('Here.')]});
      await using sitting = await ScreenSitting.begin(place);
      await ask(sitting, 'hello', 'Here.');
      sitting.type('/resume\r');
      await sitting.see('Sessions of this project');
      await sitting.signal(name);
      await sitting.gone();
      const {written} = sitting;
      expect(written.lastIndexOf(LEAVE_SCREEN)).toBeGreaterThan(written.lastIndexOf(ENTER_SCREEN));
    },
  );

  atTerminal('is suspended by Ctrl+Z, and is there again afterwards [views.leaving]', async () => {
    await using place = await openPlace({script: [says('Here.')]});
    await using sitting = await ScreenSitting.begin(place, {hasJobs: true});
    await ask(sitting, 'hello', 'Here.');
    sitting.type('/resume\r');
    await sitting.see('Sessions of this project');
    sitting.type('\u001a');
    await sitting.see('Stopped.');
    expect(sitting.window.some((row) => row.includes('Sessions of'))).toBe(false);
    sitting.type('\r');
    await sitting.see('Sessions of this project');
    sitting.type('q');
    await sitting.seeAt(PROMPT);
  });

  atTerminal('shows what others wrote without obeying it [views.hostile]', async () => {
    const evil = 'a\u001b]0;evil\u0007\u001b[2J\u009b31mb\u202ec';
    await using place = await openPlace({script: [says(evil)]});
    await using sitting = await ScreenSitting.begin(place, {words: ['-i', evil]});
    await sitting.wait(() => sitting.lines.some((line) => line.startsWith('>')), 'for the prompt');
    await sitting.lose('Ctrl+C stops');
    await sitting.seeAt(PROMPT);
    sitting.type('/resume\r');
    await sitting.see('Sessions of this project (1/1)');
    await sitting.see('Its answer');
    const shown = sitting.written.slice(sitting.written.lastIndexOf(ENTER_SCREEN));
    expect(shown).not.toMatch(/evil\u0007|\u001b\[2J|\u009b|\u202e/);
    expect(sitting.title).not.toContain('evil');
  });

  atTerminal('is a numbered list in plain lines, with the same actions [views.plain]', async () => {
    await using place = await openAgentPlace({script: [says('About whales.'), says('About bees.'), says('Again.')]});
    await using sitting = await GeminiSitting.begin(place, {variables: {TERM: 'dumb'}});
    await sitting.go(
      ['> ', 'first\r'],
      ['About whales.', ''],
      ['> ', '/clear\r'],
      ['This is a new conversation.', ''],
      ['> ', 'second\r'],
      ['About bees.', ''],
      ['> ', '/resume\r'],
      ['1. second (open', ''],
      ['2. first', ''],
      ['Which one? ', '?\r'],
      ['n and a number: rename.', ''],
      ['Which one? ', '/whales\r'],
      ['1. first', ''],
      ['model: About whales.', ''],
      ['Which one? ', 'n 1\r'],
      ['New name: ', '\u0015the sea\r'],
      ['It is now called: the sea', ''],
      ['1. the sea', ''],
      ['Which one? ', 'v 1\r'],
      ['Its answer', ''],
      ['About whales.', ''],
      ['Which one? ', '1\r'],
      ['The conversation continues after one prompt.', ''],
      ['> ', 'more\r'],
      ['Again.', ''],
      ['> ', CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
  });
});
