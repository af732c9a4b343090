import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect} from '@jest/globals';
import {lackForLxc, LxcContainer} from '../../helpers/lxc-container.js';
import {checkout} from '../../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../../helpers/run-agent.js';
import {isolate} from '../../helpers/run-gemini.js';
import {where} from '../../helpers/where.js';

const lack = lackForLxc();
const testLxc = where(lack === undefined, lack ?? 'lxd');
const LIMIT_MS = 120_000;
let container: LxcContainer;

beforeAll(async () => {
  if (lack === undefined) container = await LxcContainer.start();
}, LIMIT_MS);
afterAll(async () => {
  await (container as LxcContainer | undefined)?.[Symbol.asyncDispose]();
}, LIMIT_MS);

async function open({variables = {}, ...options}: AgentPlaceOptions): Promise<AgentPlace> {
  const own = {...container.variables, GEMINI_SANDBOX: 'lxc', ...variables};
  const place = await openAgentPlace({...options, variables: own});
  await container.leadTo(place.server.url);
  return place;
}

const devices = async (): Promise<readonly string[]> =>
  (await container.lxc('config', 'device', 'list', container.name))
    .split('\n')
    .filter((name) => name.startsWith('gemini-'))
    .sort();

/** Lists the programs of gemini that run inside. */
const LIST = `
  const {readdirSync, readFileSync} = require('fs');
  const words = (pid) => { try { return readFileSync('/proc/' + pid + '/cmdline', 'utf8'); } catch { return ''; } };
  console.log(readdirSync('/proc').filter((pid) => /gemini\\.cjs\\0chat/.test(words(pid))).length);`;

const countInside = async (): Promise<number> =>
  Number(await container.lxc('exec', container.name, '--', 'node', '-e', LIST));

const SCRIPT = `
  const {appendFileSync, writeFileSync} = require('fs');
  console.log(process.env.SANDBOX, process.env.GOOGLE_MARK, process.env.HOME);
  writeFileSync('made', 'inside');
  for (const name of ['settings.json', 'policies/a.toml'])
    try { appendFileSync(process.env.HOME + '/.gemini/' + name, ' '); console.log('changed', name); }
    catch { console.log('kept', name); }`;

describe('a conversation in a container of lxc', () => {
  testLxc(
    'is refused where it could not write the workspace, and says what maps the owner [sandbox.lxc]',
    async () => {
      await using place = await open({});
      const {code, stderr} = await place.run(['-m', 'model-a', '-p', 'x']);
      expect({code, stderr}).toEqual({
        code: 44,
        stderr: expect.stringMatching(/cannot write .*\n.*raw\.idmap "both 0 0"/),
      });
      expect(await devices()).toEqual([]);
      await container.mapOwner();
    },
    LIMIT_MS,
  );

  testLxc(
    'runs inside with its folders, its input and its variables, and leaves nothing behind [sandbox.lxc]',
    async () => {
      const script = [callsTools(['run_shell_command', {command: 'node look.js'}]), says('All ', 'done.')];
      const files = {'look.js': SCRIPT, '../home/.gemini/policies/a.toml': '', '../home/.ssh/id_rsa': 'secret'};
      await using place = await open({script, files, variables: {GOOGLE_MARK: "it's\n$HOME"}});
      const own = join(place.home, '.gemini');
      writeFileSync(join(own, 'kept'), '');
      mkdirSync(join(own, 'empty'));
      const before = readdirSync(own);
      const {code, stdout, stderr} = await place.run(['-m', 'model-a', '--yolo', '-o', 'json', '-p', 'do it'], {
        input: 'piped words',
      });
      expect({code, stderr}).toMatchObject({code: 0});
      expect(JSON.parse(stdout)).toMatchObject({response: 'All done.'});
      expect(JSON.stringify(place.server.requests[0]?.body)).toContain('piped words');
      const answer = JSON.stringify(place.server.requests[1]?.body);
      for (const text of ["gemini-sandbox it's\\n$HOME", 'kept settings.json', 'kept policies/a.toml'])
        expect(answer).toContain(text);
      expect(readFileSync(join(place.project, 'made'), 'utf8')).toBe('inside');
      expect(await devices()).toEqual([]);
      expect(readdirSync(own)).toEqual(expect.arrayContaining(before));
      expect(await container.lxc('exec', container.name, '--', 'ls', '/tmp')).not.toContain('gemini-variables');
    },
    LIMIT_MS,
  );

  testLxc(
    'is shared by sessions; the last one that ends removes what they had [sandbox.lxc]',
    async () => {
      await using place = await open({script: [{stall: 'headers'}, says('second'), {stall: 'headers'}, says('third')]});
      const variables = {
        ...{...container.variables, GEMINI_SANDBOX: 'lxc', GEMINI_API_KEY: 'a-secret-key'},
        GOOGLE_GEMINI_BASE_URL: place.server.url,
      };
      const start = () =>
        spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), '-m', 'model-a', '-p', 'x'], {
          ...{cwd: place.project, env: isolate(place.home, variables), stdio: 'ignore'},
        });
      const first = start();
      await place.server.arrived(1);
      expect(spawnSync('ps', ['-ewwo', 'args'], {encoding: 'utf8'}).stdout).not.toContain('a-secret-key');
      expect(await countInside()).toBe(1);
      const during = [...(await devices())];
      expect(during.length).toBeGreaterThan(2);
      const second = await place.run(['-m', 'model-a', '-p', 'x']);
      expect(second).toMatchObject({code: 0, stdout: 'second\n'});
      expect(await devices()).toEqual(expect.arrayContaining(during));
      first.kill('SIGTERM');
      await once(first, 'exit');
      expect({inside: await countInside(), devices: await devices()}).toEqual({inside: 0, devices: []});
      const killed = start();
      await place.server.arrived(3);
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      expect({inside: await countInside(), devices: (await devices()).length > 2}).toEqual({inside: 0, devices: true});
      expect((await place.run(['-m', 'model-a', '-p', 'x'])).stdout).toBe('third\n');
      expect(await devices()).toEqual([]);
      expect(existsSync(join(place.home, '.gemini', 'settings.json'))).toBe(true);
    },
    LIMIT_MS,
  );
});
