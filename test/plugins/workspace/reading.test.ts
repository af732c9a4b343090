import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** A kernel in which a folder beside the project can be read. */
async function openReading(): Promise<TestKernel & {readonly folder: string}> {
  const kernel = await createTestKernel({
    plugins: ['settings', 'workspace', 'filesystem', 'search'].map(pluginRoot),
    confirm: 'yes',
    files: {'a.txt': 'a'},
  });
  const folder = join(dirname(kernel.project), 'lent');
  await mkdir(join(folder, 'more'), {recursive: true});
  await writeFile(join(folder, 'notes.md'), 'needle\n');
  await writeFile(join(dirname(folder), 'sibling.md'), 'secret\n');
  await symlink(join(dirname(folder), 'sibling.md'), join(folder, 'out.md'));
  await (await kernel.service('workspace')).allowReading(folder);
  return Object.assign(kernel, {folder});
}

test('a folder that was opened for reading is read, listed and searched [workspace.reading]', async () => {
  await using kernel = await openReading();
  const {folder} = kernel;
  const calls = [
    ['read_file', {file_path: join(folder, 'notes.md')}],
    ['list_directory', {dir_path: folder}],
    ['grep_search', {pattern: 'needle', dir_path: folder}],
    ['glob', {pattern: '**/*.md', dir_path: folder}],
  ] as const;
  for (const [tool, input] of calls) {
    const outcome = await kernel.call(tool, input);
    expect(outcome).toMatchObject({status: 'done', result: {model: expect.stringMatching(/needle|notes\.md/)}});
    expect(JSON.stringify(outcome)).not.toContain('secret');
  }
});

test('it is no root: nothing is written there, and nothing beside it is reached [workspace.reading]', async () => {
  await using kernel = await openReading();
  const {folder} = kernel;
  expect(await (await kernel.service('workspace')).roots()).toHaveLength(1);
  const calls = [
    ['write_file', {file_path: join(folder, 'new.md'), content: 'x'}],
    ['replace', {file_path: join(folder, 'notes.md'), instruction: 'x', old_string: 'needle', new_string: 'x'}],
    ['read_file', {file_path: join(dirname(folder), 'sibling.md')}],
    ['read_file', {file_path: join(folder, 'out.md')}],
    ['read_file', {file_path: join(folder, '..', 'sibling.md')}],
    ['list_directory', {dir_path: dirname(folder)}],
    ['read_file', {file_path: `${folder}-twin/a`}],
  ] as const;
  for (const [tool, input] of calls)
    expect(await kernel.call(tool, input)).toMatchObject({
      status: 'failed',
      error: {code: 'PATH_OUTSIDE_WORKSPACE'},
    });
});
