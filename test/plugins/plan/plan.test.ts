import {writeFileSync} from 'node:fs';
import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import type {Session, ToolOutcome} from '@gemini-kernel/kernel/host';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-plan/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';

type Values = Extract<FormReply, {outcome: 'answered'}>['values'];

interface Planning extends AsyncDisposable {
  readonly kernel: TestKernel;
  readonly session: Session;
  readonly forms: SentForm[];
  present(input: object): Promise<ToolOutcome>;
}

interface PlanningOptions extends Partial<TestKernelOptions> {
  readonly interactive?: boolean;
  readonly from?: string;
  /** Before each answer. */
  readonly meanwhile?: (form: SentForm) => void;
}

const plugins = [
  ...['settings', 'trust', 'policy', 'workspace', 'env', 'secrets', 'filesystem', 'agent', 'model-replay'],
  ...['console', 'shell', 'search', 'plan'],
].map(pluginRoot);
const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
const allowed = '[[rule]]\ntoolName = "exit_plan_mode"\ndecision = "allow"\npriority = 900\nmodes = ["plan"]\n';

/** A conversation in plan mode, whose person gives these answers one after the other. */
async function plan(replies: readonly (Values | 'closed')[], options: PlanningOptions = {}): Promise<Planning> {
  const {interactive = true, from = 'plan', meanwhile, ...rest} = options;
  const forms: SentForm[] = [];
  const answer = (form: SentForm): FormReply | undefined => {
    const reply = replies[forms.push(form) - 1];
    meanwhile?.(form);
    if (reply === undefined) return undefined;
    return reply === 'closed' ? {outcome: 'closed'} : {outcome: 'answered', values: reply};
  };
  const kernel = await createTestKernel({plugins, variables, answer, confirm: 'yes', ...rest});
  const conversations = await kernel.service('conversations');
  const {id} = await conversations.open({interactive});
  if (from !== 'default') await conversations.setMode(id, from);
  const session = await conversations.session(id);
  return {
    kernel,
    session,
    forms,
    present: (input) => session.call({tool: 'exit_plan_mode', input}),
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}

const text = '# Rename orders\n\n1. Rename the table.\n';
const given = {plan_filename: 'rename.md', plan: text};

describe('a plan', () => {
  test.each([
    ['default', {answer: 'default'}],
    ['auto_edit', {answer: 'auto_edit'}],
  ])('that the person approves leads to the mode %s [plan.approved]', async (mode, values) => {
    await using place = await plan([values]);
    const outcome = await place.present(given);
    expect(outcome).toMatchObject({
      status: 'done',
      result: {
        model: `The plan is approved, and plan mode has ended. The approval mode is ${mode}. Carry out the plan.`,
        display: 'approved',
      },
    });
    expect(place.session.info.mode).toBe(mode);
    expect(place.forms).toHaveLength(1);
    expect(place.forms[0]).toMatchObject({title: 'Plan: rename.md', text: text.trimEnd(), about: {kind: 'plan'}});
    const plans = await place.session.service('plans');
    expect(await plans.approved()).toMatchObject({name: 'rename.md', mode, isChanged: false});
    const {path} = (await plans.read()).plan;
    expect([await readFile(path, 'utf8'), dirname(path)]).toEqual([text, await plans.folder()]);
    await writeFile(path, 'other\n');
    expect(await plans.approved()).toMatchObject({isChanged: true});
    expect([await plans.finish(), await plans.finish(), await plans.approved()]).toEqual([true, false, undefined]);
  });

  test('that the person edits first is shown again, and is what the model gets [plan.approved]', async () => {
    let path = '';
    await using place = await plan([{answer: 'edit'}, {done: true}, {answer: 'default'}], {
      meanwhile: ({about}) => {
        path = String(about['path']);
        if (about.kind === 'plan-edit') writeFileSync(path, '# Rename all\n');
      },
    });
    const outcome = await place.present(given);
    expect(place.forms.map((form) => form.text)).toEqual([text.trimEnd(), undefined, '# Rename all']);
    expect(outcome).toMatchObject({
      result: {model: expect.stringContaining('which the user has in this form:\n# Rename all\n')},
    });
  });

  test('that is changed while it is shown is shown again [plan.approved]', async () => {
    let isFirst = true;
    await using place = await plan([{answer: 'default'}, {answer: 'default'}], {
      meanwhile: ({about}) => {
        if (!isFirst) return;
        isFirst = false;
        writeFileSync(String(about['path']), 'rm -rf\n');
      },
    });
    await place.present(given);
    expect(place.forms.map((form) => form.text)).toEqual([text.trimEnd(), 'rm -rf']);
  });

  test.each([
    ['with words', [{answer: 'no'}, {feedback: ' Keep the view. '}], 'and says:\nKeep the view.\n'],
    ['without words', [{answer: 'no'}, {feedback: ''}], 'Ask what should change.'],
    ['by closing it', ['closed'], 'The user closed the plan without an answer.'],
    ['by closing the edit', [{answer: 'edit'}, 'closed'], 'The user closed the plan without an answer.'],
  ] as const)('that the person refuses %s keeps plan mode [plan.refused]', async (_, replies, sentence) => {
    await using place = await plan(replies);
    expect(await place.present(given)).toMatchObject({
      status: 'done',
      result: {model: expect.stringContaining(sentence)},
    });
    expect(place.session.info.mode).toBe('plan');
    expect(await (await place.session.service('plans')).approved()).toBeUndefined();
  });

  test.each([
    [{plan_filename: 'rename.md'}, 'The plan rename.md does not exist.'],
    [{plan_filename: 'rename.md', plan: ' \n'}, 'The plan rename.md is empty.'],
    [{plan_filename: '../rename.md', plan: 'x'}, '"../rename.md" is not the name of a Markdown file.'],
    [{plan_filename: '/etc/x.md', plan: 'x'}, '"/etc/x.md" is not the name of a Markdown file.'],
    [{plan_filename: '.hidden.md', plan: 'x'}, '".hidden.md" is not the name of a Markdown file.'],
    [{plan_filename: 'rename.sh', plan: 'x'}, '"rename.sh" is not the name of a Markdown file.'],
    [{plan_filename: 'a\u0000.md', plan: 'x'}, 'is not the name of a Markdown file.'],
    [{plan_filename: 'a.md', plan: 'x'.repeat(1_100_000)}, 'The plan has 1100000 bytes; 1048576 are possible.'],
  ])('is refused with what is wrong, and no one is asked: case %#', async (input, sentence) => {
    await using place = await plan([]);
    expect(await place.present(input)).toMatchObject({
      status: 'failed',
      error: {code: 'PLAN_INVALID', message: expect.stringContaining(sentence)},
    });
    expect(place.forms).toEqual([]);
  });

  test('is not followed through a link [plan.approved]', async () => {
    await using place = await plan([{answer: 'default'}]);
    const folder = await (await place.session.service('plans')).folder();
    await mkdir(folder, {recursive: true});
    await writeFile(join(place.kernel.project, 'secret.txt'), 'secret');
    await symlink(join(place.kernel.project, 'secret.txt'), join(folder, 'rename.md'));
    expect(await place.present({plan_filename: 'rename.md'})).toMatchObject({error: {code: 'PLAN_INVALID'}});
    expect(await place.present(given)).toMatchObject({status: 'done'});
    expect(await readFile(join(place.kernel.project, 'secret.txt'), 'utf8')).toBe('secret');
  });
});

test('a plan that is too large to read is named', async () => {
  await using place = await plan([]);
  const plans = await place.session.service('plans');
  await mkdir(await plans.folder(), {recursive: true});
  await writeFile(join(await plans.folder(), 'large.md'), 'x'.repeat(1_100_000));
  await expect(plans.read('large.md')).rejects.toMatchObject({code: 'PLAN_UNREADABLE'});
});

describe('plan mode', () => {
  test('is entered by the model, and the mode before it is not forgotten [plan.enter]', async () => {
    const homeFiles = {
      '.gemini/policies/a.toml': `${allowed}\n[[rule]]\ntoolName = "enter_plan_mode"\ndecision = "allow"\npriority = 900\n`,
    };
    await using place = await plan([], {interactive: false, from: 'auto_edit', homeFiles});
    expect(await place.session.call({tool: 'enter_plan_mode', input: {}})).toMatchObject({
      status: 'done',
      result: {model: expect.stringContaining('call exit_plan_mode with')},
    });
    expect(place.session.info.mode).toBe('plan');
    await place.present(given);
    expect([place.session.info.mode, place.forms]).toEqual(['auto_edit', []]);
  });

  test.each([
    [{}, 'default'],
    [{homeFiles: {'.gemini/settings.json': '{"general": {"plan": {"approvedMode": "auto_edit"}}}'}}, 'auto_edit'],
    [{files: {'.gemini/settings.json': '{"general": {"plan": {"approvedMode": "auto_edit"}}}'}}, 'default'],
  ])(
    'a run without a person leaves it only by a rule, into a mode of the person: %j [plan.headless]',
    async (own, mode) => {
      await using refused = await plan([], {...own, interactive: false});
      expect(await refused.present(given)).toMatchObject({status: 'refused'});
      expect(refused.session.info.mode).toBe('plan');

      const homeFiles = {...('homeFiles' in own ? own.homeFiles : {}), '.gemini/policies/a.toml': allowed};
      await using place = await plan([], {...own, homeFiles, interactive: false});
      expect(await place.present(given)).toMatchObject({status: 'done'});
      expect(place.session.info.mode).toBe(mode);
    },
  );

  test('is not there where it is turned off [plan.enter]', async () => {
    const homeFiles = {'.gemini/settings.json': '{"general": {"plan": {"enabled": false}}}'};
    await using place = await plan([], {from: 'default', homeFiles});
    const names = (await place.session.offered()).map(({name}) => name);
    expect(names).not.toContain('enter_plan_mode');
    await expect((await place.session.service('plans')).enter()).rejects.toMatchObject({code: 'PLAN_DISABLED'});
  });

  test('is one of conversations [plan.enter]', async () => {
    await using place = await plan([], {from: 'default'});
    const plans = await place.kernel.service('plans');
    await expect(plans.enter()).rejects.toMatchObject({code: 'PLAN_NEEDS_CONVERSATION'});
    await expect(plans.read()).rejects.toMatchObject({code: 'PLAN_UNKNOWN', message: 'This session has no plan.'});
  });
});

describe('general.plan.directory', () => {
  const settings = (directory: string): object => ({
    homeFiles: {'.gemini/settings.json': JSON.stringify({general: {plan: {directory}}})},
  });

  test('keeps plans in the project [plan.directory]', async () => {
    await using place = await plan([{answer: 'default'}], settings('docs/plans'));
    await place.present(given);
    expect(await readFile(join(place.kernel.project, 'docs/plans/rename.md'), 'utf8')).toBe(text);
  });

  test.each(['..', '.', '/tmp', 'out'])('does not lead outside, as with %s [plan.directory]', async (directory) => {
    await using place = await plan([], settings(directory));
    if (directory === 'out') await symlink('/tmp', join(place.kernel.project, 'out'));
    await expect((await place.session.service('plans')).list()).rejects.toMatchObject({code: 'PLAN_DIRECTORY_OUTSIDE'});
    expect(await place.present(given)).toMatchObject({status: 'failed'});
  });
});

describe('a folder that extensions name for plans', () => {
  const wishing = (folders: Readonly<Record<string, unknown>>, settings: object = {}): object => ({
    plugins: [...plugins, pluginRoot('extensions')],
    homeFiles: {
      '.gemini/settings.json': JSON.stringify(settings),
      ...Object.fromEntries(
        Object.entries(folders).map(([name, directory]) => [
          `.gemini/extensions/${name}/gemini-extension.json`,
          JSON.stringify({name, version: '1.0.0', plan: {directory}}),
        ]),
      ),
    },
  });
  const folderOf = async ({session, kernel}: Planning): Promise<string> =>
    relative(kernel.project, await (await session.service('plans')).folder());

  test('counts where no setting names one, the first in the project, as a path of the call [plan.extensions]', async () => {
    await using place = await plan([{answer: 'default'}], wishing({a: '../a', b: 'docs/b', c: 'docs/c'}));
    await place.present(given);
    expect(await readFile(join(place.kernel.project, 'docs/b/rename.md'), 'utf8')).toBe(text);
    await place.kernel.kernel.close();
    expect(place.kernel.notices.filter(({code}) => code === 'PLAN_FOLDER_LEFT_OUT')).toEqual([
      expect.objectContaining({sentence: expect.stringContaining('"../a" of a is not used')}),
    ]);
  });

  test('does not count beside a setting [plan.extensions]', async () => {
    await using place = await plan([], wishing({b: 'docs/b'}, {general: {plan: {directory: 'mine'}}}));
    expect(await folderOf(place)).toBe('mine');
  });

  test.each(['/tmp', 'C:\\plans', 'a/../b', '.', 'out', 'out/in', 7])(
    'is not used as %j: the plans of the session stay private [plan.extensions]',
    async (directory) => {
      await using place = await plan([], wishing({b: directory}));
      await symlink('/tmp', join(place.kernel.project, 'out'));
      expect(await folderOf(place)).toMatch(/^\.\.\/.*plans$/);
      expect(await (await place.session.service('plans')).isInProject()).toBe(false);
      await place.kernel.kernel.close();
      expect(place.kernel.notices.map(({code}) => code)).toContain(
        directory === 7 ? 'EXTENSION_LEFT_OUT' : 'PLAN_FOLDER_LEFT_OUT',
      );
    },
  );

  test.each(['.gemini/agents', '.git/hooks'])(
    'gets no plan where rules refuse its files: %s [plan.extensions]',
    async (directory) => {
      await using place = await plan([{answer: 'default'}], wishing({b: directory}));
      expect(await place.present(given)).toMatchObject({status: 'refused'});
      await expect(readFile(join(place.kernel.project, directory, 'rename.md'))).rejects.toMatchObject({
        code: 'ENOENT',
      });
    },
  );

  test('of a setting is judged by the same rules [plan.directory]', async () => {
    await using place = await plan([{answer: 'default'}], wishing({}, {general: {plan: {directory: '.git/hooks'}}}));
    expect(await place.present(given)).toMatchObject({status: 'refused'});
  });
});
