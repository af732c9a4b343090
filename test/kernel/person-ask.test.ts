import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Form, FormReply, SentForm} from '@gemini-kernel/kernel';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {boot} from '@gemini-kernel/kernel/host';
import {checkout} from '../helpers/plugin-root.js';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

const {answerInLines} = (await import(
  pathToFileURL(join(checkout, 'bin/dist/answer-in-lines.js')).href
)) as typeof import('../../bin/src/answer-in-lines.js');

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const form: Form = {
  title: 'How shall it be painted?',
  about: {kind: 'paint'},
  fields: [
    {name: 'now', kind: 'yes-no', label: 'Now?', default: false},
    {
      name: 'colour',
      kind: 'choice',
      label: 'Colour',
      options: [
        {value: 'red', label: 'red', key: 'r'},
        {value: 'green', label: 'a green', key: 'g'},
      ],
    },
    {
      name: 'rooms',
      kind: 'several',
      label: 'Rooms',
      options: ['hall', 'attic'].map((value) => ({value, label: value})),
      default: ['hall'],
    },
    {name: 'name', kind: 'text', label: 'Name', pattern: {source: '[a-z]+', sentence: 'Small letters only.'}},
  ],
};
const good = {now: true, colour: 'red', rooms: ['attic'], name: 'me'};
const sent: SentForm = {...form, source: 'kernel', isOurs: true};

declare module '@gemini-kernel/kernel' {
  interface Services {
    'asks-session': {ask(): Promise<unknown>; askBelow(): Promise<unknown>};
    'asks-place': {ask(): Promise<unknown>};
  }
}

/** Plugins that ask from a session and from a place, and one that replies as its global says. */
async function openHouse(reply?: string, origin: 'core' | 'user' = 'core'): Promise<TestKernel> {
  const asks = (scope: string): string => `import {provide} from '@gemini-kernel/kernel';
export default provide('asks-${scope}', {version: '1.0.0', scope: '${scope}', create: ({ask, open}) => ({
  ask: () => ask(${JSON.stringify(form)}),
  askBelow: () => open().ask(${JSON.stringify(form)}),
})});`;
  const asking = await makePlugin(folder.path, {
    name: 'asking',
    services: (['session', 'place'] as const).map((scope) => ({
      name: `asks-${scope}`,
      version: '1.0.0',
      scope,
      module: `./${scope}.js`,
    })),
    files: {'session.js': asks('session'), 'place.js': asks('place')},
  });
  const replying = await makePlugin(folder.path, {
    name: 'replying',
    listeners: [{hook: 'person:ask', module: './reply.js'}],
    files: {'reply.js': listenerCode('person:ask', `globalThis.formSeen = payload; return ${reply ?? 'undefined'};`)},
  });
  return createTestKernel({plugins: [{...asking, origin}, ...(reply === undefined ? [] : [replying])], confirm: 'no'});
}

describe('a form', () => {
  test('is answered by the first user interface that replies, and names who asks [ask.race]', async () => {
    await using kernel = await openHouse(JSON.stringify({outcome: 'answered', values: good}));
    expect(await (await kernel.service('asks-session')).ask()).toEqual({outcome: 'answered', values: good});
    expect((globalThis as {formSeen?: unknown}).formSeen).toEqual({...form, source: 'asking', isOurs: true});
  });

  test.each(['ask', 'askBelow'] as const)('of an installed plugin names it, by %s [ask.race]', async (way) => {
    await using kernel = await openHouse(JSON.stringify({outcome: 'answered', values: good}), 'user');
    expect(await (await kernel.service('asks-session'))[way]()).toEqual({outcome: 'answered', values: good});
    expect((globalThis as {formSeen?: unknown}).formSeen).toEqual({...form, source: 'asking', isOurs: false});
  });

  test('has the defaults of what was left open [ask.race]', async () => {
    const values = {colour: 'green', name: 'me'};
    await using kernel = await openHouse(JSON.stringify({outcome: 'answered', values}));
    expect(await kernel.session.ask(form)).toEqual({
      outcome: 'answered',
      values: {now: false, rooms: ['hall'], ...values},
    });
  });

  test.each([
    ['a wrong choice', {...good, colour: 'blue'}, '"blue" is not one of red, green.'],
    ['a wrong member', {...good, rooms: ['cellar']}, '"cellar" is not one of hall, attic.'],
    ['a wrong type', {...good, now: 'yes'}, 'Now? needs a boolean.'],
    ['a text that does not match', {...good, name: 'ME'}, 'Small letters only.'],
    ['nothing where there is no default', {colour: 'red'}, 'Name needs an answer.'],
  ])('with %s counts as closed, and that is reported [ask.fit]', async (_, values, sentence) => {
    await using kernel = await openHouse(JSON.stringify({outcome: 'answered', values}));
    expect(await kernel.session.ask(form)).toEqual({outcome: 'closed'});
    expect(kernel.notices).toMatchObject([{code: 'FORM_UNFIT', sentence: expect.stringContaining(sentence)}]);
  });

  const field = {name: 'a', kind: 'text', label: 'A'};
  test.each<[string, unknown, string]>([
    ['without a title', {...form, title: ''}, 'form.title'],
    ['without fields', {...form, fields: undefined}, 'lacks "fields"'],
    ['with a field of no known kind', {...form, fields: [{...field, kind: 'date'}]}, 'form.fields.0.kind must be one'],
    ['with a choice of nothing', {...form, fields: [{...field, kind: 'choice'}]}, 'form.fields.0 lacks "options"'],
    ['with a name like no key', {...form, fields: [{...field, name: '__proto__'}]}, 'form.fields.0.name'],
    ['with a field twice', {...form, fields: [field, field]}, 'its field "a" is there twice'],
    [
      'with a bad pattern',
      {...form, fields: [{...field, pattern: {source: '(', sentence: 'No.'}}]},
      'regular expression',
    ],
    ['with a bad default', {...form, fields: [{...field, kind: 'yes-no', default: 'no'}]}, 'default that does not fit'],
  ])('%s is shown to no one and rejects [ask.form]', async (_, odd, sentence) => {
    delete (globalThis as {formSeen?: unknown}).formSeen;
    await using kernel = await openHouse(JSON.stringify({outcome: 'closed'}));
    await expect(kernel.session.ask(odd as Form)).rejects.toThrow(sentence);
    expect((globalThis as {formSeen?: unknown}).formSeen).toBeUndefined();
  });

  test('with a field named like a part of every object needs its value [ask.fit]', async () => {
    await using kernel = await openHouse(JSON.stringify({outcome: 'answered', values: {}}));
    const odd = {...form, fields: [{name: 'constructor', kind: 'text' as const, label: 'Who', default: 'me'}]};
    expect(await kernel.session.ask(odd)).toEqual({outcome: 'answered', values: {constructor: 'me'}});
  });

  test.each([undefined, 'undefined'])('that reaches no one says so [ask.nobody]', async (reply) => {
    await using kernel = await openHouse(reply);
    expect(await kernel.session.ask(form)).toEqual({outcome: 'nobody'});
  });

  test('is not shown in a session without a person, even by an interface [ask.nobody]', async () => {
    await using kernel = await openHouse(JSON.stringify({outcome: 'answered', values: good}));
    const session = kernel.kernel.open({interactive: false});
    expect(await session.ask(form)).toEqual({outcome: 'nobody'});
  });

  test('goes to the host when no plugin shows it; cancelling it rejects [ask.race]', async () => {
    await using kernel = await openHouse();
    const asked: unknown[] = [];
    const answer = async (one: SentForm): Promise<FormReply> => (asked.push(one), {outcome: 'closed'});
    const again = boot(kernel.kernel.catalog, kernel.kernel.environment, {answer});
    expect([await again.open().ask(form), asked]).toEqual([{outcome: 'closed'}, [sent]]);
    await again.close();
    await using slow = await openHouse('new Promise(() => undefined)');
    const stop = new AbortController();
    const asking = slow.session.ask(form, {signal: stop.signal});
    stop.abort(new Error('Enough.'));
    await expect(asking).rejects.toThrow('Enough.');
  });

  test('cannot come from a service without a session [ask.session]', async () => {
    await using kernel = await openHouse();
    await expect((await kernel.service('asks-place')).ask()).rejects.toMatchObject({code: 'SERVICE_SCOPE'});
  });
});

describe('in lines', () => {
  /** Types these lines; undefined is the end of the input. */
  async function type(lines: readonly (string | undefined)[], given: SentForm = sent) {
    const [said, asked, left] = [[] as string[], [] as string[], [...lines]];
    const reply = await answerInLines(given, {
      ask: async (question, options) => (
        asked.push(options?.isSecret ? `${question}(secret)` : question),
        left.shift()
      ),
      say: (line) => void said.push(line),
    });
    return {reply, said, asked, left};
  }

  test('each field is asked for until it fits [ask.lines]', async () => {
    const {reply, said, asked, left} = await type(['perhaps', 'y', 'blue', 'G', '3', '1, 2', 'ME', 'me']);
    expect(reply).toEqual({
      outcome: 'answered',
      values: {now: true, colour: 'green', rooms: ['hall', 'attic'], name: 'me'},
    });
    expect(asked.filter((one, index) => asked.indexOf(one) === index)).toEqual([
      'Now? [y/N] ',
      'Colour [r]ed, [g] a green: ',
      'Rooms (numbers): ',
      'Name: ',
    ]);
    expect([said, left]).toEqual([
      [
        ...['How shall it be painted?', '"perhaps" is not an answer.', '"blue" is not an answer.'],
        ...['  1. hall', '  2. attic', '"3" is not an answer.', 'Small letters only.'],
      ],
      [],
    ]);
  });

  test('Enter takes the default, and closes the form where there is none [ask.lines]', async () => {
    expect((await type(['', 'r', '', 'me'])).reply).toEqual({
      outcome: 'answered',
      values: {now: false, colour: 'red', rooms: ['hall'], name: 'me'},
    });
    expect((await type(['', ''])).reply).toEqual({outcome: 'closed'});
  });

  test('the end of the input closes the form [ask.lines]', async () => {
    expect((await type(['y', undefined])).reply).toEqual({outcome: 'closed'});
  });

  test('an installed plugin is named, and a secret is not echoed [ask.lines]', async () => {
    const fields = [{name: 'key', kind: 'secret', label: 'API key'} as const];
    const {reply, said, asked} = await type([' s3 '], {...sent, fields, source: 'stranger', isOurs: false});
    expect([reply, said, asked]).toEqual([
      {outcome: 'answered', values: {key: ' s3 '}},
      ['How shall it be painted? (asked by the plugin stranger)'],
      ['API key: (secret)'],
    ]);
  });
});
