import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {Graphemes} from '#kernel/terminal/dist/graphemes.js';
import {findBranch, nameFolder} from '#plugins/tui/dist/around/find-facts.js';
import {Footer, readItems, type FooterFacts} from '#plugins/tui/dist/around/footer.js';

const plain = (_: string, text: string): string => text;

function footerOf(find: () => Promise<FooterFacts>, items = readItems(undefined)): InstanceType<typeof Footer> {
  return new Footer({paint: plain, graphemes: new Graphemes(), items, find, onChange: () => undefined});
}

describe('the footer', () => {
  test.each([
    [undefined, '  ~/lib · main · model-a · 12% of context · ? for keys'],
    [['model-name', 'workspace', 'unknown'], '  model-a · ~/lib · ? for keys'],
    [[], '  ? for keys'],
  ])('shows the items of the setting %j in their order [tui.footer]', async (setting, row) => {
    const facts = {workspace: '~/lib', 'git-branch': 'main', 'model-name': 'model-a', 'context-used': '12% of context'};
    const footer = footerOf(async () => Promise.resolve(facts), readItems(setting));
    await footer.refresh();
    expect(footer.row(80, undefined)).toBe(row);
    expect(footer.row(80, 'mode plan')).toBe(row.replace('? for keys', 'mode plan · ? for keys'));
  });

  test('shows nothing that a terminal obeys, and one row [tui.footer]', async () => {
    const footer = footerOf(async () =>
      Promise.resolve({workspace: '~', 'git-branch': `a\u001b[2J\nb${'x'.repeat(200)}`}),
    );
    await footer.refresh();
    const row = footer.row(40, undefined);
    expect(row).toMatch(/^ {2}~ · a/);
    expect(row).not.toMatch(/[\u001b\n]/);
    expect(row.length).toBeLessThan(40);
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
