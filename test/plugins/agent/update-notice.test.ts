import {cp, readFile, symlink, writeFile} from 'node:fs/promises';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {openAgentPlace, type AgentPlace} from '../../helpers/run-agent.js';
import {ScreenSitting} from '../../helpers/sit-at-screen.js';
import {atTerminal} from '../../journeys/run-at-terminal.js';
import {newestOf} from '#plugins/bundles/dist/install/find-newer.js';
import {isDueToday} from '#kernel/files/dist/writing.js';

const NAME = '@acme/gemini-product';
const NEWER = '9.8.7';

/** A program that comes from a registry, which answers for it. */
class Published {
  readonly requests: string[] = [];
  #onRequest: () => void = () => undefined;
  answer = JSON.stringify({latest: NEWER, nightly: '99.0.0-nightly.1'});

  private constructor(
    readonly root: string,
    private readonly server: Server,
    private readonly folder: Awaited<ReturnType<typeof makeFolder>>,
  ) {
    server.on('request', (request, response) => {
      this.requests.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      // An empty answer never ends.
      if (this.answer !== '') response.end(this.answer);
      this.#onRequest();
    });
  }

  static async open(): Promise<Published> {
    const folder = await makeFolder();
    const root = join(folder.path, 'program');
    await cp(join(checkout, 'bin'), join(root, 'bin'), {recursive: true});
    for (const name of ['kernel', 'plugins', 'manifests', 'policies', 'node_modules'])
      await symlink(join(checkout, name), join(root, name));
    const {private: _, ...pack} = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as {private: true};
    await writeFile(join(root, 'package.json'), JSON.stringify({...pack, name: NAME}));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Published(root, server, folder);
  }

  get variables(): Readonly<Record<string, string>> {
    const {port} = this.server.address() as AddressInfo;
    return {CI: '', NPM_CONFIG_REGISTRY: `http://127.0.0.1:${port}/`};
  }

  async asked(): Promise<void> {
    while (this.requests.length === 0) await new Promise<void>((resolve) => (this.#onRequest = resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.folder[Symbol.asyncDispose]();
  }
}

function sit(place: AgentPlace, {root, variables}: Published, more = {}): Promise<ScreenSitting> {
  return ScreenSitting.begin(place, {root, columns: 120, variables: {...variables, ...more}});
}

function openPlace(general = {}): Promise<AgentPlace> {
  return openAgentPlace({script: [], settings: {ui: {mode: ''}, general}});
}

atTerminal('a conversation says once a day that there is a newer version [updates.notice]', async () => {
  await using program = await Published.open();
  await using place = await openPlace();
  {
    await using sitting = await sit(place, program);
    await sitting.seeAt('>');
    await sitting.see(`gemini ${NEWER} is available; this is `);
    await sitting.see(`npm install --global ${NAME}`);
    sitting.type('\u0004');
    expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  }
  expect(program.requests).toEqual(['/-/package/@acme%2fgemini-product/dist-tags']);
  await using again = await sit(place, program);
  await again.seeAt('>');
  again.type('/about\r');
  await again.see('terminal  ');
  expect(program.requests).toHaveLength(1);
});

atTerminal('leaving does not wait for a registry that does not answer [updates.notice]', async () => {
  await using program = await Published.open();
  program.answer = '';
  await using place = await openPlace();
  await using sitting = await sit(place, program);
  await sitting.seeAt('>');
  await program.asked();
  const before = performance.now();
  sitting.type('\u0004');
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  // It gives up after fifteen seconds on its own.
  expect(performance.now() - before).toBeLessThan(10_000);
});

atTerminal.each([
  ['the setting', {enableAutoUpdateNotification: false}, {}],
  ['the older setting', {disableUpdateNag: true}, {}],
  ['CI', {}, {CI: '1'}],
])('%s keeps it from asking [updates.notice]', async (_, general, variables) => {
  await using program = await Published.open();
  await using place = await openPlace(general);
  await using sitting = await sit(place, program, variables);
  await sitting.seeAt('>');
  sitting.type('!sleep 3; echo later\r');
  await sitting.wait(() => sitting.lines.includes('later'), 'for later');
  expect(program.requests).toEqual([]);
});

test('gemini doctor updates asks npm, and says that a checkout has none [updates.notice]', async () => {
  await using place = await openPlace();
  const {code, stdout} = await place.run(['doctor', 'updates', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([0, {name: 'gemini', version: expect.any(String), newer: null}]);
});

test.each<readonly [string, unknown, string | undefined]>([
  ['1.0.0', {latest: '1.0.1'}, '1.0.1'],
  ['1.0.0', {latest: '1.0.0', preview: '1.1.0-preview.1', nightly: '2.0.0-nightly.1'}, undefined],
  ['1.0.0', {latest: '0.9.0'}, undefined],
  ['1.1.0-preview.1', {latest: '1.0.0', preview: '1.1.0-preview.2', nightly: '2.0.0-nightly.1'}, '1.1.0-preview.2'],
  ['1.1.0-preview.1', {latest: '1.1.0', preview: '1.1.0-preview.1'}, '1.1.0'],
  ['1.1.0-nightly.3', {latest: '1.0.0', nightly: '1.1.0-nightly.20'}, '1.1.0-nightly.20'],
  ['1.0.0', {latest: '2.0.0; rm -rf /'}, undefined],
  ['1.0.0', {latest: '\u001b[31m2.0.0'}, undefined],
  ['1.0.0', {latest: 2}, undefined],
  ['1.0.0', ['2.0.0'], undefined],
  ['1.0.0', null, undefined],
])('of %s and the tags %j, the newer one is %s [updates.notice]', (version, tags, newer) => {
  expect(newestOf(tags, version)).toBe(newer);
});

test('what is due once a day is due again the next day, and after a clock that was wrong [updates.notice]', async () => {
  await using folder = await makeFolder();
  const record = join(folder.path, 'below', 'record');
  const at = (text: string): Promise<boolean> => isDueToday(record, new Date(text));
  expect(await at('2026-01-01T10:00:00Z')).toBe(true);
  expect(await at('2026-01-02T09:59:59Z')).toBe(false);
  expect(await at('2026-01-02T10:00:00Z')).toBe(true);
  expect(await at('2025-01-01T10:00:00Z')).toBe(true);
  await writeFile(record, 'nonsense');
  expect(await at('2025-01-01T10:00:01Z')).toBe(true);
});
