import {expect} from '@jest/globals';
import type {ServiceEntry} from '@gemini-kernel/kernel/host';
import {listenerCode, makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {guest, NAME, type Done} from './guest.js';
import {openIsolated, testIsolated} from './open-isolated.js';

testIsolated(
  'a tool of an installed plugin runs in another process, with nothing that it did not declare [isolation.confined]',
  async () => {
    await using folder = await makeFolder();
    const reach = `async run(input) {
    const attempt = (act) => { try { return act(); } catch (error) { return error.code; } };
    return {model: String(process.pid), data: {
      variables: Object.keys(process.env),
      project: attempt(() => fs.readdirSync(input.project)),
      passwd: attempt(() => fs.readFileSync('/etc/passwd', 'utf8')),
      outside: attempt(() => fs.writeFileSync('/usr/x', '')),
      own: attempt(() => fs.writeFileSync(process.env.HOME + '/kept', 'kept') ?? 'written'),
      program: attempt(() => process.getBuiltinModule?.('node:child_process').execFileSync('/bin/true') ?? 'ran'),
    }};
  }`;
    const plugin = await makePlugin(folder.path, guest({guest_reach: reach}));
    await using kernel = await openIsolated({plugins: [plugin], variables: {SECRET_TOKEN: 'x'}});
    const {status, result} = (await kernel.call('guest_reach', {project: kernel.project})) as Done;
    expect(status).toBe('done');
    expect(result.model).not.toBe(String(process.pid));
    expect(result.data['variables']).not.toContain('SECRET_TOKEN');
    expect(result.data).toMatchObject({
      own: 'written',
      passwd: expect.stringMatching(/^E/),
      outside: expect.stringMatching(/^E/),
    });
    expect(result.data['project']).toEqual(expect.stringMatching(/^E/));
    expect(result.data['program']).toEqual(expect.stringMatching(/^E/));
  },
);

testIsolated('a plugin that declares fs:read reads the workspace, and cannot write it', async () => {
  await using folder = await makeFolder();
  const code = `async run({project}) {
    const text = fs.readFileSync(project + '/a.txt', 'utf8');
    let fault; try { fs.writeFileSync(project + '/b.txt', ''); } catch (error) { fault = error.code; }
    return {model: text, data: {fault}};
  }`;
  const plugin = await makePlugin(folder.path, guest({guest_read: code}, {capabilities: ['fs:read']}));
  await using kernel = await openIsolated({plugins: [plugin], files: {'a.txt': 'hello'}});
  const {result} = (await kernel.call('guest_read', {project: kernel.project})) as Done;
  expect(result).toEqual({model: 'hello', data: {fault: expect.stringMatching(/^E/)}});
});

testIsolated('an error of a tool keeps its code and its hint', async () => {
  await using folder = await makeFolder();
  const code = `async run() { throw new ToolError('GUEST_FAULT', 'It is closed.', {hint: 'Open it.'}); }`;
  const plugin = await makePlugin(folder.path, guest({guest_fail: code}));
  await using kernel = await openIsolated({plugins: [plugin]});
  const outcome = await kernel.call('guest_fail', {});
  expect(outcome).toMatchObject({
    status: 'failed',
    error: {code: 'GUEST_FAULT', message: 'It is closed.', hint: 'Open it.'},
  });
});

testIsolated('a process that ends fails the call, and is there again for the next', async () => {
  await using folder = await makeFolder();
  const code = `async run({end}) { if (end) process.exit(7); return {model: 'alive'}; }`;
  const plugin = await makePlugin(folder.path, guest({guest_exit: code}));
  await using kernel = await openIsolated({plugins: [plugin]});
  const died = await kernel.call('guest_exit', {end: true});
  expect(died).toMatchObject({status: 'failed', error: {code: 'PLUGIN_DIED', message: expect.stringContaining(NAME)}});
  expect(await kernel.call('guest_exit', {})).toMatchObject({status: 'done', result: {model: 'alive'}});
});

testIsolated('a plugin whose process ends three times within a minute is left out', async () => {
  await using folder = await makeFolder();
  const plugin = await makePlugin(folder.path, guest({guest_exit: `async run() { process.exit(7); }`}));
  await using kernel = await openIsolated({plugins: [plugin]});
  for (let count = 0; count < 3; count += 1)
    expect(await kernel.call('guest_exit', {})).toMatchObject({error: {code: 'PLUGIN_DIED'}});
  expect(await kernel.call('guest_exit', {})).toMatchObject({error: {code: 'PLUGIN_LEFT_OUT'}});
});

testIsolated('memory beyond the limit ends the process and not the program', async () => {
  await using folder = await makeFolder();
  const code = `async run() { const all = []; for (;;) all.push(Buffer.alloc(2 ** 26, 1)); }`;
  const plugin = await makePlugin(folder.path, guest({guest_eat: code}));
  await using kernel = await openIsolated({plugins: [plugin]});
  expect(await kernel.call('guest_eat', {})).toMatchObject({status: 'failed'});
});

testIsolated('a cancelled call returns at once, and a loop that ignores it is ended', async () => {
  await using folder = await makeFolder();
  const code = `async run({loop}, {progress}) { progress({message: 'begun'}); if (loop) for (;;); return {model: 'alive'}; }`;
  const plugin = await makePlugin(folder.path, guest({guest_loop: code}));
  await using kernel = await openIsolated({plugins: [plugin]});
  await kernel.call('guest_loop', {});
  const stop = new AbortController();
  const reason = new Error('enough');
  const running = kernel.call('guest_loop', {loop: true}, {signal: stop.signal});
  setTimeout(() => stop.abort(reason), 300);
  await expect(running).rejects.toBe(reason);
  // It waits for the process to be ended, and for the next one.
  expect(await kernel.call('guest_loop', {})).toMatchObject({status: 'failed', error: {code: 'PLUGIN_DIED'}});
  expect(await kernel.call('guest_loop', {})).toMatchObject({status: 'done'});
});

testIsolated('a gate whose process ends counts as deny, naming the plugin', async () => {
  await using folder = await makeFolder();
  const plugin = await makePlugin(
    folder.path,
    guest(
      {guest_any: `run: async () => ({model: 'ran'})`},
      {
        listeners: [{hook: 'tool:judge', module: 'dist/judge.js'}],
        files: {'dist/judge.js': listenerCode('tool:judge', 'process.exit(3);')},
      },
    ),
  );
  await using kernel = await openIsolated({plugins: [plugin]});
  const outcome = await kernel.call('guest_any', {});
  expect(outcome).toMatchObject({status: 'refused', by: NAME, reason: expect.stringContaining(NAME)});
});

testIsolated('a gate in another process denies with its own reason', async () => {
  await using folder = await makeFolder();
  const body = `return {decision: 'deny', reason: 'not ' + payload.tool};`;
  const plugin = await makePlugin(
    folder.path,
    guest(
      {guest_any: `run: async () => ({model: 'ran'})`},
      {
        listeners: [{hook: 'tool:judge', module: 'dist/judge.js'}],
        files: {'dist/judge.js': listenerCode('tool:judge', body)},
      },
    ),
  );
  await using kernel = await openIsolated({plugins: [plugin]});
  expect(await kernel.call('guest_any', {})).toMatchObject({status: 'refused', reason: 'not guest_any'});
});

testIsolated('a service passes callbacks and streams both ways', async () => {
  await using folder = await makeFolder();
  const service = `import {provide} from '@gemini-kernel/kernel';
export default provide('guest-words', {version: '1.0.0', scope: 'session', methods: ['spell', 'each'], create: () => ({
  async *spell(word) { yield* word; },
  async each(words, tell) { for (const one of words) await tell(one); return words.length; },
})});\n`;
  const plugin = await makePlugin(
    folder.path,
    guest(
      {},
      {
        services: [
          {
            name: 'guest-words',
            version: '1.0.0',
            scope: 'session',
            methods: ['spell', 'each'],
            module: 'dist/words.js',
          },
        ],
        files: {'dist/words.js': service},
      },
    ),
  );
  await using kernel = await openIsolated({plugins: [plugin]});
  const words = (await kernel.service('guest-words' as never)) as unknown as {
    spell(word: string): AsyncIterable<string>;
    each(words: readonly string[], tell: (word: string) => void): Promise<number>;
  };
  const letters: string[] = [];
  for await (const letter of words.spell('abc')) letters.push(letter);
  const told: string[] = [];
  const count = await words.each(['x', 'y'], (word) => void told.push(word));
  expect({letters, told, count}).toEqual({letters: ['a', 'b', 'c'], told: ['x', 'y'], count: 2});
});

testIsolated('a tool uses services of the product, by the methods that travel', async () => {
  await using folder = await makeFolder();
  const code = `async run(input, {service}) {
    const workspace = await service('workspace');
    return {model: (await workspace.roots()).map(({path}) => path).join()};
  }`;
  const requires = {services: {workspace: '^1'}};
  const plugin = await makePlugin(folder.path, guest({guest_roots: code}, {requires}));
  await using kernel = await openIsolated({plugins: [plugin]});
  expect(await kernel.call('guest_roots', {})).toMatchObject({status: 'done', result: {model: kernel.project}});
});

testIsolated('without isolation, an installed plugin runs in this process', async () => {
  await using folder = await makeFolder();
  const plugin = await makePlugin(folder.path, guest({guest_pid: `run: async () => ({model: String(process.pid)})`}));
  await using kernel = await openIsolated({plugins: [plugin], homeFiles: {'.gemini/settings.json': '{}'}});
  expect(await kernel.call('guest_pid', {})).toMatchObject({result: {model: String(process.pid)}});
});

testIsolated('a project can require isolation, and not turn it off [isolation.required]', async () => {
  await using folder = await makeFolder();
  const plugin = await makePlugin(folder.path, guest({guest_pid: `run: async () => ({model: String(process.pid)})`}));
  const set = (mode: string): Record<string, string> => ({
    '.gemini/settings.json': JSON.stringify({security: {pluginIsolation: mode}}),
  });
  await using off = await openIsolated({plugins: [plugin], files: set('off')});
  expect(await off.call('guest_pid', {})).not.toMatchObject({result: {model: String(process.pid)}});
  await using on = await openIsolated({plugins: [plugin], homeFiles: set('off'), files: set('required')});
  expect(await on.call('guest_pid', {})).not.toMatchObject({result: {model: String(process.pid)}});
});

testIsolated(
  'where nothing can confine it, a plugin that must be isolated does not run [isolation.required]',
  async () => {
    await using folder = await makeFolder();
    const plugin = await makePlugin(folder.path, guest({guest_pid: `run: async () => ({model: String(process.pid)})`}));
    // In another sandbox, ours cannot be made.
    await using kernel = await openIsolated({plugins: [plugin], variables: {SANDBOX: 'other'}});
    expect(await kernel.call('guest_pid', {})).toMatchObject({status: 'failed', error: {code: 'PLUGIN_UNISOLATED'}});
  },
);

testIsolated(
  'what works within one process only, and what is too large, fails with its code [isolation.border]',
  async () => {
    await using folder = await makeFolder();
    const luck: ServiceEntry = {name: 'luck', version: '1.0.0', scope: 'session', module: 'dist/luck.js'};
    const code =
      "import {provide} from '@gemini-kernel/kernel';\n" +
      "export default provide('luck', {version: '1.0.0', scope: 'session', create: () => ({})});\n";
    const tools = {
      guest_large: `run: async () => ({model: 'x'.repeat(17 * 2 ** 20)})`,
      guest_small: `run: async () => ({model: 'small'})`,
    };
    const plugin = await makePlugin(folder.path, guest(tools, {services: [luck], files: {'dist/luck.js': code}}));
    await using kernel = await openIsolated({plugins: [plugin]});
    await expect(kernel.session.service('luck' as never)).rejects.toMatchObject({code: 'SERVICE_LOCAL'});
    expect(await kernel.call('guest_large', {})).toMatchObject({status: 'failed', error: {code: 'FRAME_TOO_LARGE'}});
    expect(await kernel.call('guest_small', {})).toMatchObject({status: 'done', result: {model: 'small'}});
  },
);
