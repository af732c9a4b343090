import {once} from 'node:events';
import {mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import type {TestKernel, TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {grantOf} from '#plugins/sandbox/dist/exit/host-rules.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {openSandbox, output, testConfined} from './open-sandbox.js';

let server: Server;
let host = '';
beforeAll(async () => {
  server = createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

/** Asks the exit for each URL, one after the other. */
const ASK = `
  const ask = (path) => new Promise((resolve) => {
    const request = require('http').get({host: '127.0.0.1', port: 3128, path}, (response) => {
      response.on('data', (data) => console.log(response.statusCode, String(data).trim())).on('end', resolve);
    });
    request.on('error', (error) => resolve(console.log(error.code)));
  });
  (async () => { for (const url of process.argv.slice(2)) await ask(url); })();`;

interface Asked {
  readonly forms: SentForm[];
  readonly kernel: TestKernel;
}

/** A kernel whose person gives these answers, then none. */
async function open(answers: readonly string[], options: Partial<TestKernelOptions> = {}): Promise<Asked> {
  const [forms, left]: [SentForm[], string[]] = [[], [...answers]];
  const answer = (form: SentForm): FormReply => {
    forms.push(form);
    const value = left.shift();
    return value === undefined ? {outcome: 'closed'} : {outcome: 'answered', values: {answer: value}};
  };
  const {files, ...further} = options;
  return {forms, kernel: await openSandbox({answer, files: {'ask.js': ASK, ...files}, ...further})};
}

const settingsOf = (kernel: TestKernel): unknown =>
  JSON.parse(readFileSync(join(kernel.home, '.gemini', 'settings.json'), 'utf8'));

describe('a host that nothing grants', () => {
  testConfined('is asked about with the secret that it would get, not its value [sandbox.credentials]', async () => {
    const credentials = [
      {host: 'one.example', variable: 'REGISTRY_PASSAGE'},
      {host: 'two.example:8443', variable: 'OTHER_PASSAGE', header: 'x-key'},
    ];
    const {kernel, forms} = await open([], {
      homeFiles: {'.gemini/settings.json': JSON.stringify({tools: {sandboxCredentials: credentials}})},
      variables: {REGISTRY_PASSAGE: 'value-of-a-secret', OTHER_PASSAGE: 'value-of-a-secret'},
    });
    await using _ = kernel;
    const urls = ['http://one.example/', 'http://two.example:8443/', 'http://two.example/'];
    await output(kernel, `node ask.js ${urls.join(' ')}`);
    const said = 'Requests there by http:// get the secret of';
    expect(forms.map(({text = ''}) => text.split('\n').find((line) => line.startsWith(said)))).toEqual([
      `${said} REGISTRY_PASSAGE (tools.sandboxCredentials).`,
      `${said} OTHER_PASSAGE (tools.sandboxCredentials).`,
      undefined,
    ]);
    expect(forms.map(({about}) => about)).toMatchObject([
      {secrets: ['REGISTRY_PASSAGE']},
      {secrets: ['OTHER_PASSAGE']},
      {secrets: []},
    ]);
    expect(JSON.stringify(forms)).not.toContain('value-of-a-secret');
  });

  testConfined('is asked about by name while the connection waits [sandbox.questions]', async () => {
    const {kernel, forms} = await open(['once']);
    await using _ = kernel;
    expect(await output(kernel, `node ask.js http://${host}/ http://${host}/`)).toBe(
      'Output: 200 reached\n200 reached',
    );
    expect(forms).toMatchObject([
      {title: `A command wants to connect to ${host}.`, about: {kind: 'sandbox-host', host: 'localhost'}},
    ]);
    expect(forms[0]?.text).toContain('node ask.js');
    expect(forms[0]?.text).toContain('a program on this machine');
    // The answer was about that command.
    expect(await output(kernel, `node ask.js http://${host}/`)).toContain('403 gemini: localhost');
    expect(forms).toHaveLength(2);
  });

  testConfined('is granted for the session, or for good in the settings [sandbox.questions]', async () => {
    const {kernel, forms} = await open(['session', 'always'], {
      homeFiles: {'.gemini/settings.json': '{"tools": {"sandboxAllowedHosts": ["one.example"]}}'},
    });
    await using _ = kernel;
    for (const __ of [1, 2]) expect(await output(kernel, `node ask.js http://${host}/`)).toBe('Output: 200 reached');
    expect(forms).toHaveLength(1);
    expect(await output(kernel, 'node ask.js http://two.invalid:81/')).toMatch(/two\.invalid:81 was not reached: .*E/);
    expect(settingsOf(kernel)).toEqual({tools: {sandboxAllowedHosts: ['one.example', 'two.invalid:81']}});
    await output(kernel, 'node ask.js http://two.invalid:81/');
    expect(forms).toHaveLength(2);
  });

  testConfined('is refused by an answer, once for a command, and named in the result [sandbox.questions]', async () => {
    const {kernel, forms} = await open(['no']);
    await using _ = kernel;
    const text = await output(kernel, `node ask.js http://${host}/ http://${host}/`);
    expect(text).toMatch(/403 .*nothing grants this host.*\n403 /);
    expect(text).toContain(`Refused Hosts: ${host} (by the sandbox;`);
    expect(forms).toHaveLength(1);
  });

  testConfined('is refused where no one can answer, with what would grant it [sandbox.questions]', async () => {
    const headless = {confirm: undefined} as unknown as Partial<TestKernelOptions>;
    const {kernel, forms} = await open(['once'], {
      ...headless,
      plugins: ['settings', 'trust', 'workspace', 'secrets', 'policy', 'sandbox', 'shell'].map(pluginRoot),
      homeFiles: {
        '.gemini/policies/mine.toml': '[[rule]]\ncommandPrefix = "node ask.js"\ndecision = "allow"\n',
      },
    });
    await using _ = kernel;
    expect(await output(kernel, 'node ask.js http://packages.example/')).toMatch(
      /Refused Hosts: packages\.example \(.*tools\.sandboxAllowedHosts/,
    );
    expect(forms).toEqual([]);
    // What only looks at files starts without the program that leads to the exit.
    const lone = await kernel.call('run_shell_command', {command: 'cat /proc/2/cmdline'});
    expect(JSON.stringify(lone)).not.toContain('relay.js');
  });

  testConfined(
    'is not asked about where an address is not public, nor host after host [sandbox.questions]',
    async () => {
      const {kernel, forms} = await open([]);
      await using _ = kernel;
      const inner = ['127.0.0.1:1', '169.254.169.254', '10.0.0.1', '[::1]:1'].map((one) => `http://${one}/`);
      expect(await output(kernel, `node ask.js ${inner.join(' ')}`)).not.toContain('200');
      expect(forms).toEqual([]);
      const many = Array.from({length: 60}, (_, index) => `http://h${index}.example/`);
      expect(await output(kernel, `node ask.js ${many.join(' ')}`)).not.toContain('200');
      expect(forms).toHaveLength(5);
    },
  );

  testConfined('is not kept where the settings forbid it, nor asked in plan mode [sandbox.questions]', async () => {
    const values = async (security: object): Promise<readonly unknown[]> => {
      const {kernel, forms} = await open(['no'], {homeFiles: {'.gemini/settings.json': JSON.stringify({security})}});
      await using _ = kernel;
      await output(kernel, 'node ask.js http://packages.example/');
      const [field] = forms[0]?.fields ?? [];
      return field?.kind === 'choice' ? field.options.map(({value}) => value) : [];
    };
    expect(await values({})).toEqual(['once', 'session', 'always', 'no']);
    expect(await values({enablePermanentToolApproval: false})).toEqual(['once', 'session', 'no']);
    expect(await values({disableAlwaysAllow: true})).toEqual(['once', 'no']);
    const {kernel, forms} = await open([], {mode: 'plan'});
    await using _ = kernel;
    expect(await output(kernel, 'echo "[$HTTPS_PROXY]"')).toBe('Output: []');
    expect(forms).toEqual([]);
  });
});

testConfined('the program as it is built reaches its exit and names the host in JSON [sandbox.questions]', async () => {
  const [cwd, home] = ['project', 'home'].map((name) =>
    realpathSync(mkdtempSync(join(tmpdir(), `gemini-${name}-`))),
  ) as [string, string];
  writeFileSync(join(cwd, 'ask.js'), ASK);
  const given = {cwd, home, variables: {GEMINI_SANDBOX: 'true'}};
  const words = ['tools', 'call', '--yes', 'run_shell_command', 'command=node ask.js http://packages.example/'];
  const {stdout} = await runGemini(words, given);
  expect(stdout).toContain('403 gemini: packages.example:80 was not reached: nothing grants this host');
  const json = await runGemini([...words, '--json'], given);
  expect(json.stdout).toMatch(/"refusedHosts": \[\s*"packages\.example"/);
  for (const folder of [cwd, home]) rmSync(folder, {recursive: true});
});

test.each([
  ['Example.COM.', 443, 'example.com'],
  ['example.com', 8443, 'example.com:8443'],
  ['::1', 80, '[::1]'],
  ['::1', 22, '[::1]:22'],
  ['*.example.com', 443, undefined],
  ['a b', 443, undefined],
  ['', 443, undefined],
])('the grant of %s and port %d is %s [sandbox.questions]', (host, port, expected) => {
  expect(grantOf(host, port)).toBe(expected);
});
