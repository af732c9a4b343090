import {expect} from '@jest/globals';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting, PROMPT, QUESTION} from '../helpers/sit-at-gemini.js';

import {VirtualTerminal} from '../plugins/console/virtual-terminal.js';
import {atTerminal} from './run-at-terminal.js';

/** The empty prompt, with the mode under it. */
const YOLO_PROMPT = 'mode yolo\u001b[1A\r\u001b[2C';

const left = {code: 0, isRestored: true};
/** What changes a clipboard, a title, the cursor, whether text is seen, or the direction of writing. */
const EVIL =
  '\u001b]52;c;ZXZpbA==\u0007\u001b]0;evil\u001b\\\u001b[2J\u001b[1;1H\u009b5A\u001b[8m\u202eback\u0008\rover';

atTerminal('nothing that a model, a file or a command says is obeyed by the terminal', async () => {
  const calls = callsTools(
    ['read_file', {file_path: 'evil.txt'}],
    ['run_shell_command', {command: 'cat evil.txt', description: EVIL}],
    ['read_file', {file_path: `${EVIL}.txt`}],
  );
  await using place = await openAgentPlace({
    files: {'evil.txt': `${EVIL}\n`},
    script: [
      {...says(EVIL), pieces: [{kind: 'text', text: EVIL}, ...(calls.pieces ?? [])]},
      says(`${EVIL} and the end`),
    ],
  });
  await using sitting = await GeminiSitting.begin(place, {words: ['--approval-mode', 'yolo']});
  await sitting.go(
    [YOLO_PROMPT, `\u001b[200~paste\u001b]52;c;ZXZpbA==\u0007\u001b[201~\r`],
    ['and the end', ''],
    [YOLO_PROMPT, '/sessions list\r'],
    ['(1):', ''],
    [YOLO_PROMPT, '/sessions show\r'],
    ['and the end', ''],
    [YOLO_PROMPT, '/policy explain last\r'],
    ['looked at', ''],
    [YOLO_PROMPT, '/rewind\r'],
    ['1. paste', ''],
    ['Which one?', '\u001b'],
    [YOLO_PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  // What the console itself writes: where the bottom line is, and whether pastes are marked.
  const others = sitting.screen.replace(/\u001b\[(?:\d*[ACG]|J|\?2004[hl])/g, '').replace(/\r(?!over)/g, '');
  expect(others.match(/.{0,30}[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e].{0,30}/g)).toBeNull();
});

atTerminal('a paste of several lines is one prompt, sent by Enter only', async () => {
  await using place = await openAgentPlace({script: [says('Three lines.')]});
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, '\u001b[200~one\r\n/quit\rthree\u001b[201~'],
    ['three', '\r'],
    ['Three lines.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect(place.server.requests.map(({messages}) => messages.at(-1)?.pieces.at(-1))).toEqual([
    {kind: 'text', text: 'one\n/quit\nthree'},
  ]);
});

atTerminal('in a window of 40 columns everything is there, and nothing is there twice', async () => {
  const sentence = 'Every word of this sentence is wider than the window that it is read in, 漢字 too.';
  const files = {'a.txt': `${sentence}\n`};
  const edit = callsTools([
    'replace',
    {file_path: 'a.txt', old_string: 'wider', new_string: 'longer', instruction: 'x'},
  ]);
  const script = [says(`${sentence}\n`), callsTools(['read_file', {file_path: 'a.txt'}]), edit, says('Done with it.')];
  await using place = await openAgentPlace({files, script});
  await using sitting = await GeminiSitting.begin(place, {columns: 40});
  const prompt = 'a prompt that does not fit into one line of such a window';
  await sitting.go(
    [PROMPT, prompt],
    ['window', '\r'],
    ['字 too.', ''],
    [PROMPT, 'edit\r'],
    [QUESTION.slice(0, 12), 'y'],
    ['Done with it.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  const {widthOf} = await import('#kernel/terminal/dist/graphemes.js');
  const terminal = new VirtualTerminal(40, 24, widthOf);
  terminal.write(sitting.screen.replaceAll('\r\n', '\n'));
  expect(terminal.unknown.filter((one) => !one.startsWith('\u001b[?2004'))).toEqual([]);
  const count = (text: string): number => terminal.text.split(text).length - 1;
  expect(
    [prompt, sentence, '1 - Every word', '1 + Every word', 'Allow this? yes', 'Done with it.', 'Ctrl+C stops'].map(
      count,
    ),
  ).toEqual([1, 2, 1, 1, 1, 1, 0]);
});
