import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

declare module '@gemini-kernel/kernel' {
  interface Services {
    'in-program': Where;
    'in-place': Where;
    'in-session': Where;
  }
}

interface Where {
  cwd(): string;
  variable(): string | undefined;
  flag(): unknown;
}

/** A plugin with a service in each scope; what is created and disposed is noted in `log`. */
function makeScopes() {
  const code = (name: string, scope: string): string => `import {provide} from '@gemini-kernel/kernel';
const log = (globalThis.placeLog ??= []);
let count = 0;
export default provide('${name}', {version: '1.0.0', scope: '${scope}',
  create({environment}) {
    const id = '${name} ' + (count += 1);
    log.push('create ' + id);
    return {id, cwd: () => environment.cwd, variable: () => environment.variables.NAME, flag: () => environment.flags.model};
  },
  dispose({id}) { log.push('dispose ' + id); },
});`;
  return makePlugin(folder.path, {
    name: 'scopes',
    services: (['program', 'place', 'session'] as const).map((scope) => ({
      name: `in-${scope}`,
      version: '1.0.0',
      scope,
      local: true as const,
      module: `./${scope}.js`,
    })),
    listeners: [{hook: 'session:mode', critical: true, module: './mode.js'}],
    files: {
      ...Object.fromEntries(
        ['program', 'place', 'session'].map((scope) => [`${scope}.js`, code(`in-${scope}`, scope)]),
      ),
      'mode.js': listenerCode(
        'session:mode',
        "if (payload.value === 'yolo') throw new (await import('@gemini-kernel/kernel')).KernelError('MODE_REFUSED', " +
          "'Not here.'); return payload.value;",
      ),
    },
  });
}

const log = (): string[] => ((globalThis as {placeLog?: string[]}).placeLog ??= []);

test('sessions of one place share its services, and the last one disposes them [places.shared]', async () => {
  log().splice(0);
  await using test = await createTestKernel({plugins: [await makeScopes()]});
  const {kernel} = test;
  const there = {cwd: '/there', variables: {NAME: 'two'}, flags: {model: 'x'}};
  const [one, two] = [kernel.open(there), kernel.open({...there, variables: {NAME: 'two'}})];
  const shared = await one.service('in-place');
  expect(await two.service('in-place')).toBe(shared);
  expect([shared.cwd(), shared.variable(), shared.flag()]).toEqual(['/there', 'two', 'x']);
  const here = await test.session.service('in-place');
  expect([here.cwd(), here.variable(), here.flag()]).toEqual([test.project, undefined, undefined]);
  await one.close();
  expect(log().filter((line) => line.startsWith('dispose'))).toEqual([]);
  await two.close();
  expect(log().filter((line) => line.startsWith('dispose'))).toEqual(['dispose in-place 1']);
});

test('places differ by directory, by variables and by flags, and share the program [places.shared]', async () => {
  log().splice(0);
  await using test = await createTestKernel({plugins: [await makeScopes()]});
  const places = [{cwd: '/a'}, {cwd: '/b'}, {cwd: '/a', variables: {A: '1'}}, {cwd: '/a', flags: {model: 'y'}}];
  const sessions = places.map((place) => test.kernel.open(place));
  const inPlace = await Promise.all(sessions.map((session) => session.service('in-place')));
  const inProgram = await Promise.all(sessions.map((session) => session.service('in-program')));
  expect([new Set(inPlace).size, new Set(inProgram).size]).toEqual([4, 1]);
});

test('a service of the program has no directory, variables or flags [places.program]', async () => {
  await using test = await createTestKernel({plugins: [await makeScopes()]});
  const program = await test.session.service('in-program');
  expect(program.cwd()).toBeUndefined();
  expect(() => program.variable()).toThrow(TypeError);
});

test('a session opened by another is in its place and mode, and ends with it [places.parent]', async () => {
  await using test = await createTestKernel({plugins: [await makeScopes()], mode: 'plan'});
  const parent = test.kernel.open({cwd: '/there', mode: 'auto_edit', interactive: true});
  const child = test.kernel.open({parent});
  expect(await child.service('in-place')).toBe(await parent.service('in-place'));
  expect(child.info).toMatchObject({mode: 'auto_edit', interactive: true, parent: parent.info.id});
  log().splice(0);
  await child.service('in-session');
  await parent.close();
  expect(log().filter((line) => line.startsWith('dispose'))).toEqual(['dispose in-session 1', 'dispose in-place 1']);
});

test('a running session changes its mode unless a listener keeps it [session.mode]', async () => {
  await using test = await createTestKernel({plugins: [await makeScopes()]});
  await test.session.setMode('plan');
  expect(test.session.info.mode).toBe('plan');
  await expect(test.session.setMode('yolo')).rejects.toMatchObject({code: 'MODE_REFUSED'});
  expect(test.session.info.mode).toBe('plan');
});
