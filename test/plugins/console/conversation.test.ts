import {spawn} from 'node:child_process';
import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {atTerminal} from '../../journeys/run-at-terminal.js';
import type {HostReport, HostScript, Step} from './host.js';
import type {Form} from '@gemini-kernel/kernel';
import {Sitting} from './sitting.js';

const PROMPT = '> ';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const write = {kind: 'write', file: 'written.txt', content: 'new\n'} satisfies Step;
const ok = (text: string): string => `[${text}]`;
const said = (text: string): Step => ({kind: 'text', text: `${text}\n`});

describe('prompts', () => {
  atTerminal('a prompt is sent, its answer shown, and Ctrl+D gives the terminal back as it was', async () => {
    await using sitting = await Sitting.begin({});
    await sitting.go([PROMPT, 'hello\r'], ['Heard: hello', ''], [PROMPT, CTRL_D]);
    expect(await sitting.end()).toEqual({
      sent: ['hello'],
      slashes: [],
      outcomes: [],
      printed: [],
      isRaw: false,
      kept: '"hello"\n',
    });
    expect(sitting.screen.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(sitting.screen.lastIndexOf('\u001b[?2004h'));
  });

  atTerminal(
    'a paste of 5,000 lines is shown in three words, is not sent automatically, and is sent in full',
    async () => {
      const many = Array.from({length: 5000}, (_, index) => `line ${index}`);
      await using sitting = await Sitting.begin({turns: {[many.join('\n')]: [said(ok('all'))]}});
      await sitting.go(
        [PROMPT, `\u001b[200~${many.join('\r')}\u001b[201~`],
        ['[pasted 5000 lines]', '\r'],
        [ok('all'), ''],
        [PROMPT, CTRL_D],
      );
      expect((await sitting.end()).sent).toEqual([many.join('\n')]);
      expect(sitting.screen).not.toContain('line 4999');
    },
  );

  atTerminal(
    'lines are added by Alt+Enter, Ctrl+J and a backslash, earlier prompts come back with Up and Ctrl+R',
    async () => {
      await using sitting = await Sitting.begin({});
      await sitting.go(
        [PROMPT, 'a\u001b\rb\nc\\\rd\r'],
        ['Heard: a', ''],
        [PROMPT, '\u001b[A'],
        ['d', '\r'],
        ['Heard: a', ''],
        [PROMPT, 'other\r'],
        ['Heard: other', ''],
        [PROMPT, '\u0012a'],
        ['search "a"', '\r'],
        ['d', '\r'],
        ['Heard: a', ''],
        [PROMPT, CTRL_D],
      );
      expect((await sitting.end()).sent).toEqual(['a\nb\nc\nd', 'a\nb\nc\nd', 'other', 'a\nb\nc\nd']);
    },
  );

  atTerminal('a prompt from the command line is sent first, and an earlier conversation is recalled', async () => {
    const entry = (kind: 'user' | 'model', text: string) => ({
      id: text,
      time: '2026-01-01T00:00:00Z',
      kind,
      message: {role: kind, pieces: [{kind: 'text' as const, text}]},
    });
    await using sitting = await Sitting.begin({history: [entry('user', 'earlier'), entry('model', 'said **so**')]});
    await sitting.go(['after one prompt', ''], ['> earlier', ''], ['said **so**', ''], [PROMPT, CTRL_D]);
    await sitting.end();
    await using second = await Sitting.begin({prompt: 'from the line'});
    await second.go(['> from the line', ''], ['Heard: from the line', ''], [PROMPT, CTRL_D]);
    expect((await second.end()).sent).toEqual(['from the line']);
  });

  atTerminal('the editor that EDITOR names writes the prompt', async () => {
    await using folder = await makeFolder();
    const editor = join(folder.path, 'editor');
    await writeFile(editor, '#!/bin/sh\nprintf "%s edited\\n" "$(cat "$1")" > "$1"\n');
    await chmod(editor, 0o755);
    await using sitting = await Sitting.begin({variables: {EDITOR: editor}});
    await sitting.go(
      [PROMPT, 'draft'],
      ['draft', '\u0007'],
      ['draft edited', '\r'],
      ['Heard: draft edited', ''],
      [PROMPT, CTRL_D],
    );
    expect((await sitting.end()).sent).toEqual(['draft edited']);
  });
});

describe('an editor that cannot be used', () => {
  atTerminal.each([
    ['EDITOR_MISSING', {}, 'No editor is set'],
    ['EDITOR_FAILED', {EDITOR: 'false'}, 'The editor false ended with code 1'],
  ])('%s is said, and the prompt stays', async (_, variables, sentence) => {
    await using sitting = await Sitting.begin({variables});
    await sitting.go(
      [PROMPT, 'draft'],
      ['draft', '\u0007'],
      [sentence, ''],
      ['> draft', '\r'],
      ['Heard: draft', ''],
      [PROMPT, CTRL_D],
    );
    await sitting.end();
  });
});

describe('while the agent works', () => {
  const busy: HostScript = {
    turns: {
      wait: [said('working now'), {kind: 'await-abort'}],
      short: [said('begun'), {kind: 'await-typed', text: '!done!'}, said('over')],
    },
  };

  atTerminal('Ctrl+C stops it and keeps what was typed', async () => {
    await using sitting = await Sitting.begin(busy);
    await sitting.go(
      [PROMPT, 'wait\r'],
      ['working now', 'next'],
      ['> next', CTRL_C],
      ['Stopped.', ''],
      ['> next', '\r'],
      ['Heard: next', ''],
      [PROMPT, CTRL_D],
    );
    expect((await sitting.end()).sent).toEqual(['wait', 'next']);
  });

  atTerminal(
    'Enter queues a prompt, which is sent when it is done; stopping brings it back into the prompt',
    async () => {
      await using sitting = await Sitting.begin(busy);
      await sitting.go(
        [PROMPT, 'short\r'],
        ['begun', 'second\r'],
        ['1 queued', '!done!'],
        ['over', ''],
        ['> second', ''],
        ['Heard: second', ''],
        ['> !done!', '\u0015wait\r'],
        ['working now', 'later\r'],
        ['1 queued', '\u001b'],
        ['Stopped.', ''],
        ['> later', '\r'],
        ['Heard: later', ''],
        [PROMPT, CTRL_D],
      );
      expect((await sitting.end()).sent).toEqual(['short', 'second', 'wait', 'later']);
    },
  );

  atTerminal('Ctrl+C twice leaves', async () => {
    await using sitting = await Sitting.begin(busy);
    await sitting.go([PROMPT, 'wait\r'], ['working now', CTRL_C + CTRL_C]);
    expect(await sitting.end()).toMatchObject({sent: ['wait'], isRaw: false});
  });

  atTerminal('at an empty prompt the first Ctrl+C says so, and the second leaves', async () => {
    await using sitting = await Sitting.begin({});
    await sitting.go([PROMPT, `x${CTRL_C}`], ['\u001b[J> ', CTRL_C], ['Press Ctrl+C again to leave.', CTRL_C]);
    expect(await sitting.end()).toMatchObject({sent: [], isRaw: false});
  });
});

describe('the end', () => {
  atTerminal.each(['SIGTERM', 'terminal'] as const)('%s ends the conversation in the middle of work', async (name) => {
    await using sitting = await Sitting.begin({turns: {wait: [said('working now'), {kind: 'await-abort'}]}});
    await sitting.go([PROMPT, 'wait\r'], ['working now', '']);
    await sitting.signal(name);
    expect(await sitting.report()).toMatchObject(
      name === 'terminal' ? {sent: ['wait']} : {sent: ['wait'], error: name, isRaw: false},
    );
  });

  atTerminal('a bug of the agent ends it with the error, and the terminal is given back', async () => {
    await using sitting = await Sitting.begin({turns: {bug: [{kind: 'throw', message: 'a bug'}]}});
    await sitting.go([PROMPT, 'bug\r']);
    expect(await sitting.end()).toMatchObject({error: 'a bug', isRaw: false});
    expect(sitting.screen).toContain('\u001b[?2004l');
  });
});

describe('questions', () => {
  const asks: HostScript = {files: {'written.txt': 'old\n'}, turns: {go: [write, said('asked')]}};

  atTerminal.each([
    ['y', {outcomes: ['done'], written: 'new\n'}],
    ['s', {outcomes: ['done'], written: 'new\n'}],
    ['a', {outcomes: ['done'], written: 'new\n'}],
    ['n', {outcomes: ['refused: The person refused.'], written: 'old\n'}],
    ['\u001b', {outcomes: ['refused: The person refused.'], written: 'old\n'}],
    ['x?\rn', {outcomes: ['refused: The person refused.'], written: 'old\n'}],
    ['rUse another file.\r', {outcomes: ['refused: The person refused: Use another file.'], written: 'old\n'}],
  ])('the change is shown, and %j answers', async (answer, expected) => {
    await using sitting = await Sitting.begin(asks);
    await sitting.go(
      [PROMPT, 'go\r'],
      ['? write_file', ''],
      ['1 - old', ''],
      ['1 + new', ''],
      ['Allow this? [y]es, [s]ession, [a]lways, [n]o, [e]dit, [r]eason, [?] rule: ', answer],
      ['asked', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toMatchObject({...expected, sent: ['go']});
  });

  atTerminal('what was typed before the question stands there never answers it, and is kept', async () => {
    await using sitting = await Sitting.begin({
      files: {'written.txt': 'old\n'},
      turns: {go: [said('begun'), {kind: 'await-typed', text: 'yes '}, write, said('asked')]},
    });
    await sitting.go(
      [PROMPT, 'go\r'],
      ['begun', 'yes yes yes '],
      ['? write_file', 'yyyy'],
      ['Allow this?', 'n'],
      ['asked', ''],
      ['> yes yes yes yyyy', CTRL_C],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toMatchObject({outcomes: ['refused: The person refused.'], written: 'old\n'});
  });

  atTerminal('the whole word answers too, and nothing of it is left for the prompt', async () => {
    await using sitting = await Sitting.begin(asks);
    await sitting.go(
      [PROMPT, 'go\r'],
      ['Allow this?', 'yes\r'],
      ['asked', ''],
      [PROMPT, 'next\r'],
      ['Heard: next', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toMatchObject({sent: ['go', 'next'], written: 'new\n'});
  });

  atTerminal('Ctrl+C at a question stops the agent', async () => {
    await using sitting = await Sitting.begin(asks);
    await sitting.go([PROMPT, 'go\r'], ['Allow this?', CTRL_C], ['Stopped.', ''], [PROMPT, CTRL_D]);
    expect(await sitting.end()).toMatchObject({written: 'old\n', isRaw: false});
  });

  atTerminal.each([
    [{security: {disableAlwaysAllow: true}}, 'Allow this? [y]es, [n]o,'],
    [{security: {enablePermanentToolApproval: false}}, 'Allow this? [y]es, [s]ession, [n]o,'],
  ])('%j leaves out what cannot be kept', async (settings, offer) => {
    await using sitting = await Sitting.begin({...asks, settings});
    await sitting.go(
      [PROMPT, 'go\r'],
      [offer, 'a'],
      [`always is not available: the setting security.${Object.keys(settings.security).join('')} is`, ''],
      [offer, 'n'],
      ['asked', ''],
      [PROMPT, CTRL_D],
    );
    expect((await sitting.end()).written).toBe('old\n');
  });

  atTerminal(
    'the rule that an answer keeps is shown, whole with "?", and is what the file gets [policy.shown]',
    async () => {
      await using sitting = await Sitting.begin(asks);
      await sitting.go(
        [PROMPT, 'go\r'],
        ['session or always saves: toolName = "write_file", path = ["', ''],
        ['[?] rule', '?'],
        ['session saves, until the session ends:', ''],
        ['always saves, for good, in ', ''],
        ['Allow this?', 'a'],
        ['asked', ''],
        [PROMPT, CTRL_D],
      );
      const {approvals = ''} = await sitting.end();
      const lines = sitting.screen.split(/\r?\n/);
      const start = lines.indexOf('[[rule]]');
      expect(approvals).toMatch(/^\[\[rule]]\ntoolName = "write_file"\n/);
      expect(lines.slice(start, lines.indexOf('priority = 950') + 1)).toEqual(approvals.trimEnd().split('\n'));
    },
  );

  atTerminal('a long change is shown in part, and whole when asked', async () => {
    const content = Array.from({length: 60}, (_, index) => `new ${index}`).join('\n');
    await using sitting = await Sitting.begin({...asks, turns: {go: [{...write, content}, said('asked')]}});
    await sitting.go(
      [PROMPT, 'go\r'],
      ['more lines', ''],
      ['[v]iew all', 'v'],
      ['+ new 59', ''],
      ['Allow this?', 'n'],
      ['asked', ''],
      [PROMPT, CTRL_D],
    );
    await sitting.end();
    expect(sitting.screen.match(/\+ new 30/g)).toHaveLength(1);
  });
});

describe('commands', () => {
  const commands = [
    {words: ['directory', 'add'], summary: 'Add a directory.'},
    {words: ['fail'], summary: 'Go wrong.'},
  ];

  atTerminal('run with their words, fail without ending the conversation, and are proposed when misspelt', async () => {
    await using sitting = await Sitting.begin({commands});
    await sitting.go(
      [PROMPT, "/directory add 'a b'\r"],
      ['ran directory add a b', ''],
      [PROMPT, '/fail\r'],
      ['The command went wrong.', ''],
      [PROMPT, '/directry add\r'],
      ['Did you mean /directory add?', ''],
      [PROMPT, '!ls\r'],
      ['There is no tool run_shell_command', ''],
      [PROMPT, '/help\r'],
      ['/directory add', ''],
      ['Add a directory.', ''],
      [PROMPT, '//etc is a path\r'],
      ['Heard: /etc is a path', ''],
      [PROMPT, '/quit\r'],
    );
    expect(await sitting.end()).toMatchObject({
      slashes: [['directory', 'add', 'a b'], ['fail']],
      sent: ['/etc is a path'],
    });
  });

  atTerminal('and files are completed by Tab', async () => {
    await using sitting = await Sitting.begin({commands, files: {'alpha.txt': '', 'beta.txt': ''}});
    await sitting.go(
      [PROMPT, '/dir\t'],
      ['/directory ', '\t'],
      ['/directory add ', '\u0015see @al\t'],
      ['see @alpha.txt ', '\r'],
      ['Heard: see @alpha.txt', ''],
      [PROMPT, CTRL_D],
    );
    await sitting.end();
  });
});

describe('files are found by a part of their path [files.find]', () => {
  const files = {'src/deep/score-path.ts': '', 'src/my notes.md': ''};

  atTerminal('wherever they lie', async () => {
    await using sitting = await Sitting.begin({files});
    await sitting.go(
      [PROMPT, 'see @scpa\t'],
      ['see @src/deep/score-path.ts ', 'and @notes\t'],
      ['and @src/my\\ notes.md ', '\r'],
      ['Heard: see @src/deep/score-path.ts and @src/my\\ notes.md', ''],
      [PROMPT, CTRL_D],
    );
    await sitting.end();
  });

  atTerminal('unless the settings say that nothing is searched', async () => {
    await using sitting = await Sitting.begin({
      files,
      settings: {context: {fileFiltering: {enableRecursiveFileSearch: false}}},
    });
    await sitting.go(
      [PROMPT, 'see @scpa\t @sr\t'],
      ['see @scpa @src/', '\r'],
      ['Heard: see @scpa @src/', ''],
      [PROMPT, CTRL_D],
    );
    await sitting.end();
  });
});

describe('a terminal that only goes forward', () => {
  const script: HostScript = {
    files: {'written.txt': 'old\n'},
    turns: {
      go: [
        {kind: 'call', id: '1', tool: 'read_file', input: {file_path: 'a'}},
        {kind: 'waiting', failure: {kind: 'overloaded', message: 'It is busy.'}, attempt: 2, of: 5, delayMs: 3000},
        write,
        said('# Done\n\n```js\nx\n```'),
      ],
    },
  };

  atTerminal.each([
    ['TERM=dumb', {}, 'dumb', '```js'],
    ['--screen-reader', {flags: {'ui.accessibility.screenReader': true}}, 'xterm', 'Code in js:'],
  ])('%s: not one escape sequence, and everything is said in words', async (_, own, terminal, code) => {
    await using sitting = await Sitting.begin({...script, ...own, colour: false}, {terminal});
    await sitting.go(
      [PROMPT, 'gx\u007fo\r'],
      ['Running read_file a.', ''],
      ['It is busy. Trying again in 3.0 s (2 of 5).', ''],
      ['yes, session', 'maybe\r'],
      ['yes, session', 'no\r'],
      ['Done', ''],
      [code, ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toMatchObject({sent: ['go'], outcomes: ['refused: The person refused.'], isRaw: false});
    expect(sitting.screen).not.toContain('\u001b');
  });
});

describe('without a terminal', () => {
  test('each line of the input is a prompt, and there are no questions', async () => {
    await using folder = await makeFolder();
    const [script, report] = [join(folder.path, 'script.json'), join(folder.path, 'report.json')];
    await writeFile(
      script,
      JSON.stringify({files: {'written.txt': 'old\n'}, turns: {go: [write]}} satisfies HostScript),
    );
    const child = spawn(process.execPath, [join(checkout, 'test/dist/plugins/console/host.js'), script, report], {
      env: {PATH: process.env['PATH'] ?? '', HOME: folder.path},
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
    child.stdin.end('one\ngo\nlast');
    await new Promise((resolve) => child.on('close', resolve));
    const ended = JSON.parse(await readFile(report, 'utf8')) as HostReport;
    expect(ended).toMatchObject({sent: ['one', 'go', 'last'], written: 'old\n'});
    expect(ended.outcomes).toEqual([expect.stringContaining('There is no terminal to ask at.')]);
    expect(shown).not.toContain('\u001b');
  });
});

atTerminal('nothing of a model or a tool reaches the terminal that it would obey', async () => {
  const evil = '\u001b]52;c;aGk=\u0007\u001b[2J\u009b31m\u202e\rover';
  const call = {
    id: '1',
    name: `tool${evil}`,
    input: {command: evil},
    status: 'failed' as const,
    output: [],
    display: evil,
    error: {code: 'X', message: evil},
    ms: 5,
    time: '',
  };
  const steps: Step[] = [
    {kind: 'model', model: evil},
    {kind: 'thought', text: `**${evil}**`},
    {kind: 'text', text: evil},
    {kind: 'call', id: '1', tool: evil, input: {command: evil}},
    {kind: 'progress', id: '1', text: evil},
    {kind: 'result', id: '1', call},
    {kind: 'result', id: '1', call: {...call, status: 'done', display: `${evil}\n${evil}`}},
    {kind: 'note', severity: 'warning', text: evil},
    {kind: 'fallback', from: evil, to: evil, failure: {kind: 'quota', message: evil}},
    said('end of it'),
  ];
  await using sitting = await Sitting.begin({turns: {go: steps}, settings: {ui: {inlineThinkingMode: 'full'}}});
  await sitting.go([PROMPT, 'go\r'], ['end of it', ''], [PROMPT, CTRL_D]);
  await sitting.end();
  // What the console itself writes: where the bottom line is, and whether pastes are marked.
  const own = sitting.screen.replace(/\u001b\[(?:\d*[ACGJ]|\?2004[hl])/g, '').replace(/\r/g, '');
  expect(own).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

test('what a plugin has to tell is shown above the prompt, and not written beside the screen [notices.screen]', async () => {
  const sentence = 'The disk is \u001b[31mfull.';
  const steps: Step[] = [said('one '), {kind: 'notice', sentence}, said('two')];
  await using sitting = await Sitting.begin({turns: {go: steps}});
  await sitting.go([PROMPT, 'go\r'], ['The disk is', ''], [PROMPT, CTRL_D]);
  const {printed} = await sitting.end();
  expect({printed, isObeyed: sitting.screen.includes('\u001b[31m')}).toEqual({printed: [], isObeyed: false});
});

describe('forms [ask.screen]', () => {
  const form: Form = {
    title: 'Paint \u001b[31mit?',
    text: 'It takes a day.',
    about: {kind: 'paint'},
    fields: [
      {name: 'now', kind: 'yes-no', label: 'Now?'},
      {
        name: 'rooms',
        kind: 'several',
        label: 'Rooms',
        options: ['hall', 'attic'].map((value) => ({value, label: value})),
      },
      {name: 'key', kind: 'secret', label: 'Key'},
    ],
  };
  const turns = {go: [{kind: 'form', form}, said('Done.')] as Step[]};

  test.each(['xterm', 'dumb'])('are filled in field by field, at %s; a secret is not shown', async (terminal) => {
    await using sitting = await Sitting.begin({turns}, {terminal});
    await sitting.go(
      [PROMPT, 'go\r'],
      ['Now? [y/n]', 'perhaps\r'],
      ['is not an answer', 'y\r'],
      ['Rooms (numbers)', '2\r'],
    );
    await sitting.go(['Key:', 'hunter2\r'], ['Done.', ''], [PROMPT, CTRL_D]);
    const {outcomes} = await sitting.end();
    expect(outcomes.map((one) => JSON.parse(one) as unknown)).toEqual([
      {outcome: 'answered', values: {now: true, rooms: ['attic'], key: 'hunter2'}},
    ]);
    const {screen} = sitting;
    expect([screen.includes('hunter2'), screen.includes('\u001b[31mit'), screen.includes('It takes a day.')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('are closed by Enter where an answer is needed', async () => {
    await using sitting = await Sitting.begin({turns});
    await sitting.go([PROMPT, 'go\r'], ['Now? [y/n]', '\r'], ['Done.', ''], [PROMPT, CTRL_D]);
    expect((await sitting.end()).outcomes).toEqual(['{"outcome":"closed"}']);
  });
});
