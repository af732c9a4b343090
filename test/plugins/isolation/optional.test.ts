import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import {makeFolder, makePlugin, type Folder} from '../../helpers/make-plugin.js';
import {guest, NAME} from './guest.js';
import {openIsolated, testIsolated} from './open-isolated.js';

/** A tool that reads a file of the workspace, and says what came of it. */
const READ = `touches: ({path, silent}) => silent ? [] : [{kind: 'path', value: path, access: 'read'}],
  async run({path, link}) {
    try { return {model: fs.readFileSync(path, 'utf8')}; } catch (error) { return {model: error.code}; }
  }`;

function say(form: SentForm, answer: string): FormReply {
  const [field] = form.fields;
  expect(form).toMatchObject({about: {kind: 'capability', plugin: NAME}, isOurs: true});
  return field?.kind === 'choice' && field.options.some(({value}) => value === answer)
    ? {outcome: 'answered', values: {answer}}
    : {outcome: 'closed'};
}

async function open(folder: Folder, answers: string[], homeFiles = {}) {
  const forms: SentForm[] = [];
  const plugin = await makePlugin(folder.path, guest({guest_read: READ}, {optional: ['fs:read']}));
  const kernel = await openIsolated({
    plugins: [plugin],
    files: {'a.txt': 'hello'},
    homeFiles,
    answer: (form) => (forms.push(form), say(form, answers.shift() ?? 'none')),
  });
  const read = async (silent = false): Promise<unknown> => {
    const outcome = await kernel.call('guest_read', {path: join(kernel.project, 'a.txt'), silent});
    return outcome.status === 'done'
      ? outcome.result.model
      : outcome.status === 'failed'
        ? outcome.error.code
        : outcome;
  };
  return {kernel, forms, read};
}

testIsolated(
  'what is optional is there after a yes: for one call, or until gemini ends [capabilities.optional]',
  async () => {
    await using folder = await makeFolder();
    const {kernel, forms, read} = await open(folder, ['once', 'session']);
    await using _ = kernel;
    expect([await read(), forms.length]).toEqual(['hello', 1]);
    expect(forms[0]).toMatchObject({
      title: `The plugin ${NAME} asks for reading the workspace.`,
      text: expect.stringContaining(`Its tool guest_read needs it now, to read ${kernel.project}/a.txt.`),
    });
    // Without the grant neither the mount nor the answer is left.
    expect([await read(), forms.length]).toEqual(['hello', 2]);
    expect([await read(), forms.length]).toEqual(['hello', 2]);
    const [state] = await (await kernel.service('isolation')).state();
    expect(state).toMatchObject({deaths: 0, state: 'running'});
  },
);

testIsolated(
  'a no holds for the session, and a kept yes is in the settings of the person only [capabilities.optional]',
  async () => {
    await using folder = await makeFolder();
    const refused = await open(folder, ['no']);
    try {
      expect(await refused.read()).toBe('CAPABILITY_REFUSED');
      expect([await refused.read(), refused.forms.length]).toEqual(['CAPABILITY_REFUSED', 1]);
    } finally {
      await refused.kernel.close();
    }
    const kept = await open(folder, ['always']);
    const grant = `${NAME} fs:read`;
    let settings: string;
    try {
      expect(await kept.read()).toBe('hello');
      settings = readFileSync(join(kept.kernel.home, '.gemini', 'settings.json'), 'utf8');
      expect(JSON.parse(settings)).toMatchObject({security: {pluginGrants: [grant]}});
    } finally {
      await kept.kernel.close();
    }
    const again = await open(folder, [], {'.gemini/settings.json': settings});
    try {
      expect([await again.read(), again.forms.length]).toEqual(['hello', 0]);
    } finally {
      await again.kernel.close();
    }
  },
);

testIsolated(
  'a project grants nothing, and where answers are not kept none is offered [capabilities.optional]',
  async () => {
    await using folder = await makeFolder();
    const plugin = await makePlugin(folder.path, guest({guest_read: READ}, {optional: ['fs:read']}));
    const security = {pluginGrants: [`${NAME} fs:read`], disableAlwaysAllow: true};
    const forms: SentForm[] = [];
    await using kernel = await openIsolated({
      plugins: [plugin],
      files: {'a.txt': 'hello', '.gemini/settings.json': JSON.stringify({security})},
      answer: (form) => (forms.push(form), say(form, 'always')),
    });
    const outcome = await kernel.call('guest_read', {path: join(kernel.project, 'a.txt')});
    expect(outcome).toMatchObject({status: 'failed', error: {code: 'CAPABILITY_REFUSED'}});
    const [field] = forms[0]?.fields ?? [];
    expect(field?.kind === 'choice' && field.options.map(({value}) => value)).toEqual(['once', 'no']);
  },
);
