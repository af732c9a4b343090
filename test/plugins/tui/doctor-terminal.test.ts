import {expect, test} from '@jest/globals';
import {openAgentPlace} from '../../helpers/run-agent.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {ScreenSitting} from '../../helpers/sit-at-screen.js';
import {atTerminal} from '../../journeys/run-at-terminal.js';
import {findAbilities} from '#plugins/tui/dist/capabilities/find-abilities.js';
import {readAnswers} from '#plugins/tui/dist/capabilities/read-answers.js';

const ESC = '\u001b';
const KITTY = `${ESC}[?0u${ESC}P>|kitty(0.35.2)${ESC}\\${ESC}]11;rgb:ffff/fafa/f0f0${ESC}\\${ESC}[?1004;2$y${ESC}[?2004;1$y${ESC}[?2026;2$y${ESC}[12;1R${ESC}[?62;c`;
const OLD = `${ESC}]11;rgb:00/00/10\u0007${ESC}[?2026;0$y${ESC}[1;1R${ESC}[?6c`;

test.each([
  [
    'all of them',
    KITTY,
    {
      ...{answers: true, name: 'kitty(0.35.2)', reportsCursor: true, kittyKeys: true, modifyOtherKeys: false},
      ...{background: 'light', focus: true, paste: true, synchronised: true, clipboard: false},
    },
  ],
  [
    'a few of them',
    OLD,
    {
      ...{answers: true, reportsCursor: true, kittyKeys: false, modifyOtherKeys: false, background: 'dark'},
      ...{focus: undefined, paste: undefined, synchronised: false, clipboard: false},
    },
  ],
  [
    'none',
    'typed text',
    {
      ...{answers: false, reportsCursor: false, kittyKeys: false, modifyOtherKeys: false},
      ...{focus: undefined, paste: undefined, synchronised: undefined, clipboard: false},
    },
  ],
] as const)('a terminal that answers %s is read so [tui.doctor]', (_, heard, answers) => {
  expect(readAnswers(heard)).toEqual(answers);
});

test('what a terminal cannot do has a fix that fits where it runs [tui.doctor]', () => {
  const of = (variables: Readonly<Record<string, string>>, columns = 80): Readonly<Record<string, string>> =>
    Object.fromEntries(
      findAbilities({
        ...{answers: readAnswers(OLD), environment: {variables, platform: 'linux'}, columns, rows: 24},
      }).map(({name, can, fix}) => [name, `${can}${fix === undefined ? '' : `: ${fix}`}`]),
    );
  expect(of({TERM: 'xterm', LANG: 'C.UTF-8'})).toMatchObject({
    'history above live rows': 'yes',
    'Shift+Enter for a new line': expect.stringMatching(/^no: Use Ctrl\+J/),
    'whole frames': 'no',
    'characters of all languages': 'yes',
    colours: expect.stringContaining('COLORTERM=truecolor'),
  });
  expect(of({TERM: 'tmux-256color', TMUX: '/tmp/x', ZELLIJ: '0', NO_COLOR: '1'}, 30)).toMatchObject({
    'history above live rows': 'no',
    'Shift+Enter for a new line': expect.stringContaining('extended-keys'),
    'notifications only while you look elsewhere': expect.stringContaining('focus-events'),
    'characters of all languages': expect.stringContaining('LANG=C.UTF-8'),
    colours: 'no',
    size: expect.stringMatching(/^no: Make the window larger/),
  });
});

test('hostile answers neither hang nor reach the terminal [tui.doctor]', () => {
  const {name} = readAnswers(`${ESC}P>|evil\u009b2J\u0000${'x'.repeat(9000)}${ESC}\\`);
  expect(name).toMatch(/^evil2Jx+$/);
});

atTerminal('gemini doctor terminal asks the terminal, and leaves it as it was [tui.doctor]', async () => {
  await using place = await openAgentPlace({script: []});
  await using sitting = await ScreenSitting.begin(place, {words: ['doctor', 'terminal']});
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  const lines = sitting.lines.join('\n');
  expect(lines).toMatch(/^✓ history above live rows \(it reports its cursor\)$/m);
  expect(lines).toMatch(/^[✓✗?] Shift\+Enter for a new line /m);
  expect(lines).toMatch(/^✓ size \(80 columns, 24 rows\)$/m);
});

test('without a terminal there is nothing to ask [tui.doctor]', async () => {
  await using place = await openAgentPlace({script: []});
  const {code, stdout} = await runGemini(['doctor', 'terminal', '--json'], {cwd: place.project, home: place.home});
  expect([code, JSON.parse(stdout)]).toEqual([42, {error: expect.objectContaining({code: 'TERMINAL_MISSING'})}]);
});
