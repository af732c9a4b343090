import {describe, expect} from '@jest/globals';
import {callsTools, openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../helpers/run-agent.js';
import {CTRL_D} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {atTerminal} from './run-at-terminal.js';

const PROMPT = '>';
const PAGE_UP = '\u001b[5~';
const PAGE_DOWN = '\u001b[6~';
const F3 = '\u001bOR';
const ESCAPE = '\u001b';
const WHEEL_UP = '\u001b[<64;5;5M';
const left = {code: 0, isRestored: true};

function openPlace(options: AgentPlaceOptions, ui: Record<string, unknown> = {}): Promise<AgentPlace> {
  return openAgentPlace({...options, settings: {ui: {mode: 'terminal', useAlternateBuffer: true, ...ui}}});
}

const numbers = Array.from({length: 60}, (_, at) => `number ${at}`).join('\n\n');

describe('a conversation in the whole window', () => {
  atTerminal('moves by pages in a list that is open, and else in the history [tui.window]', async () => {
    await using place = await openPlace({script: [says(numbers)]});
    await using sitting = await ScreenSitting.begin(place, {rows: 16});
    await sitting.seeAt(PROMPT);
    sitting.type('count\r');
    await sitting.see('number 59');
    await sitting.lose('Ctrl+C stops');
    sitting.type('/editor\r');
    await sitting.see('❯ The one of VISUAL or EDITOR');
    sitting.type(PAGE_DOWN);
    await sitting.see('❯ Helix');
    sitting.type(PAGE_UP);
    await sitting.see('❯ The one of VISUAL or EDITOR');
    expect(sitting.window.some((row) => row.includes('rows below'))).toBe(false);
    sitting.type(ESCAPE);
    await sitting.seeAt(PROMPT);
    sitting.type(PAGE_UP);
    await sitting.see('rows below');
  });

  atTerminal(
    'shows turns, approvals, commands and views, and leaves all in the scrollback [tui.window-lost]',
    async () => {
      const edit = {file_path: 'a.txt', old_string: 'old', new_string: 'new', instruction: 'Make it new.'};
      await using place = await openPlace({
        files: {'a.txt': 'old\n'},
        script: [callsTools(['read_file', {file_path: 'a.txt'}]), callsTools(['replace', edit]), says('It is new.')],
      });
      await using sitting = await ScreenSitting.begin(place);
      await sitting.seeAt(PROMPT);
      expect(sitting.window[0]).toMatch(/^gemini .* · mode default/);
      sitting.type('edit\r');
      await sitting.see('❯ 1. Yes, once');
      sitting.type('\r');
      await sitting.see('It is new.');
      expect(await place.read('a.txt')).toBe('new\n');
      await sitting.lose('Ctrl+C stops');
      sitting.type('/about\r');
      await sitting.see('terminal');
      for (const [columns, rows] of [
        [40, 12],
        [120, 40],
        [80, 24],
      ] as const) {
        await sitting.resize(columns, rows);
        await sitting.wait(() => sitting.window.at(-2)?.startsWith(PROMPT) === true, 'for the prompt at the bottom');
      }
      sitting.type('/settings\r');
      await sitting.see('Settings (');
      sitting.type(ESCAPE);
      await sitting.see('It is new.');
      await sitting.seeAt(PROMPT);
      expect(sitting.lines.join('\n')).not.toContain('It is new.');
      sitting.type(CTRL_D);
      expect(await sitting.end()).toEqual(left);
      const {lines} = sitting;
      for (const text of ['> edit', '1 + new', 'It is new.', 'Allow this? yes'])
        expect(lines.filter((line) => line === text)).toHaveLength(1);
      expect(lines.some((line) => line.startsWith('version'))).toBe(true);
    },
  );

  atTerminal('is scrolled by keys and by the wheel, and searched [tui.window]', async () => {
    await using place = await openPlace({script: [says(numbers, '\n\nThe end.')]}, {mouseWheel: true});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('count\r');
    await sitting.see('The end.');
    await sitting.lose('Ctrl+C stops');
    sitting.type(WHEEL_UP);
    await sitting.see('more rows below');
    sitting.type(PAGE_UP);
    await sitting.see('number 44');
    await sitting.lose('number 59');
    sitting.type(`${F3}number 7\r`);
    await sitting.seeAt('/number 7');
    await sitting.see('number 7');
    await sitting.lose('number 44');
    sitting.type(ESCAPE);
    await sitting.see('The end.');
    await sitting.seeAt(PROMPT);
  });

  atTerminal.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is in the scrollback of a terminal whose program gets %s [tui.window-lost]', async (signal, code) => {
    await using place = await openPlace({script: [{...says('First half. ', 'Second half.'), stall: {afterPieces: 1}}]});
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('talk\r');
    await sitting.see('First half.');
    await sitting.signal(signal);
    expect(await sitting.end()).toEqual({code, isRestored: true});
    expect(sitting.lines).toEqual(expect.arrayContaining(['> talk', 'First half.']));
    expect(sitting.written.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(sitting.written.lastIndexOf('\u001b[?1049h'));
  });

  atTerminal('is not there where a terminal has no second screen, which is said [tui.window]', async () => {
    await using place = await openPlace({script: [says('Hello.')]});
    await using sitting = await ScreenSitting.begin(place, {variables: {TERM: 'linux'}});
    await sitting.see('ui.useAlternateBuffer has no effect');
    await sitting.seeAt(PROMPT);
    expect(sitting.written).not.toContain('\u001b[?1049h');
  });
});
