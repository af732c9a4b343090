import {describe, expect} from '@jest/globals';
import type {SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting, PROMPT} from '../helpers/sit-at-gemini.js';
import {atTerminal} from './run-at-terminal.js';

const left = {code: 0, isRestored: true};
const SHIFT_TAB = '\u001b[Z';
const UP = '\u001b[A';
/** The empty prompt with the mode under it. */
const under = (mode: string): string => `mode ${mode}\u001b[1A\r\u001b[2C`;

/** What the person and the model said, as a request has it. */
function saidIn(request: SeenRequest | undefined): readonly string[] {
  const pieces = request?.messages.flatMap((message) => message.pieces) ?? [];
  return pieces.flatMap((piece) =>
    piece.kind === 'text' && !piece.text.startsWith('<session_context>') ? [piece.text] : [],
  );
}

atTerminal(
  '/clear starts a new conversation, and /resume goes back to what was said before [console.steering]',
  async () => {
    await using place = await openAgentPlace({script: [says('One.'), says('Two.'), says('Three.')]});
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go(
      [PROMPT, 'first\r'],
      ['One.', ''],
      [PROMPT, '/clear\r'],
      ['This is a new conversation.', ''],
      [PROMPT, 'second\r'],
      ['Two.', ''],
      [PROMPT, '/resume 2\r'],
      ['is already open in this program', ''],
      [PROMPT, '/resume\r'],
      ['1. second (open', ''],
      ['2. first', ''],
      ['Which one? ', '2\r'],
      ['The conversation continues after one prompt.', ''],
      ['One.', ''],
      [PROMPT, 'third\r'],
      ['Three.', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    expect(place.server.requests.map(saidIn)).toEqual([['first'], ['second'], ['first', 'One.', 'third']]);
    const {stdout} = await place.run(['--list-sessions']);
    expect(stdout.match(/^ {2}\d\. \w+/gm)).toEqual(['  1. first', '  2. second']);
  },
);

atTerminal('a session that was continued by --resume is left by /clear for a new one [console.steering]', async () => {
  await using place = await openAgentPlace({script: [says('One.'), says('Two.')]});
  await place.run(['-p', 'first']);
  await using sitting = await GeminiSitting.begin(place, {words: ['--resume', 'latest']});
  await sitting.go(
    ['The conversation continues after one prompt.', ''],
    [PROMPT, '/new\r'],
    ['This is a new conversation.', ''],
    [PROMPT, 'second\r'],
    ['Two.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect(saidIn(place.server.requests.at(-1))).toEqual(['second']);
});

describe('Shift+Tab', () => {
  atTerminal(
    'changes what runs without a question, and the mode stands under the prompt [console.steering]',
    async () => {
      const write = callsTools(['write_file', {file_path: 'a.txt', content: 'new\n'}]);
      await using place = await openAgentPlace({script: [write, says('Written.')]});
      await using sitting = await GeminiSitting.begin(place);
      await sitting.go(
        [PROMPT, SHIFT_TAB],
        ['mode auto_edit', 'write\r'],
        ['mode auto_edit', ''],
        ['Written.', ''],
        [under('auto_edit'), SHIFT_TAB],
        [under('plan'), SHIFT_TAB],
        [under('default'), 'x\u007f'],
        [PROMPT, CTRL_D],
      );
      expect(await sitting.end()).toEqual(left);
      expect([await place.read('a.txt'), sitting.screen.includes('Allow this?')]).toEqual(['new\n', false]);
    },
  );

  atTerminal('says in words what changes where nothing can be drawn again [console.steering]', async () => {
    await using place = await openAgentPlace({script: []});
    await using sitting = await GeminiSitting.begin(place, {words: ['--screen-reader']});
    await sitting.go(['> ', SHIFT_TAB], ['Mode: auto_edit.', SHIFT_TAB], ['Mode: plan.', ''], ['> ', CTRL_D]);
    expect((await sitting.end()).code).toBe(0);
  });
});

describe('!line', () => {
  atTerminal('runs in the shell, shows all that it printed, and the model sees it [console.steering]', async () => {
    await using place = await openAgentPlace({script: [says('Twenty lines.')]});
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go(
      [PROMPT, '!seq -f heron-%g 20\r'],
      ['heron-1\r\n', ''],
      ['heron-10\r\n', ''],
      ['heron-20\r\n', ''],
      [PROMPT, 'how many\r'],
      ['Twenty lines.', ''],
      [PROMPT, '!exit 3\r'],
      ['Exit Code: 3', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    const [ran = '', asked] = saidIn(place.server.requests[0]);
    expect([ran.includes('seq -f heron-%g 20'), ran.includes('heron-7\n'), asked]).toEqual([true, true, 'how many']);
    expect(sitting.screen).not.toContain('Allow this?');
  });

  atTerminal('is stopped like the agent, and what a rule forbids does not run [console.steering]', async () => {
    await using place = await openAgentPlace({script: []});
    await using sitting = await GeminiSitting.begin(place);
    await sitting.go(
      [PROMPT, '!sleep 60\r'],
      ['run_shell_command sleep 60', '\u001b'],
      ['Stopped.', ''],
      [PROMPT, SHIFT_TAB + SHIFT_TAB],
      [under('plan'), '!touch b.txt\r'],
      ['In plan mode nothing is changed', ''],
      [under('plan'), CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    await expect(place.read('b.txt')).rejects.toMatchObject({code: 'ENOENT'});
  });
});

atTerminal('what waits is taken back by Up, and sent otherwise [console.steering]', async () => {
  await using place = await openAgentPlace({
    script: [{...says('First half. ', 'Second half.'), stall: {afterPieces: 1}}, says('Changed.')],
  });
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'talk\r'],
    ['First half.', 'later\r'],
    ['1 queued', UP],
    ['> later', ' today'],
    ['> later today', '\u001b'],
    ['Stopped.', ''],
    ['> later today', '\r'],
    ['Changed.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect(saidIn(place.server.requests.at(-1))).toEqual(['talk', 'First half. ', 'later today']);
});

atTerminal('help and Tab name what steers [console.steering]', async () => {
  await using place = await openAgentPlace({script: []});
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, '/help\r'],
    ['/clear', ''],
    ['/new', ''],
    ['/resume', ''],
    ['Shift+Tab', ''],
    ['!line', ''],
    [PROMPT, '/cle\t'],
    ['> /clear ', '\u0015/resum\t'],
    ['> /resume ', '\u0015'],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
});
