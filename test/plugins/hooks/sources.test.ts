import {access, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {answer, hook, readNotes, startHooks} from './scene.js';

const touch = (file: string): Record<string, unknown> => ({BeforeTool: [{hooks: [hook(`echo x >>'${file}'`)]}]});

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

describe('hooks of a project', () => {
  test('never run in a folder that is not trusted, whatever was agreed to [hooking.untrusted]', async () => {
    await using folder = await makeFolder();
    const mark = join(folder.path, 'mark');
    await using kernel = await startHooks({
      project: touch(mark),
      variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
      answer: () => ({outcome: 'answered', values: {run: true}}),
    });
    await kernel.call('read_file', {file_path: 'a.txt'});
    expect(await exists(mark)).toBe(false);
    const hooks = await kernel.service('hooks');
    const [found] = await hooks.list();
    expect(found).toMatchObject({layer: 'workspace', leftOut: {reason: 'untrusted'}});
    await expect(hooks.trust([found?.id ?? ''])).rejects.toMatchObject({code: 'HOOK_UNTRUSTED'});
    await expect(hooks.test(found?.id ?? '', {}, new AbortController().signal)).rejects.toMatchObject({
      code: 'HOOK_UNTRUSTED',
    });
    expect(await exists(mark)).toBe(false);
  });

  test('are named and do not run where no one agreed and no one is there to ask [hooking.acknowledged]', async () => {
    await using folder = await makeFolder();
    const mark = join(folder.path, 'mark');
    await using kernel = await startHooks({project: touch(mark)});
    await kernel.call('read_file', {file_path: 'a.txt'});
    await kernel.call('read_file', {file_path: 'a.txt'});
    expect(await exists(mark)).toBe(false);
    expect(kernel.notices.filter(({code}) => code === 'HOOK_UNACKNOWLEDGED')).toHaveLength(1);
    expect(kernel.warnings.join('\n')).toContain('gemini hooks trust');
  });

  test('run when a person agrees, who is asked once, and again when the command changes [hooking.acknowledged]', async () => {
    await using folder = await makeFolder();
    const mark = join(folder.path, 'mark');
    const asked: unknown[] = [];
    await using kernel = await startHooks({
      project: touch(mark),
      answer: (form) => {
        asked.push(form.text);
        return {outcome: 'answered', values: {run: true}};
      },
    });
    await kernel.call('read_file', {file_path: 'a.txt'});
    await kernel.call('read_file', {file_path: 'a.txt'});
    expect(asked).toEqual([`BeforeTool: echo x >>'${mark}'`]);
    expect(await readFile(mark, 'utf8')).toBe('x\nx\n');
    const file = join(kernel.home, '.gemini', 'acknowledgments', 'hooks.json');
    const kept = await readFile(file, 'utf8');
    expect(Object.keys(JSON.parse(kept) as object)).toEqual([kernel.project]);
    // Another program with the same agreement, and another command.
    const other = join(folder.path, 'other');
    await using changed = await startHooks({project: touch(other)});
    await writeFile(file, kept);
    await changed.call('read_file', {file_path: 'a.txt'});
    expect(await exists(other)).toBe(false);
  });

  test('that a person does not want do not run, and are not asked about again [hooking.acknowledged]', async () => {
    await using folder = await makeFolder();
    const mark = join(folder.path, 'mark');
    let asked = 0;
    await using kernel = await startHooks({
      project: touch(mark),
      answer: () => {
        asked += 1;
        return {outcome: 'answered', values: {run: false}};
      },
    });
    await kernel.call('read_file', {file_path: 'a.txt'});
    await kernel.call('read_file', {file_path: 'a.txt'});
    expect(asked).toBe(1);
    expect(await exists(mark)).toBe(false);
  });

  test('run after gemini hooks trust, by content [hooking.acknowledged]', async () => {
    await using folder = await makeFolder();
    const mark = join(folder.path, 'mark');
    await using kernel = await startHooks({project: touch(mark)});
    const hooks = await kernel.service('hooks');
    const [found] = await hooks.list();
    expect(found?.leftOut?.reason).toBe('unacknowledged');
    await hooks.trust([found?.id ?? '']);
    expect((await hooks.list())[0]?.leftOut).toBeUndefined();
    await kernel.call('read_file', {file_path: 'a.txt'});
    expect(await exists(mark)).toBe(true);
  });

  test('that the person has too run as the person has them, without a question [hooking.layers]', async () => {
    const guard = (failure: string): Record<string, unknown> => ({BeforeTool: [{hooks: [hook('exit 9', {failure})]}]});
    const asked: unknown[] = [];
    await using kernel = await startHooks({
      hooks: guard('closed'),
      project: guard('open'),
      answer: (form) => (asked.push(form), {outcome: 'answered', values: {run: true}}),
    });
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'refused'});
    const hooks = await kernel.service('hooks');
    const own = await hooks.list();
    expect(own.map(({layer, failure}) => [layer, failure])).toEqual([['user', 'closed']]);
    expect(asked).toEqual([]);
  });

  test('that were agreed to do not replace those of the person [hooking.layers]', async () => {
    const guard = (failure: string): Record<string, unknown> => ({BeforeTool: [{hooks: [hook('exit 9', {failure})]}]});
    await using kernel = await startHooks({project: guard('open')});
    const hooks = await kernel.service('hooks');
    await hooks.trust((await hooks.list()).map(({id}) => id));
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'done'});
    await (await kernel.service('settings')).set('hooks', guard('closed'), {scope: 'user'});
    await hooks.reload();
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'refused'});
  });

  test('cannot disable hooks of the person or switch them off [hooking.layers]', async () => {
    await using kernel = await startHooks({
      hooks: {BeforeTool: [{hooks: [hook('echo no; exit 2', {name: 'guard'})]}]},
      files: {'.gemini/settings.json': JSON.stringify({hooksConfig: {enabled: false, disabled: ['guard']}})},
    });
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'refused'});
  });
});

describe('configured hooks', () => {
  test.each([
    ['by name', {disabled: ['guard']}],
    ['by command', {disabled: ['echo no; exit 2']}],
    ['altogether', {enabled: false}],
  ])('that are disabled %s do not run [hooking.disabled]', async (_, hooksConfig) => {
    const hooks = {BeforeTool: [{hooks: [hook('echo no; exit 2', {name: 'guard'})]}]};
    await using kernel = await startHooks({hooks, settings: {hooksConfig}});
    expect(await kernel.call('read_file', {file_path: 'a.txt'})).toMatchObject({status: 'done'});
  });

  test('that are the same run once; one that is invalid is named and the others run [hooking.config]', async () => {
    await using folder = await makeFolder();
    const note = join(folder.path, 'notes');
    const one = {hooks: [hook(answer('', note))]};
    await using kernel = await startHooks({
      hooks: {
        BeforeTool: [one, one, {hooks: [{type: 'prompt'}, hook('x', {timeout: -1}), hook('x', {failure: 'maybe'})]}, 7],
        Sometimes: [one],
        AfterTool: 'x',
      },
    });
    await kernel.call('read_file', {file_path: 'a.txt'});
    expect(await readNotes(note)).toHaveLength(1);
    const hooks = await (await kernel.service('hooks')).list();
    expect(hooks.flatMap(({leftOut}) => leftOut?.sentence.replace(/ in \S+ is/, ' is') ?? [])).toEqual([
      'A hook of BeforeTool is invalid: the type must be "command", not "prompt".',
      'A hook of BeforeTool is invalid: "timeout" must be milliseconds above 0, not -1.',
      'A hook of BeforeTool is invalid: "failure" must be "open" or "closed", not "maybe".',
      'A hook of BeforeTool is invalid: a definition must be an object with "hooks".',
      'A hook of Sometimes is invalid: there is no event "Sometimes".',
      'A hook of AfterTool is invalid: hooks.AfterTool must be a list.',
    ]);
  });

  test('get the directories of the project, quoted, and no secret [hooking.process]', async () => {
    const command = `printf '%s\\n' $GEMINI_PROJECT_DIR "$GEMINI_CWD" "$CLAUDE_PROJECT_DIR" "$MY_API_KEY" >out`;
    await using kernel = await startHooks({
      hooks: {BeforeTool: [{hooks: [hook(command)]}]},
      variables: {MY_API_KEY: 'sk-1234567890abcdef'},
    });
    await kernel.call('read_file', {file_path: 'a.txt'});
    const {project} = kernel;
    // The settings expand what is set; secrets are for the person to write there, and none is in the process.
    expect((await readFile(join(project, 'out'), 'utf8')).split('\n').slice(0, 3)).toEqual([project, project, project]);
  });

  test('come from sources of other plugins, and are closed where the source says so [hooking.sources]', async () => {
    await using folder = await makeFolder();
    const source = await makePlugin(folder.path, {
      name: 'extending',
      services: [{name: 'hook-sources:extending', version: '1.0.0', scope: 'place', module: './source.mjs'}],
      files: {
        'source.mjs': `import {provide} from '@gemini-kernel/kernel';
export default provide('hook-sources:extending', {version: '1.0.0', scope: 'place', create: () => ({list: async () => [
  {owner: 'lint', isManaged: true, variables: {LEVEL: 'high'}, hooks: {BeforeTool: [{hooks: [{command: 'echo "level $LEVEL" >&2; exit 1'}]}]}},
]})});
`,
      },
    });
    await using kernel = await startHooks({
      plugins: [
        ...[
          'settings',
          'trust',
          'env',
          'network',
          'workspace',
          'policy',
          'filesystem',
          'secrets',
          'agent',
          'hooks',
        ].map(pluginRoot),
        source,
      ],
      settings: {hooksConfig: {enabled: false}},
    });
    const outcome = await kernel.call('read_file', {file_path: 'a.txt'});
    expect(outcome).toMatchObject({status: 'refused', reason: expect.stringContaining('level high')});
    expect(await (await kernel.service('hooks')).list()).toMatchObject([{layer: 'extension', source: 'lint'}]);
  });
});
