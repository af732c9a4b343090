import {readFileSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect} from '@jest/globals';
import {openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {atTerminal} from './run-at-terminal.js';

const PROMPT = '>';
const ESCAPE = '\u001b';
const left = {code: 0, isRestored: true};
const HOOK = {
  hooks: {BeforeTool: [{matcher: 'write_file', hooks: [{type: 'command', command: 'true', name: 'guard'}]}]},
};
const SETTINGS = {
  ...HOOK,
  mcpServers: {far: {command: 'no-such-program', description: 'A server far away.'}},
  model: {prices: {'gemini:model-a': {input: 1.25, output: 10}}},
};
const FILES = {
  '../home/.gemini/agents/fold.md':
    '---\nname: fold-agent\ndescription: Folds paper.\ntools: [read_file]\n---\nFold it thrice.\n',
  'GEMINI.md': '# About this place\n\nAll tests are green here.\n',
  '../home/.gemini/skills/fold/SKILL.md': '---\nname: fold\ndescription: Folds paper.\n---\nFold it twice.\n',
  '../home/.gemini/policies/mine.toml':
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git log"\ndecision = "allow"\npriority = 300\n',
};

/** A view, what its list shows, and what its preview or what it opens shows of the marked item. */
type Row = readonly [command: string, title: string, listed: string | RegExp, search: string, read: string];
const rows: readonly Row[] = [
  [
    '/model',
    'Models; this conversation uses gemini:model-a',
    /model-a .*in use, \$1\.25 \/ \$10/,
    'model-a',
    'per million',
  ],
  [
    '/permissions',
    'Rules; of those that match',
    'allow run_shell_command; "git log"',
    'git log',
    'Commands: "git log"',
  ],
  ['/mcp', 'MCP servers', /far .*stdio, not connected yet/, 'far', 'A server far away.'],
  ['/directory', 'Directories that tools reach', 'current directory', 'current', 'Tools reach it'],
  ['/stats', 'This conversation so far', /all .*1 request/, 'gemini', 'Tokens in:'],
  ['/keys', 'Keys', /Ctrl\+R: search earlier/, 'search earlier', 'history.search.start'],
  ['/skills', 'Skills', 'fold: Folds paper.', 'fold', 'Fold it twice.'],
  ['/agents', 'Agents', 'fold-agent: Folds paper.', 'fold-agent', 'Fold it thrice.'],
  ['/hooks', 'Hooks, in the order', /guard .*BeforeTool/, 'guard', 'BeforeTool (write_file)'],
  ['/memory', 'Context files', 'GEMINI.md', 'GEMINI', 'All tests are green here.'],
  ['/tools', 'Tools that the model is given', 'read_file:', 'read_file', 'Parameters'],
  ['/extensions', 'Extensions', 'No extension is installed.', '', ''],
];

function openPlace(mode: string): Promise<AgentPlace> {
  return openAgentPlace({script: [says('Hello.')], files: FILES, settings: {...SETTINGS, ui: {mode}}});
}

describe('views of plugins', () => {
  atTerminal(
    'list, search and explain what each plugin has [views.plugins]',
    async () => {
      await using place = await openPlace('');
      await using sitting = await ScreenSitting.begin(place, {columns: 130, rows: 30});
      await sitting.seeAt(PROMPT);
      sitting.type('hello\r');
      await sitting.see('Hello.');
      await sitting.lose('Ctrl+C stops');
      for (const [command, title, listed, search, read] of rows) {
        await sitting.seeAt(PROMPT);
        sitting.type(`${command}\r`);
        await sitting.wait(() => sitting.window[0]?.startsWith(title) === true, `for the title of ${command}`);
        const isListed = (row: string): boolean =>
          typeof listed === 'string' ? row.includes(listed) : listed.test(row);
        if (search !== '') sitting.type(`/${search}\r`);
        await sitting.wait(() => sitting.window.some(isListed), `for the list of ${command}`);
        await sitting.see(read);
        sitting.type(search === '' ? ESCAPE : 'q');
        if (search !== '') await sitting.lose(' · search:');
        await sitting.wait(() => sitting.window[0]?.startsWith(title) !== true || search !== '', 'for the list');
        if (search !== '') sitting.type('q');
      }
      await sitting.seeAt(PROMPT);
      sitting.type(CTRL_D);
      expect(await sitting.end()).toEqual(left);
    },
    60_000,
  );

  for (const useAlternateBuffer of [false, true])
    atTerminal(
      `open a context file in the editor of the person; in the whole window: ${useAlternateBuffer} [views.edit]`,
      async () => {
        await using place = await openAgentPlace({
          script: [says('Hello.')],
          files: {'GEMINI.md': 'Green.\n', '../home/.gemini/GEMINI.md': 'Blue.\n'},
          settings: {ui: {mode: '', useAlternateBuffer}},
        });
        const editor = join(place.home, 'editor.sh');
        await writeFile(editor, '#!/bin/sh\nprintf "Added.\\n" >> "$1"\n', {mode: 0o755});
        await using sitting = await ScreenSitting.begin(place, {variables: {EDITOR: editor}, columns: 120});
        await sitting.seeAt(PROMPT);
        sitting.type('/memory edit project/GEMINI.md\r');
        await sitting.see('Read 2 context files again');
        expect(await readFile(join(place.project, 'GEMINI.md'), 'utf8')).toBe('Green.\nAdded.\n');
        // Of several, the person chooses.
        await sitting.seeAt(PROMPT);
        sitting.type('/memory edit\r');
        await sitting.see('Context files');
        sitting.type('/.gemini/GEM\r');
        await sitting.see('Blue.');
        sitting.type('e');
        const own = join(place.home, '.gemini', 'GEMINI.md');
        await sitting.wait(() => readFileSync(own, 'utf8') === 'Blue.\nAdded.\n', 'for the second file');
        await sitting.seeAt(PROMPT);
        sitting.type('/memory burn\r');
        await sitting.see('/memory burn');
        await sitting.seeAt(PROMPT);
        sitting.type('hello\r');
        await sitting.see('Hello.');
        expect(JSON.stringify(place.server.requests)).toMatch(/Green\.\\+nAdded\./);
        await sitting.lose('Ctrl+C stops');
        sitting.type(CTRL_D);
        expect(await sitting.end()).toEqual(left);
      },
      60_000,
    );

  atTerminal('are what the command prints in plain lines [views.plugins]', async () => {
    await using place = await openPlace('console');
    await using sitting = await GeminiSitting.begin(place, {variables: {TERM: 'dumb'}});
    await sitting.go(
      ['> ', '/permissions\r'],
      ['"git log"', ''],
      ['> ', '/mcp\r'],
      ['far', ''],
      ['> ', '/memory\r'],
      ['GEMINI.md', ''],
      ['> ', '/stats\r'],
      ['There are no requests yet.', ''],
      ['> ', CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
  });

  atTerminal('choose a model, for this conversation or for later ones [views.model]', async () => {
    const models = Array.from({length: 12}, (_, index) => `model-${index}`);
    await using place = await openAgentPlace({
      script: [says('From the other.')],
      models,
      settings: {ui: {mode: ''}},
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt(PROMPT);
    sitting.type('/model\r');
    await sitting.see('Models; this conversation uses');
    sitting.type('/-11\r');
    await sitting.see('❯ gemini:model-11');
    sitting.type('\r');
    await sitting.see('gemini:model-11.');
    await sitting.seeAt(PROMPT);
    sitting.type('hello\r');
    await sitting.see('From the other.');
    expect(place.server.requests.at(-1)?.model).toBe('model-11');
    await sitting.lose('Ctrl+C stops');
    sitting.type('/model\r');
    await sitting.see('Models; this conversation uses gemini:model-11');
    sitting.type('/-7\r');
    await sitting.see('❯ gemini:model-7');
    sitting.type('p');
    await sitting.see('Saved in ');
    const settings: unknown = JSON.parse(await place.read('../home/.gemini/settings.json'));
    expect(settings).toMatchObject({model: {name: 'gemini:model-7'}});
  });

  atTerminal('switch a server off, add a directory, and stay where they can [views.plugins]', async () => {
    await using place = await openPlace('');
    await using sitting = await ScreenSitting.begin(place, {columns: 110, rows: 24});
    await sitting.seeAt(PROMPT);
    sitting.type('/mcp\r');
    await sitting.see('❯ far');
    sitting.type('d');
    await sitting.see('far is off until gemini ends.');
    await sitting.see('not used: disabled');
    sitting.type('e');
    await sitting.see('far is on until gemini ends.');
    await sitting.lose('not used: disabled');
    sitting.type('q');
    await sitting.seeAt(PROMPT);
    sitting.type('/directory\r');
    await sitting.see('Directories that tools reach');
    await sitting.see('current directory');
    sitting.type('a');
    await sitting.seeAt('Directory:');
    sitting.type(`${join(place.home, '..')}\r`);
    await sitting.see('Added ');
    await sitting.seeAt(PROMPT);
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
  });
});
