import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

declare module '@gemini-kernel/kernel' {
  interface Services {
    alpha: Probe;
    beta: Probe;
  }
}

interface Probe {
  readonly log: string[];
  readonly other?: unknown;
}

interface Part {
  readonly name: 'alpha' | 'beta';
  readonly scope?: 'program' | 'place' | 'session';
  readonly requires?: readonly string[];
  readonly body: string;
}

/** A plugin with one service; `log` in its code is shared by all of them. */
function makeService({name, scope = 'session', requires = [], body}: Part) {
  return makePlugin(folder.path, {
    name: `plugin-${name}`,
    services: [{name, version: '1.2.3', scope, local: true, module: './service.js'}],
    requires: {services: Object.fromEntries(requires.map((one) => [one, '^1']))},
    files: {
      'service.js':
        `import {provide} from '@gemini-kernel/kernel';\nconst log = (globalThis.serviceLog ??= []);\nexport ` +
        `default provide('${name}', {version: '1.2.3', scope: '${scope}', ${body}});\n`,
    },
  });
}

const plain = (name: string) =>
  `create: () => { log.push('create ${name}'); return {log}; }, dispose: () => { log.push('dispose ${name}'); }`;
const using = (name: string, other: string) =>
  `async create({service}) { log.push('begin ${name}'); const other = await service('${other}'); log.push('create ` +
  `${name}'); return {log, other}; }, dispose: () => { log.push('dispose ${name}'); }`;

async function bootWith(...parts: readonly Part[]): Promise<TestKernel> {
  (globalThis as {serviceLog?: string[]}).serviceLog = [];
  const kernel = await createTestKernel({plugins: await Promise.all(parts.map(makeService))});
  expect(kernel.kernel.catalog.refused).toEqual([]);
  return kernel;
}

const logged = (): readonly string[] => (globalThis as {serviceLog?: string[]}).serviceLog ?? [];

test('a service is created on first use, once, and disposed in reverse order [services.lazy]', async () => {
  const kernel = await bootWith(
    {name: 'alpha', requires: ['beta'], body: using('alpha', 'beta')},
    {name: 'beta', body: plain('beta')},
  );
  expect(logged()).toEqual([]);
  const [first, second] = await Promise.all([kernel.service('alpha'), kernel.service('alpha')]);
  expect(first).toBe(second);
  await kernel.close();
  expect(logged()).toEqual(['begin alpha', 'create beta', 'create alpha', 'dispose alpha', 'dispose beta']);
});

test('a session has its own services and shares those of the program [services.scopes]', async () => {
  await using kernel = await bootWith(
    {name: 'alpha', scope: 'session', body: plain('alpha')},
    {name: 'beta', scope: 'place', body: plain('beta')},
  );
  const another = kernel.kernel.open();
  expect(await another.service('alpha')).not.toBe(await kernel.service('alpha'));
  expect(await another.service('beta')).toBe(await kernel.service('beta'));
  await another.close();
  expect(logged()).toEqual(['create alpha', 'create alpha', 'create beta', 'dispose alpha']);
});

interface Failure {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly code: string;
  readonly message: string;
}

const failures: readonly Failure[] = [
  {
    title: 'that its manifest does not require',
    parts: [
      {name: 'alpha', body: using('alpha', 'beta')},
      {name: 'beta', body: plain('beta')},
    ],
    code: 'SERVICE_UNDECLARED',
    message: 'plugin-alpha uses the service beta without requiring it.',
  },
  {
    title: 'that waits for it',
    parts: [
      {name: 'alpha', requires: ['beta'], body: using('alpha', 'beta')},
      {name: 'beta', requires: ['alpha'], body: using('beta', 'alpha')},
    ],
    code: 'SERVICE_CIRCLE',
    message: 'Services wait for each other: alpha -> beta -> alpha.',
  },
  {
    title: 'that lives shorter than it',
    parts: [
      {name: 'alpha', scope: 'place', requires: ['beta'], body: using('alpha', 'beta')},
      {name: 'beta', body: plain('beta')},
    ],
    code: 'SERVICE_SCOPE',
    message: 'plugin-alpha asked for beta, which lives in a session, outside one.',
  },
];

test.each(failures)('a service cannot use one $title [services.declared]', async ({parts, code, message}) => {
  await using kernel = await bootWith(...parts);
  await expect(kernel.service('alpha')).rejects.toMatchObject({code, message});
});

test('a service that throws while being created names its plugin', async () => {
  await using kernel = await bootWith({name: 'alpha', body: "create: () => { throw new Error('no disk'); }"});
  await expect(kernel.service('alpha')).rejects.toMatchObject({
    code: 'SERVICE_FAILED',
    message: 'plugin-alpha could not start its service alpha: no disk',
  });
});

test('a service without a provider is named', async () => {
  await using kernel = await bootWith();
  await expect(kernel.service('alpha')).rejects.toMatchObject({
    code: 'SERVICE_MISSING',
    message: 'No installed plugin provides the service alpha.',
  });
});

test('a service whose disposal throws is reported, and the others are disposed all the same', async () => {
  const kernel = await bootWith(
    {
      name: 'alpha',
      requires: ['beta'],
      body:
        `async create({service}) { await service('beta'); return {log}; }, dispose: () => { throw new ` +
        `Error('stuck'); }`,
    },
    {name: 'beta', body: plain('beta')},
  );
  await kernel.service('alpha');
  await kernel.close();
  expect(kernel.warnings).toEqual(['A service failed to shut down: stuck']);
  expect(logged()).toEqual(['create beta', 'dispose beta']);
});

test('a plugin may announce only moments that it owns', async () => {
  await using kernel = await bootWith({
    name: 'alpha',
    body: "async create({dispatch}) { await dispatch('session:open', {}); return {log}; }",
  });
  await expect(kernel.service('alpha')).rejects.toMatchObject({
    code: 'HOOK_NOT_OWNED',
    message: 'plugin-alpha announced session:open, which it does not own.',
  });
});

test(
  'a service that is optional is used when it is there in a version that fits, and nothing is left out when it is ' +
    'not [services.optional]',
  async () => {
    const asker = (range: string) =>
      makePlugin(folder.path, {
        name: 'plugin-asker',
        services: [{name: 'alpha', local: true, version: '1.0.0', scope: 'session', module: './service.js'}],
        requires: {services: {}, optional: {beta: range}},
        files: {
          'service.js': `import {provide} from '@gemini-kernel/kernel';
export default provide('alpha', {version: '1.0.0', scope: 'session', async create({names, service}) {
  const [beta] = names('beta');
  return {log: [...names('beta'), beta ? (await service(beta)).log.length : await service('beta').catch(({code}) => code)]};
}});
`,
        },
      });
    const answers = await Promise.all(
      [
        {range: '^1', there: true},
        {range: '^1', there: false},
        {range: '^2', there: true},
      ].map(async ({range, there}) => {
        await using kernel = await createTestKernel({
          plugins: [
            await asker(range),
            ...(there ? [await makeService({name: 'beta', body: 'create: () => ({log: []})'})] : []),
          ],
        });
        return {refused: kernel.kernel.catalog.refused, log: (await kernel.service('alpha')).log};
      }),
    );
    expect(answers).toEqual([
      {refused: [], log: ['beta', 0]},
      {refused: [], log: ['SERVICE_UNDECLARED']},
      {refused: [], log: ['SERVICE_UNDECLARED']},
    ]);
  },
);
