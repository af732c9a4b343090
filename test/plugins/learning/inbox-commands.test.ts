import {readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {openInboxPlace, patchOf} from './place-with-inbox.js';

const GLOBAL = '.inbox/global/a.patch';
const SKILL = '---\nname: release\ndescription: Releases this project, step by step, with a tag.\n---\nTag it.\n';
const says = (...pieces: readonly object[]): string =>
  JSON.stringify({method: 'stream', model: 'recorded', response: [...pieces, {kind: 'end', reason: 'stop'}]});
const CASE = 'prompt = "Release it."\nrecording = "basic.jsonl"\nexpect_answer = ["tagged"]\n';
const json = (text: string): unknown => JSON.parse(text) as unknown;

test('a proposal is edited in the editor of the person, and checked again [learning.edit]', async () => {
  await using scene = await openInboxPlace(
    {[GLOBAL]: patchOf('GEMINI.md', 'Be brief.', 'Be very brief.')},
    {files: {'../home/.gemini/GEMINI.md': 'Be brief.\n'}},
  );
  const {place} = scene;
  const editor = join(place.home, 'editor.sh');
  const edit = async (script: string, ...words: readonly string[]): Promise<Awaited<ReturnType<typeof place.run>>> => {
    await writeFile(editor, `#!/bin/sh\n${script}\n`, {mode: 0o755});
    return place.run(['inbox', 'edit', '1', ...words], {variables: {EDITOR: editor}});
  };
  expect((await edit('sed -i s/very/quite/ "$1"')).stdout).toBe('global:a can be applied.\n');
  expect(await scene.read(GLOBAL)).toContain('+Be quite brief.');
  const broken = await edit('echo Editing.; sed -i "s/^-Be/-Is/" "$1"', '--json');
  expect(json(broken.stdout)).toMatchObject({id: 'global:a', fault: expect.stringContaining('It does not fit')});
  expect(await edit('exit 3')).toMatchObject({code: 1, stderr: expect.stringContaining('ended with code 3')});
  const none = await place.run(['inbox', 'edit', '1'], {variables: {EDITOR: '', VISUAL: ''}});
  expect(none).toMatchObject({code: 1, stderr: expect.stringContaining('No editor is set.')});
  // What a link leads to is not a proposal.
  await symlink(join(place.home, '.gemini', 'GEMINI.md'), join(scene.memory, '.inbox/global/b.patch'));
  const linked = await place.run(['inbox', 'edit', 'global:b', '--json'], {variables: {EDITOR: 'true'}});
  expect(linked).toMatchObject({code: 1, stdout: expect.stringContaining('INBOX_INVALID')});
}, 90_000);

test('a skill is applied after its own cases have passed [learning.cases]', async () => {
  await using scene = await openInboxPlace({
    'skills/release/SKILL.md': SKILL,
    'skills/release/tests/basic.toml': CASE,
    'skills/release/tests/basic.jsonl': says({kind: 'text', text: 'I do not know how.'}),
  });
  const {place} = scene;
  const apply = (...words: readonly string[]): ReturnType<typeof place.run> =>
    place.run(['inbox', 'apply', 'skill:release', '--consent', ...words]);
  const skill = join(place.home, '.gemini/skills/release/SKILL.md');
  const failed = await apply();
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('its case basic failed. The answer does not'),
  });
  await expect(readFile(skill, 'utf8')).rejects.toMatchObject({code: 'ENOENT'});
  await writeFile(join(scene.memory, 'skills/release/tests/basic.toml'), 'prompt = 1\n');
  expect(await apply()).toMatchObject({code: 1, stderr: expect.stringContaining('its cases could not be run')});
  await writeFile(join(scene.memory, 'skills/release/tests/basic.toml'), CASE);
  await writeFile(join(scene.memory, 'skills/release/tests/basic.jsonl'), says({kind: 'text', text: 'It is tagged.'}));
  const passed = await apply();
  expect(passed).toMatchObject({code: 0, stdout: expect.stringContaining('Its case passed.\nApplied skill:release')});
  expect(await readFile(skill, 'utf8')).toBe(SKILL);
  await place.run(['inbox', 'undo']);
  await writeFile(join(scene.memory, 'skills/release/tests/basic.jsonl'), says({kind: 'text', text: 'No.'}));
  expect(await apply('--untested')).toMatchObject({code: 0, stdout: expect.not.stringContaining('case')});
}, 120_000);
