import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {Graphemes} from '#kernel/terminal/dist/graphemes.js';
import {findBranch, nameFolder} from '#plugins/tui/dist/around/find-facts.js';
import {openSigns} from '#plugins/tui/dist/around/open-signs.js';
import type {WaitState} from '#plugins/tui/dist/around/sign.js';
import {moveItem, readItems, toggleItem, type FooterFacts} from '#plugins/tui/dist/around/footer-items.js';
import {Footer, type FooterState} from '#plugins/tui/dist/around/footer.js';

const plain = (_: string, text: string): string => text;

async function footerOf(facts: FooterFacts, state: Partial<FooterState> = {}): Promise<InstanceType<typeof Footer>> {
  const find = async (): Promise<FooterState> => Promise.resolve({facts, items: readItems(undefined), ...state});
  const footer = new Footer({paint: plain, graphemes: new Graphemes(), find, onChange: () => undefined});
  await footer.refresh();
  return footer;
}

describe('the footer', () => {
  test.each([
    [undefined, '  ~/lib · main · model-a · 12% of context · ? for keys'],
    [['model-name', 'workspace', 'unknown'], '  model-a · ~/lib · ? for keys'],
    [['cost', 'code-changes', 'session-id', 'token-count'], '  $0.1200 · +3 -1 · 0123abcd · 1,234 tokens · ? for keys'],
    [[], '  ? for keys'],
  ])('shows the items of the setting %j in their order [tui.footer]', async (setting, row) => {
    const facts = {
      ...{workspace: '~/lib', 'git-branch': 'main', 'model-name': 'model-a', 'context-used': '12% of context'},
      ...{cost: '$0.1200', 'code-changes': '+3 -1', 'session-id': '0123abcd', 'token-count': '1,234 tokens'},
    };
    const footer = await footerOf(facts, {items: readItems(setting)});
    expect(footer.rows(80, undefined)).toEqual([row]);
    expect(footer.rows(80, 'mode plan')).toEqual([row.replace('? for keys', 'mode plan · ? for keys')]);
  });

  test('shows nothing that a terminal obeys, and one row [tui.footer]', async () => {
    const footer = await footerOf({workspace: '~', 'git-branch': `a\u001b[2J\nb${'x'.repeat(200)}`});
    const [row = ''] = footer.rows(40, undefined);
    expect(row).toMatch(/^ {2}~ · a/);
    expect(row).not.toMatch(/[\u001b\n]/);
    expect(row.length).toBeLessThan(40);
  });

  test('is hidden by the setting, except for a mode [tui.footer]', async () => {
    const footer = await footerOf({workspace: '~'}, {isHidden: true});
    expect(footer.rows(40, undefined)).toEqual([]);
    expect(footer.rows(40, 'mode plan')).toEqual(['  mode plan']);
  });

  test('items are shown, hidden and moved; names that are unknown here stay [tui.footer-view]', () => {
    const names = ['workspace', 'quota', 'cost'];
    expect(toggleItem(names, 'cost')).toEqual(['workspace', 'quota']);
    expect(toggleItem(names, 'hostname')).toEqual([...names, 'hostname']);
    expect(moveItem(names, 'cost', -1)).toEqual(['workspace', 'cost', 'quota']);
    expect(moveItem(names, 'workspace', 1)).toEqual(['quota', 'workspace', 'cost']);
    // Beyond an end, and what is not shown.
    for (const [name, by] of [
      ['workspace', -1],
      ['cost', 1],
      ['hostname', 1],
    ] as const)
      expect(moveItem(names, name, by)).toBe(names);
  });
});

describe('the branch of a folder', () => {
  test.each([
    ['a branch', {'.git/HEAD': 'ref: refs/heads/topic/one\n'}, 'topic/one'],
    ['a commit', {'.git/HEAD': '0123456789abcdef0123456789abcdef01234567\n'}, '01234567'],
    ['another working tree', {'.git': 'gitdir: ../real\n', '../real/HEAD': 'ref: refs/heads/side\n'}, 'side'],
    ['no repository', {}, undefined],
    ['a HEAD that is a folder', {'.git/HEAD/x': ''}, undefined],
  ])('is found for %s, from a folder below [tui.footer]', async (_, files, branch) => {
    await using root = await makeFolder();
    const top = join(root.path, 'top');
    await mkdir(join(top, 'src', 'deep'), {recursive: true});
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(top, path, '..'), {recursive: true});
      await writeFile(join(top, path), text);
    }
    expect(await findBranch(join(top, 'src', 'deep'))).toBe(branch);
  });
});

test.each([
  ['/home/me', '~'],
  ['/home/me/lib', '~/lib'],
  ['/home/meme', '/home/meme'],
])('the folder %s is named %s [tui.footer]', (folder, name) => {
  expect(nameFolder(folder, '/home/me')).toBe(name);
});

describe('notifications and progress', () => {
  /** What the signs write in a terminal with these variables, when the states follow each other unfocused. */
  async function written(
    settings: Readonly<Record<string, unknown>>,
    variables: Readonly<Record<string, string>>,
    states: readonly (WaitState | 'focus')[] = ['working', 'asking', 'working', 'ready', 'ready'],
  ): Promise<{readonly text: string; readonly modes: {readonly on: string; readonly off: string}}> {
    let text = '';
    const all: Readonly<Record<string, unknown>> = {'ui.hideWindowTitle': true, ...settings};
    const signs = await openSigns({
      folder: 'my;project\u0007',
      settings: {get: async (key: string) => Promise.resolve(all[key])} as unknown as Parameters<
        typeof openSigns
      >[0]['settings'],
      environment: {variables},
      write: (piece) => {
        text += piece;
      },
    });
    signs.focus(false);
    for (const state of states) {
      if (state === 'focus') signs.focus(true);
      else for (const sign of signs.all) sign.show(state);
    }
    return {text, modes: signs.modes};
  }
  const wanted = {'general.enableNotifications': true};
  const asks = 'gemini asks something (my;project\\u0007)';
  const done = 'gemini is done (my;project\\u0007)';

  test.each([
    [{TERM_PROGRAM: 'iTerm.app'}, `\u001b]9;${asks}\u0007\u001b]9;${done}\u0007`],
    [{TERM: 'xterm-kitty'}, `\u001b]9;${asks}\u0007\u001b]9;${done}\u0007`],
    [
      {TERM: 'foot'},
      `\u001b]777;notify;gemini;${asks.replace(';', ',')}\u0007\u001b]777;notify;gemini;${done.replace(';', ',')}\u0007`,
    ],
    [{TERM: 'xterm'}, '\u0007\u0007'],
    [{TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/x'}, '\u0007\u0007'],
  ])('in %j are written as the terminal knows them [tui.notify]', async (variables, text) => {
    const signs = await written(wanted, variables);
    expect(signs.text).toBe(text);
    expect(signs.modes).toEqual({on: '\u001b[?1004h', off: '\u001b[?1004l'});
  });

  test('are not sent while the window has the focus, nor unless they are wanted [tui.notify]', async () => {
    expect((await written(wanted, {}, ['focus', 'working', 'ready'])).text).toBe('');
    expect(await written({}, {})).toEqual({text: '', modes: {on: '', off: ''}});
    const method = {...wanted, 'general.notificationMethod': 'osc777'};
    expect((await written(method, {}, ['working', 'ready'])).text).toContain('\u001b]777;notify;gemini;');
  });

  test('progress is shown where the terminal shows it, and removed at the end [tui.notify]', async () => {
    const {text, modes} = await written({}, {WT_SESSION: '1'}, ['working', 'working', 'asking', 'ready']);
    expect(text).toBe('\u001b]9;4;3\u0007\u001b]9;4;4;100\u0007\u001b]9;4;0\u0007');
    expect(modes.off).toBe('\u001b]9;4;0\u0007');
  });
});
