import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {} from '@gemini-kernel/plugin-memory/contract';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';

const open = (options: Partial<TestKernelOptions>): Promise<TestKernel> =>
  createTestKernel({
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    live: true,
    ...options,
    plugins: [
      'settings',
      'trust',
      'policy',
      'secrets',
      'env',
      'network',
      'workspace',
      'filesystem',
      'agent',
      'memory',
    ].map(pluginRoot),
  });

/** Tier, path from the project, and text of each file. */
async function list(kernel: TestKernel): Promise<readonly (readonly [string, string, string])[]> {
  const files = await (await kernel.service('memory')).files();
  return files.map(({tier, path, text}) => [
    tier,
    path.replace(`${kernel.project}/`, '').replace(`${kernel.home}/`, '~/'),
    text.trim(),
  ]);
}

const withSettings = (settings: object): Record<string, string> => ({
  '.gemini/settings.json': JSON.stringify(settings),
});

describe('which files there are [memory.tiers]', () => {
  test("the person's, then the project's", async () => {
    await using kernel = await open({files: {'GEMINI.md': 'project'}, homeFiles: {'.gemini/GEMINI.md': 'mine'}});
    expect(await list(kernel)).toEqual([
      ['global', '~/.gemini/GEMINI.md', 'mine'],
      ['project', 'GEMINI.md', 'project'],
    ]);
  });

  test('all names in context.fileName count', async () => {
    await using kernel = await open({
      files: {'AGENTS.md': 'a', 'GEMINI.md': 'g'},
      homeFiles: withSettings({context: {fileName: ['AGENTS.md', 'GEMINI.md']}}),
    });
    expect((await list(kernel)).map(([, path]) => path)).toEqual(['AGENTS.md', 'GEMINI.md']);
  });

  test('folders above a root count up to the one with the marker, the outermost first', async () => {
    await using kernel = await open({files: {'GEMINI.md': 'inner'}});
    const outer = dirname(kernel.project);
    await writeFile(join(outer, 'GEMINI.md'), 'outer');
    expect((await list(kernel)).map(([, , text]) => text)).toEqual(['inner']);
    await mkdir(join(outer, '.git'));
    expect((await list(kernel)).map(([, , text]) => text)).toEqual(['outer', 'inner']);
  });

  test('markers that lead elsewhere are not followed, and none switches the walk off', async () => {
    await using kernel = await open({
      files: {'GEMINI.md': 'inner'},
      homeFiles: withSettings({context: {memoryBoundaryMarkers: ['../.git', '/etc']}}),
    });
    await writeFile(join(dirname(kernel.project), 'GEMINI.md'), 'outer');
    expect((await list(kernel)).map(([, , text]) => text)).toEqual(['inner']);
  });

  test('one file under two names is taken once', async () => {
    await using kernel = await open({
      files: {'GEMINI.md': 'one'},
      homeFiles: withSettings({context: {fileName: ['GEMINI.md', 'AGENTS.md']}}),
    });
    await symlink(join(kernel.project, 'GEMINI.md'), join(kernel.project, 'AGENTS.md'));
    expect(await list(kernel)).toHaveLength(1);
  });

  test('the files of every root count', async () => {
    await using kernel = await open({files: {'GEMINI.md': 'one'}});
    const lib = join(dirname(kernel.project), 'lib');
    await mkdir(lib);
    await writeFile(join(lib, 'GEMINI.md'), 'lib');
    await (await kernel.service('workspace')).add([lib], {scope: 'session'});
    expect((await list(kernel)).map(([, , text]) => text)).toEqual(['one', 'lib']);
  });

  test('a folder that is not trusted adds nothing', async () => {
    await using kernel = await open({
      confirm: 'no',
      variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
      files: {'GEMINI.md': 'project', 'src/GEMINI.md': 'folder'},
      homeFiles: {'.gemini/GEMINI.md': 'mine'},
    });
    expect((await list(kernel)).map(([tier]) => tier)).toEqual(['global']);
    expect(await (await kernel.service('memory')).meet([join(kernel.project, 'src', 'a.ts')])).toEqual([]);
  });

  test('what is no text, or a folder, is said and left out; an empty one is nothing', async () => {
    await using kernel = await open({
      files: {'GEMINI.md': Buffer.from([0, 1, 2]), 'AGENTS.md/x': '', 'EMPTY.md': ''},
      homeFiles: withSettings({context: {fileName: ['GEMINI.md', 'AGENTS.md', 'EMPTY.md']}}),
    });
    const files = await (await kernel.service('memory')).files();
    expect(files.map(({text, faults}) => [text, faults.map((fault) => fault.replace(/.*: /, ''))])).toEqual([
      ['', ['it is not text.']],
      ['', [expect.stringContaining('file')]],
      ['', []],
    ]);
  });

  test('a very long file is cut, and says so [memory.cut]', async () => {
    await using kernel = await open({files: {'GEMINI.md': 'x'.repeat(600 * 1024)}});
    const [file] = await (await kernel.service('memory')).files();
    expect(file?.text.length).toBeLessThan(513 * 1024);
    expect(file?.text).toContain('512 KiB');
    const sentence = `Only the beginning of ${join(kernel.project, 'GEMINI.md')} is included: it is larger than 512 KiB.`;
    // Once in a session, and in each list.
    await (await kernel.service('memory')).files();
    expect([file?.faults, kernel.warnings]).toEqual([[sentence], [sentence, expect.stringContaining('memoryBudget')]]);
  });

  test('a very long import is cut, and named with the file that imports it [memory.cut]', async () => {
    await using kernel = await open({files: {'GEMINI.md': '@./long.md', 'long.md': 'x'.repeat(600 * 1024)}});
    const [file] = await (await kernel.service('memory')).files();
    expect(file?.faults).toEqual([
      `Only the beginning of ${join(kernel.project, 'long.md')} is included: it is larger than 512 KiB.`,
    ]);
  });

  test('a folder is met once, also by two at the same time', async () => {
    await using kernel = await open({
      files: {'GEMINI.md': 'top', 'a/GEMINI.md': 'a', 'a/b/GEMINI.md': 'b', 'a/b/c.ts': ''},
    });
    const memory = await kernel.service('memory');
    const path = join(kernel.project, 'a', 'b', 'c.ts');
    const met = await Promise.all([memory.meet([path]), memory.meet([path])]);
    expect(met.map((files) => files.map(({text}) => text))).toEqual([['a', 'b'], []]);
    expect((await list(kernel)).map(([tier]) => tier)).toEqual(['project', 'folder', 'folder']);
  });

  test('a reload is carried by the next prompt, once', async () => {
    await using kernel = await open({files: {'GEMINI.md': 'old'}});
    const memory = await kernel.service('memory');
    await writeFile(join(kernel.project, 'GEMINI.md'), 'new');
    await memory.reload();
    expect([await memory.takeReloaded(), await memory.takeReloaded()]).toMatchObject([[{text: 'new'}], []]);
  });
});

describe('imports [memory.imports]', () => {
  const cases: Readonly<
    Record<string, {readonly files: Readonly<Record<string, string>>; readonly text: string; readonly faults?: number}>
  > = {
    'a file takes the place of its mention': {
      files: {'GEMINI.md': 'See @a.md now', 'a.md': 'A\n'},
      text: 'See <!-- Imported from: a.md -->\nA\n<!-- End of import from: a.md --> now',
    },
    'a mention in prose stays prose': {
      files: {'GEMINI.md': 'Ask @alice, @bob. Mail a@b.c. @todo'},
      text: 'Ask @alice, @bob. Mail a@b.c. @todo',
    },
    'a path that is not there is said in its place': {
      files: {'GEMINI.md': '@./gone.md'},
      text: '<!-- Import failed: ./gone.md - the file does not exist -->',
      faults: 1,
    },
    'nothing comes from outside the project': {
      files: {'GEMINI.md': '@../outside.md @/etc/hostname'},
      text:
        '<!-- Import failed: ../outside.md - Path traversal attempt --> <!-- Import failed: /etc/hostname - Path ' +
        'traversal attempt -->',
      faults: 2,
    },
    'addresses are not fetched': {
      files: {'GEMINI.md': '@https://example.com/x.md @file:///etc/passwd'},
      text:
        '<!-- Import failed: https://example.com/x.md - only regular files can be imported --> <!-- Import ' +
        'failed: file:///etc/passwd - only regular files can be imported -->',
      faults: 2,
    },
    'code stays code': {
      files: {'GEMINI.md': '`@a.md` and ``@a.md ` x``\n```\n@a.md\n```', 'a.md': 'A'},
      text: '`@a.md` and ``@a.md ` x``\n```\n@a.md\n```',
    },
    'a circle ends': {
      files: {'GEMINI.md': '@a.md', 'a.md': '@GEMINI.md'},
      text:
        '<!-- Imported from: a.md -->\n<!-- File already processed: GEMINI.md -->\n<!-- End ' +
        'of import from: a.md -->',
    },
    'paths are relative to the file they stand in': {
      files: {'GEMINI.md': '@d/a.md', 'd/a.md': '@b.md', 'd/b.md': 'B'},
      text:
        '<!-- Imported from: d/a.md -->\n<!-- Imported from: b.md -->\nB\n<!-- End of import from: b.md -->\n<!-- ' +
        'End of import from: d/a.md -->',
    },
  };

  test.each(Object.entries(cases))('%s', async (_, {files, text, faults = 0}) => {
    await using kernel = await open({files});
    await writeFile(join(dirname(kernel.project), 'outside.md'), 'OUTSIDE');
    const [file] = await (await kernel.service('memory')).files();
    expect([file?.text.trim(), file?.faults.length]).toEqual([text, faults]);
  });

  test('five deep is deep enough', async () => {
    const files = Object.fromEntries(
      Array.from({length: 8}, (_, index) => [
        index === 0 ? 'GEMINI.md' : `f${index}.md`,
        `level ${index} @f${index + 1}.md`,
      ]),
    );
    await using kernel = await open({files});
    const [file] = await (await kernel.service('memory')).files();
    expect(file?.imports).toHaveLength(5);
    expect(file?.text).toContain('level 5 @f6.md');
  });

  test('a link that leads out is not followed', async () => {
    await using kernel = await open({files: {'GEMINI.md': '@link.md'}});
    await writeFile(join(dirname(kernel.project), 'key'), 'SECRET');
    await symlink(join(dirname(kernel.project), 'key'), join(kernel.project, 'link.md'));
    const [file] = await (await kernel.service('memory')).files();
    expect(file?.text).not.toContain('SECRET');
  });

  test('flat keeps the text and appends each file once', async () => {
    await using kernel = await open({
      files: {'GEMINI.md': 'See @a.md and @a.md', 'a.md': 'A @b.md', 'b.md': 'B'},
      homeFiles: withSettings({context: {importFormat: 'flat'}}),
    });
    const [file] = await (await kernel.service('memory')).files();
    expect(file?.text).toMatch(
      /^See @a\.md and @a\.md\n\n--- File: .*a\.md ---\nA @b\.md\n--- End of File: .*a\.md ---\n\n--- File: .*b\.md ---\nB\n--- End of File: .*b\.md ---$/,
    );
  });
});

describe('what is odd or much', () => {
  test.each([
    ['backticks', '` '.repeat(250_000)],
    ['backticks of many lengths', Array.from({length: 900}, (_, index) => '`'.repeat(index + 1)).join(' ')],
    ['mentions between code', '@a `x` '.repeat(70_000)],
  ])('half a megabyte of %s takes no more than seconds [memory.bounded]', async (_, text) => {
    await using kernel = await open({files: {'GEMINI.md': text}});
    const start = performance.now();
    await list(kernel);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('files that import each other again and again are taken in so many times, and it is said', async () => {
    const next = (name: string): string => `@./${name}.md `.repeat(30);
    await using kernel = await open({
      files: {'GEMINI.md': next('a'), 'a.md': next('b'), 'b.md': next('c'), 'c.md': 'end'},
    });
    const [file] = await (await kernel.service('memory')).files();
    expect([
      file?.imports.length,
      file?.faults.some((fault) => fault.endsWith('200 files are already imported.')),
    ]).toEqual([200, true]);
  });

  test('a link that leads nowhere, or out of the project, is left out and said once in a session [memory.bounded]', async () => {
    await using kernel = await open({files: {'sub/x': ''}, variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'}});
    await symlink('nowhere', join(kernel.project, 'GEMINI.md'));
    const memory = await kernel.service('memory');
    await memory.files();
    await memory.files();
    expect(kernel.warnings).toEqual([
      `Cannot read the context file ${join(kernel.project, 'GEMINI.md')}: it is a link that leads nowhere, not a file.`,
    ]);
  });
});
