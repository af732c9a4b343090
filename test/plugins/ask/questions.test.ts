import {describe, expect, test} from '@jest/globals';
import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import type {ToolOutcome} from '@gemini-kernel/kernel/host';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-ask/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';

const database = {
  question: 'Which database?\\nIt keeps the orders.',
  header: 'Database',
  type: 'choice',
  options: [
    {label: 'PostgreSQL', description: 'A server.'},
    {label: 'SQLite', description: 'A file.'},
  ],
};
const targets = {...database, question: 'Which targets?', header: 'Targets', multiSelect: true};
const tests = {question: 'Run the tests?', header: 'Tests', type: 'yesno'};
const name = {question: 'What is its name?', header: 'Name', type: 'text', placeholder: 'orders'};

type Values = Extract<FormReply, {outcome: 'answered'}>['values'];

/** Answers the forms one after the other; then there is no one. */
async function ask(
  questions: readonly object[],
  replies: readonly (Values | 'closed')[],
  options: Partial<TestKernelOptions> = {},
): Promise<{readonly outcome: ToolOutcome; readonly forms: readonly SentForm[]}> {
  const forms: SentForm[] = [];
  const answer = (form: SentForm): FormReply | undefined => {
    const reply = replies[forms.push(form) - 1];
    if (reply === undefined) return undefined;
    return reply === 'closed' ? {outcome: 'closed'} : {outcome: 'answered', values: reply};
  };
  await using kernel = await open({answer, confirm: 'no', ...options});
  return {outcome: await kernel.call('ask_user', {questions}), forms};
}

function open(options: Partial<TestKernelOptions>): Promise<TestKernel> {
  const plugins = ['settings', 'trust', 'policy', 'workspace', 'ask'].map(pluginRoot);
  const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
  return createTestKernel({plugins, variables, ...options});
}

function textOf(outcome: ToolOutcome): unknown {
  if (outcome.status !== 'done') return outcome;
  const {model} = outcome.result;
  return typeof model === 'string' && model.startsWith('{') ? JSON.parse(model) : model;
}

describe('ask_user', () => {
  test('puts all questions into one form, without asking whether it may [questions.asked]', async () => {
    const values = {q1: '1', q2: ['0', '1'], q3: true, q4: 'orders'};
    const {outcome, forms} = await ask([database, targets, tests, name], [values]);
    expect(textOf(outcome)).toEqual({answers: {0: 'SQLite', 1: 'PostgreSQL, SQLite', 2: 'Yes', 3: 'orders'}});
    expect(forms).toHaveLength(1);
    expect(forms[0]?.fields).toEqual([
      {
        name: 'q1',
        label: 'Which database?',
        description: 'It keeps the orders.',
        kind: 'choice',
        options: [
          {value: '0', label: 'PostgreSQL', description: 'A server.'},
          {value: '1', label: 'SQLite', description: 'A file.'},
          {value: 'other', label: 'Something else', description: 'You write it next.'},
        ],
      },
      expect.objectContaining({name: 'q2', kind: 'several'}),
      {name: 'q3', label: 'Run the tests?', kind: 'yes-no'},
      {name: 'q4', label: 'What is its name?', description: 'For example: orders', kind: 'text'},
    ]);
  });

  test('takes other words for a choice, also beside options [questions.asked]', async () => {
    const {outcome, forms} = await ask(
      [database, targets],
      [
        {q1: 'other', q2: ['0', 'other']},
        {q1: 'DuckDB', q2: 'a queue'},
      ],
    );
    expect(textOf(outcome)).toEqual({answers: {0: 'DuckDB', 1: 'PostgreSQL, a queue'}});
    expect(forms.map(({fields}) => fields.map(({kind}) => kind))).toEqual([
      ['choice', 'several'],
      ['text', 'text'],
    ]);
  });

  test.each([
    ['at once', [database], ['closed']],
    ['instead of other words', [database], [{q1: 'other'}, 'closed']],
  ] as const)('says that the person closed it %s [questions.asked]', async (_, questions, replies) => {
    const {outcome} = await ask(questions, replies);
    expect(textOf(outcome)).toBe('The user closed the questions without answering them.');
  });

  test.each([
    [{...database, options: []}, 'The question "Database" has 0 options.'],
    [{...database, options: Array.from({length: 5}, (_, at) => ({label: `${at}`, description: ''}))}, 'has 5 options'],
    [{...database, options: ['a', ' a'].map((label) => ({label, description: ''}))}, 'has the same option twice'],
    [{...database, options: ['a', ' '].map((label) => ({label, description: ''}))}, 'an option without a label'],
    [{...tests, question: ' \\n '}, 'The question "Tests" has no text.'],
  ])('names what a question lacks: %j', async (question, sentence) => {
    const {outcome, forms} = await ask([tests, question], []);
    expect(outcome).toMatchObject({status: 'failed', error: {code: 'QUESTION_INVALID'}});
    expect(outcome).toMatchObject({error: {message: expect.stringContaining(sentence)}});
    expect(forms).toEqual([]);
  });

  test('a question cannot draw over the screen or look like another form', async () => {
    const {forms} = await ask([{...tests, question: 'a\rb\nc', header: 'x\ny'}], [{q1: false}]);
    expect([forms[0]?.title, forms[0]?.fields[0]?.label]).toEqual(['Question: x y', 'a']);
  });

  test('a rule that denies it removes it [questions.headless]', async () => {
    const rule = '[[rule]]\ntoolName = "ask_user"\ndecision = "deny"\npriority = 100\ndenyMessage = "No questions."\n';
    const {outcome, forms} = await ask([tests], [{q1: true}], {homeFiles: {'.gemini/policies/a.toml': rule}});
    expect(outcome).toMatchObject({status: 'refused', reason: expect.stringContaining('No questions.')});
    expect(forms).toEqual([]);
  });
});

describe('without a person, ask_user', () => {
  const headless = (
    file: string,
    flags: object = {'questions.answers': 'answers.json'},
  ): Partial<TestKernelOptions> => ({
    confirm: undefined as never,
    files: {'answers.json': file},
    flags: {...flags},
  });

  test.each([
    ['neither a person nor a file', {}, false],
    ['a file', {flags: {'questions.answers': 'answers.json'}, files: {'answers.json': '{}'}}, true],
    ['a person', {confirm: 'no'}, true],
  ] as const)('is offered where there is %s [questions.headless]', async (_, options, isOffered) => {
    await using kernel = await open(options);
    const names = (await kernel.session.offered()).map((tool) => tool.name);
    expect(names.includes('ask_user')).toBe(isOffered);
  });

  test('answers by header or text, in any case [questions.headless]', async () => {
    const file = '\uFEFF{"database": "sqlite", "Which targets?": ["postgresql", "a queue"], "Tests": "N", "NAME": "x"}';
    const {outcome, forms} = await ask([database, targets, tests, name], [], headless(file));
    expect(textOf(outcome)).toEqual({answers: {0: 'SQLite', 1: 'PostgreSQL, a queue', 2: 'No', 3: 'x'}});
    expect(forms).toEqual([]);
  });

  test('fails for the model where the file has no answer [questions.headless]', async () => {
    const {outcome} = await ask([database, tests], [], headless('{"Database": "SQLite"}'));
    expect(outcome).toMatchObject({
      status: 'failed',
      error: {code: 'QUESTION_UNANSWERED', message: expect.stringContaining('No one can answer in this run: "Tests".')},
    });
  });

  test.each([
    ['[]', 'it is not an object'],
    ['{"a": 3}', '"a" is 3, not a text'],
    ['{', 'JSON'],
  ])('a file of %s is refused', async (file, reason) => {
    const {outcome} = await ask([tests], [], headless(file));
    expect(JSON.stringify(outcome)).toContain('ANSWERS_UNREADABLE');
    expect(JSON.stringify(outcome)).toContain(JSON.stringify(reason).slice(1, -1));
  });

  test('a project cannot name the file [questions.headless]', async () => {
    const files = {
      'answers.json': '{"Tests": true}',
      '.gemini/settings.json': '{"questions": {"answers": "answers.json"}}',
    };
    const {outcome} = await ask([tests], [], {confirm: undefined as never, files});
    expect(outcome).toMatchObject({error: {code: 'QUESTION_UNANSWERED'}});
  });
});
