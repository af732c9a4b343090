import {describe, expect} from '@jest/globals';
import {callsTools, openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {where} from '../helpers/where.js';
import {atTerminal} from './run-at-terminal.js';

const CTRL_B = '\u0002';
const ESCAPE = '\u001b';
const SHIFT_TAB = '\u001b[Z';
const left = {code: 0, isRestored: true};
const COUNTING = 'i=0; while :; do i=$((i+1)); echo tick-$i; sleep 0.05; done';
const ASKING = 'printf "Your name: "; read -r name; echo "Hello, $name."; tty -s && stty size';

const inSandbox = where(process.platform === 'linux', 'bubblewrap');

function openPlace(options: AgentPlaceOptions): Promise<AgentPlace> {
  return openAgentPlace({...options, settings: {...options.settings, ui: {...options.settings?.['ui'], mode: ''}}});
}

/** What the model got of the last call. */
function toldLast(place: AgentPlace): string {
  return JSON.stringify(place.server.requests.at(-1)?.messages.at(-1));
}

describe('a running command', () => {
  atTerminal('goes to the background, is read while it prints, and is stopped [shells.background]', async () => {
    await using place = await openPlace({
      script: [callsTools(['run_shell_command', {command: COUNTING}]), says('It counts.')],
    });
    await using sitting = await ScreenSitting.begin(place, {words: ['--yolo']});
    await sitting.seeAt('>');
    sitting.type('count\r');
    await sitting.see('tick-3');
    sitting.type(CTRL_B);
    await sitting.see('In the background: ');
    await sitting.see('It counts.');
    expect(toldLast(place)).toMatch(/is running in background\. PID: \d+.*tick-1/);
    await sitting.lose('Ctrl+C stops');
    sitting.type('/shells\r');
    await sitting.see('Commands in the background (1/1)');
    sitting.type('a');
    // It continues while it is read.
    const seen = (): number => Math.max(0, ...sitting.window.map((row) => Number(/^tick-(\d+)$/.exec(row)?.[1] ?? 0)));
    await sitting.wait(() => seen() > 0, 'for its output');
    const before = seen();
    await sitting.wait(() => seen() > before + 3, 'for more of its output');
    sitting.type(ESCAPE);
    await sitting.see('x stop');
    sitting.type('x');
    await sitting.seeAt('(y/n)');
    sitting.type('y');
    await sitting.see('was stopped');
    await sitting.see('ended: Signal: SIGTERM');
    sitting.type(ESCAPE);
    await sitting.seeAt('>');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
  });

  atTerminal('of a person goes there too; its end is said, and the session ends it [shells.background]', async () => {
    await using place = await openPlace({script: []});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt('>');
    sitting.type('!until [ -e go ]; do echo waits; sleep 0.05; done\r');
    await sitting.see('  waits');
    sitting.type(CTRL_B);
    await sitting.see('Running in the background as process');
    await sitting.seeAt('>');
    sitting.type('!touch go\r');
    await sitting.see('has ended: until');
    await sitting.seeAt('>');
    sitting.type('/shells stop 1\r');
    await sitting.see('No background process of this session has the id 1.');
    await sitting.seeAt('>');
    sitting.type('!echo slept; sleep 4711\r');
    // The line of the call is there before the process is.
    await sitting.see('  slept');
    sitting.type(CTRL_B);
    const sent = (): readonly RegExpMatchArray[] => [...sitting.lines.join('\n').matchAll(/as process (\d+)\./g)];
    await sitting.wait(() => sent().length === 2, 'for the second one');
    await sitting.seeAt('>');
    const pid = Number(sent()[1]?.[1]);
    expect(process.kill(pid, 0)).toBe(true);
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  atTerminal('gets what is typed when the person gives it the keys [shells.typing]', async () => {
    await using place = await openPlace({script: [says('Noted.')]});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt('>');
    sitting.type(`!${ASKING}\r`);
    await sitting.see('Tab types into it');
    sitting.type('\t');
    await sitting.see('Shift+Tab takes the keys back');
    await sitting.seeAt('Your name:');
    sitting.type('Adb\u007fa');
    await sitting.seeAt('Your name: Ada');
    // Back to the prompt and again to the command.
    sitting.type(SHIFT_TAB);
    await sitting.lose('Shift+Tab takes the keys back');
    sitting.type('kept');
    await sitting.seeAt('> kept');
    sitting.type('\t');
    await sitting.seeAt('Your name: Ada');
    sitting.type('\r');
    await sitting.see('Hello, Ada.');
    await sitting.see('20 78');
    await sitting.seeAt('> kept');
    sitting.type('\r');
    await sitting.see('Noted.');
    expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('Hello, Ada.');
    await sitting.lose('Ctrl+C stops');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
  });

  atTerminal('of the model has a terminal only where it asks for one; Ctrl+C reaches it [shells.typing]', async () => {
    await using place = await openPlace({
      script: [
        callsTools(['run_shell_command', {command: 'tty -s; echo plain=$?; read -r x; echo eof=$?'}]),
        callsTools([
          'run_shell_command',
          {command: 'trap "echo interrupted; exit 3" INT; echo ready; sleep 60 & wait', interactive: true},
        ]),
        says('Both ran.'),
      ],
    });
    await using sitting = await ScreenSitting.begin(place, {words: ['--yolo']});
    await sitting.seeAt('>');
    sitting.type('go\r');
    await sitting.see('Tab types into it');
    sitting.type('\t');
    await sitting.wait(() => sitting.window.includes('ready'), 'for its output');
    sitting.type('\u0003');
    await sitting.see('Both ran.');
    const told = JSON.stringify(place.server.requests.at(-1)?.messages);
    expect(told).toContain('plain=1');
    expect(told).toContain('eof=1');
    expect(told).toMatch(/interrupted.*Exit Code: 3/);
  });

  inSandbox('types into a confined command, whose terminal is confined with it [shells.typing]', async () => {
    await using place = await openPlace({
      script: [],
      settings: {tools: {sandbox: true}},
      files: {'../home/secret.txt': 'seen'},
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt('>');
    sitting.type('!tty; read -r x; cat ../home/secret.txt; echo "got $x, $SHELL$GEMINI_TTY_COMMAND."\r');
    await sitting.see('Tab types into it');
    sitting.type('\t');
    await sitting.see('Shift+Tab takes the keys back');
    sitting.type('it\r');
    await sitting.wait(() => sitting.lines.some((line) => line.startsWith('got it, ')), 'for its output');
    const lines = sitting.lines.join('\n');
    expect(lines).toMatch(/^\/dev\/pts\/\d+$/m);
    expect(lines).not.toContain('seen');
    expect(lines).toMatch(/^got it, \/bin\/sh\.$/m);
  });

  atTerminal('is sent away, listed, typed into and stopped in plain lines, too [shells.plain]', async () => {
    await using place = await openAgentPlace({script: []});
    await using sitting = await GeminiSitting.begin(place, {variables: {TERM: 'dumb'}});
    await sitting.go(
      ['> ', '!printf "Who: "; read -r n; echo "it is $n"\r'],
      ['Tab types into the command.', '\t'],
      ['What you type goes to the command.', ''],
      ['Who: ', 'Eve\r'],
      ['it is Eve', ''],
      ['> ', '!printf "Name: "; read -r n; echo "is $n"; sleep 60\r'],
      ['Tab types into the command.', CTRL_B],
      ['Running in the background as process', ''],
      ['> ', '/shells\r'],
      ['1. printf', 't 1\r'],
      ['Type: ', 'Bob\r'],
    );
    // It prints a little later.
    while (!sitting.screen.includes('is Bob')) await sitting.go(['Which one? ', 'a 1\r'], ['Output', '']);
    await sitting.go(
      ['Which one? ', 'x 1\r'],
      ['Stop this command and all that it started?', ''],
      ['(y/n) ', 'y\r'],
      ['was stopped', ''],
      ['Which one? ', '\r'],
      ['> ', '!echo on; sleep 61\r'],
      ['Tab types into the command.', CTRL_B],
      ['as process', ''],
      ['> ', CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
  });
});
