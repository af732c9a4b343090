import {expect} from '@jest/globals';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {atTerminal} from './run-at-terminal.js';

const failing = callsTools(['run_shell_command', {command: 'make nothing-here'}]);
/** An empty prompt above the line of the mode. */
const AT_PROMPT = 'mode yolo\u001b[1A\r\u001b[2C';
const HINT = '"make nothing-here" failed 3 times.';
const openPlace = (settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
  openAgentPlace({script: [failing, failing, failing, says('I give up.')], settings});

for (const mode of ['console', ''])
  atTerminal(
    `the end of a conversation that went badly says so, where it is wanted; interface: ${mode || 'terminal'} [learning.hint]`,
    async () => {
      await using place = await openPlace({ui: {mode}, learning: {hint: true}});
      const options = {words: ['-y']};
      await using sitting = mode === '' ? await ScreenSitting.begin(place, {...options, columns: 120}) : undefined;
      const plain = mode === '' ? undefined : await GeminiSitting.begin(place, options);
      const seat = sitting ?? plain;
      await seat?.see('>');
      seat?.type('make it\r');
      await seat?.see('I give up.');
      await sitting?.lose('Ctrl+C stops');
      await plain?.see(AT_PROMPT);
      seat?.type(CTRL_D);
      await seat?.see(HINT);
      expect(await seat?.end()).toMatchObject({code: 0});
    },
    60_000,
  );

atTerminal(
  'nothing is said of it unless it is switched on [learning.hint]',
  async () => {
    await using place = await openPlace({});
    const sitting = await GeminiSitting.begin(place, {words: ['-y']});
    await sitting.see('> ');
    sitting.type('make it\r');
    await sitting.see('I give up.');
    await sitting.see(AT_PROMPT);
    sitting.type(CTRL_D);
    expect(await sitting.end()).toMatchObject({code: 0});
    expect(sitting.screen).not.toContain(HINT);
  },
  60_000,
);
