import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import {existsSync, readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {findContainerImage} from '../../helpers/container-image.js';
import {checkout} from '../../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';
import {isolate} from '../../helpers/run-gemini.js';
import {CTRL_D, GeminiSitting, PROMPT} from '../../helpers/sit-at-gemini.js';
import {where} from '../../helpers/where.js';

const image = findContainerImage();
const testContainer = where(image !== undefined, 'podman that runs containers');

/** The scripted model listens on this machine. */
const inPodman = {
  ...image?.variables,
  GEMINI_SANDBOX: 'podman',
  GEMINI_SANDBOX_IMAGE: image?.name ?? '',
  SANDBOX_FLAGS: '--network host',
};

/** A program in PATH that notes how it was started, and ends with 7. */
async function withRecorder(place: AgentPlace, name: string, more = ''): Promise<Readonly<Record<string, string>>> {
  const folder = join(place.home, 'engines');
  await mkdir(folder, {recursive: true});
  const note = `printf '%s\\n' "$@" > '${folder}/words'; [ -t 0 ] && touch '${folder}/terminal'`;
  await writeFile(join(folder, name), `#!/bin/sh\n${more}\n${note}\ncat > '${folder}/input'\nexit 7\n`, {mode: 0o755});
  return {PATH: `${folder}:${process.env['PATH'] ?? ''}`, GEMINI_SANDBOX: name, GEMINI_SANDBOX_IMAGE: 'node:22'};
}

const wordsOf = (place: AgentPlace): string[] =>
  readFileSync(join(place.home, 'engines', 'words'), 'utf8')
    .split('\n')
    .slice(0, -1);
/** The values of an option. */
const valuesOf = (words: readonly string[], option: string): string[] =>
  words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));

describe('a conversation in a container', () => {
  testContainer(
    'runs inside, with its tools, its input and its output [sandbox.enclosed]',
    async () => {
      const command = 'echo "$SANDBOX"; ls -a /run/.containerenv "$HOME/.ssh"; touch made; id -u';
      const script = [callsTools(['run_shell_command', {command}]), says('All ', 'done.')];
      const files = {'../home/.ssh/id_rsa': 'secret', 'a.txt': 'hello'};
      await using place = await openAgentPlace({script, files, variables: inPodman});
      const {code, stdout, stderr} = await place.run(['-m', 'model-a', '--yolo', '-o', 'json', '-p', 'do it'], {
        input: 'piped words',
      });
      expect({code, stderr}).toMatchObject({code: 0});
      expect(JSON.parse(stdout)).toMatchObject({response: 'All done.'});
      const [first, second] = place.server.requests.map(({body}) => JSON.stringify(body));
      expect(first).toContain('piped words');
      expect(second).toMatch(/gemini-test-v[\d.]+-[0-9a-f]{12}/);
      expect(second).toContain('/run/.containerenv');
      expect(second).not.toContain('id_rsa');
      expect(existsSync(join(place.project, 'made'))).toBe(true);
      expect(execFileSync('podman', ['ps', '-a', '--format', '{{.Names}}'], {encoding: 'utf8'})).not.toContain(
        'gemini-test',
      );
    },
    60_000,
  );

  testContainer(
    'has its exit code, and its errors in the format that was asked for [sandbox.enclosed]',
    async () => {
      const script = [1, 2].map(() => ({refusal: {status: 401, message: 'no'}}));
      await using place = await openAgentPlace({script, variables: inPodman});
      const inside = await place.run(['-m', 'model-a', '-o', 'json', '-p', 'x']);
      const outside = await place.run(['-m', 'model-a', '-o', 'json', '-p', 'x'], {
        variables: {GEMINI_SANDBOX: 'false'},
      });
      expect({code: inside.code, error: JSON.parse(inside.stdout).error.code}).toEqual({
        code: outside.code,
        error: JSON.parse(outside.stdout).error.code,
      });
    },
    60_000,
  );

  testContainer(
    'has the terminal [sandbox.enclosed]',
    async () => {
      await using place = await openAgentPlace({script: [says('Hello from inside.')], variables: inPodman});
      const sitting = await GeminiSitting.begin(place, {variables: inPodman});
      await sitting.go([PROMPT, 'hello\r'], ['Hello from inside.', ''], [PROMPT, CTRL_D]);
      expect((await sitting.end()).isRestored).toBe(true);
    },
    60_000,
  );

  testContainer(
    'ends with a signal that gemini gets [sandbox.enclosed]',
    async () => {
      await using place = await openAgentPlace({script: [{stall: 'headers'}], variables: inPodman});
      const variables = {...inPodman, GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: place.server.url};
      const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), '-m', 'model-a', '-p', 'x'], {
        cwd: place.project,
        env: isolate(place.home, variables),
        stdio: 'ignore',
      });
      await place.server.arrived(1);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([143, null]);
    },
    60_000,
  );

  testContainer(
    'cannot change what decides about later starts [sandbox.enclosed]',
    async () => {
      const change = `
        for (const name of ['settings.json', 'policies/a.toml', 'b'])
          try { require('fs').appendFileSync(process.env.HOME + '/.gemini/' + name, ''); }
          catch { console.log('no ' + name); }`;
      const script = [callsTools(['run_shell_command', {command: 'node change.js'}]), says('done')];
      const files = {'../home/.gemini/policies/a.toml': '', 'change.js': change};
      await using place = await openAgentPlace({script, files, variables: inPodman});
      await place.run(['-m', 'model-a', '--yolo', '-p', 'do it']);
      const answer = JSON.stringify(place.server.requests[1]?.body);
      expect(/no settings\.json\\+nno policies\/a\.toml/.test(answer)).toBe(true);
      expect(existsSync(join(place.home, '.gemini', 'b'))).toBe(true);
    },
    60_000,
  );
});

type Variables = Readonly<Record<string, string>>;

/** What a container that exists cannot be asked for, and what is wrong with one. */
function lxcCases(given: Variables): readonly (readonly [Variables, string])[] {
  const lxc = {...given, GEMINI_SANDBOX_IMAGE: ''};
  return [
    [lxc, 'lxc has no container gemini-sandbox.'],
    [{...lxc, GEMINI_SANDBOX_IMAGE: 'stopped'}, 'The container stopped does not run: Stopped.'],
    [{...lxc, GEMINI_SANDBOX_IMAGE: '--help'}, '"--help", which is not the name of a container'],
    [{...lxc, SANDBOX_FLAGS: '-q'}, 'SANDBOX_FLAGS is set, and lxc runs in a container that is made already.'],
    [{...lxc, SANDBOX_PORTS: '80'}, 'SANDBOX_PORTS is set'],
    [{...lxc, BUILD_SANDBOX: '1'}, 'BUILD_SANDBOX is set'],
    [{...lxc, GEMINI_SANDBOX_PROXY_COMMAND: 'x'}, 'GEMINI_SANDBOX_PROXY_COMMAND is set'],
  ];
}

describe('what docker is started with', () => {
  test('the words, the workspace, the variables by name, and what the person adds [sandbox.enclosed]', async () => {
    await using place = await openAgentPlace({files: {'../other/a': '', 'venv/bin/python': ''}});
    const other = join(place.project, '..', 'other');
    const variables = {
      ...(await withRecorder(place, 'docker')),
      SANDBOX_FLAGS: '--memory 4g --label "a b"',
      SANDBOX_MOUNTS: `${other}, ${other}:/other:rw`,
      SANDBOX_ENV: 'A=b c,D=',
      SANDBOX_PORTS: '3000, 4000',
      SANDBOX_SET_UID_GID: '0',
      GEMINI_API_KEY: 'secret-key',
      AWS_SECRET_ACCESS_KEY: 'other-secret',
      VIRTUAL_ENV: join(place.project, 'venv'),
    };
    const {code, stderr} = await place.run(['-p', 'two words', '--yolo'], {variables, input: 'in'});
    expect({code, stderr}).toEqual({code: 7, stderr: ''});
    const words = wordsOf(place);
    expect(words.slice(0, 8)).toEqual(['run', '-i', '--rm', '--init', '--workdir', place.project, '--entrypoint', '']);
    const from = words.indexOf('node:22');
    expect(words.slice(from - 4)).toEqual([
      ...['--memory', '4g', '--label', 'a b', 'node:22', 'node', join(checkout, 'bin', 'gemini.cjs')],
      ...['chat', '-p', 'two words', '--yolo'],
    ]);
    const program = checkout.replace(/\/$/, '');
    expect(valuesOf(words, '--volume')).toEqual(
      expect.arrayContaining([
        `${place.project}:${place.project}:rw`,
        `${place.home}/.gemini:${place.home}/.gemini:rw`,
        `${place.home}/.gemini/settings.json:${place.home}/.gemini/settings.json:ro`,
        `${program}:${program}:ro`,
        `${other}:${other}:ro`,
        `${other}:/other:rw`,
        `${place.project}/.gemini/sandbox.venv:${place.project}/venv:rw`,
      ]),
    );
    expect(valuesOf(words, '--publish')).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:4000:4000']);
    const given = valuesOf(words, '--env');
    expect(given).toEqual(expect.arrayContaining(['GEMINI_API_KEY', 'A=b c', 'D=', 'GEMINI_SANDBOX=docker']));
    expect(words.join('\n')).not.toMatch(/secret-key|AWS_SECRET|GEMINI_SANDBOX_IMAGE/);
    expect(words).not.toContain('-t');
    expect(readFileSync(join(place.home, 'engines', 'input'), 'utf8')).toBe('in');
  });

  test('gVisor by docker, and a network without a way out [sandbox.enclosed]', async () => {
    const settings = {tools: {sandbox: {enabled: true, command: 'runsc', image: 'mine', networkAccess: false}}};
    await using place = await openAgentPlace({settings});
    const networks = `case $1 in network) echo "$@" >> '${place.home}/networks'; [ $2 = create ]; exit;; esac`;
    const {PATH} = await withRecorder(place, 'docker', networks);
    await withRecorder(place, 'runsc');
    const {code} = await place.run(['-p', 'x'], {variables: {PATH: PATH ?? ''}});
    expect(code).toBe(7);
    expect(wordsOf(place)).toContain('--runtime=runsc');
    expect(wordsOf(place)).toContain('mine');
    expect(valuesOf(wordsOf(place), '--network')).toEqual(['gemini-cli-sandbox']);
    expect(readFileSync(join(place.home, 'networks'), 'utf8')).toBe(
      'network inspect gemini-cli-sandbox\nnetwork create --internal gemini-cli-sandbox\n',
    );
  });

  test('a proxy of its own is the only way out, and ends with it [sandbox.enclosed]', async () => {
    await using place = await openAgentPlace();
    const listening = createServer().listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const {port} = listening.address() as AddressInfo;
    const engine = (proxy: string): string => `
      echo "$1 $2 $3 $4" >> '${place.home}/log'
      case "$1 $2" in 'network inspect') exit 1;; network*|rm*) exit;; esac
      [ $1 = port ] && echo '8877/tcp -> 127.0.0.1:${port}' && exit
      case "$*" in *'node:22 my-proxy --all') ${proxy};; esac`;
    const variables = {
      ...(await withRecorder(place, 'docker', engine('exec sleep 60'))),
      GEMINI_SANDBOX_PROXY_COMMAND: 'my-proxy --all',
    };
    expect((await place.run(['-p', 'x'], {variables})).code).toBe(7);
    const [url = ''] = valuesOf(wordsOf(place), '--env').filter((one) => one.startsWith('https_proxy='));
    const [, name = ''] = /^https_proxy=http:\/\/(gemini-cli-sandbox-proxy-[0-9a-f]{12}):8877$/.exec(url) ?? [];
    expect(valuesOf(wordsOf(place), '--network')).toEqual(['gemini-cli-sandbox']);
    const log = readFileSync(join(place.home, 'log'), 'utf8').trim().split('\n');
    expect(log).toContain(`network connect gemini-cli-sandbox ${name}`);
    expect(log.at(-1)?.trim()).toBe(`rm -f ${name}`);
    const broken = {...variables, ...(await withRecorder(place, 'docker', engine('echo no such image >&2; exit 3')))};
    listening.close();
    const {code, stderr} = await place.run(['-p', 'x'], {variables: broken});
    expect({code, stderr}).toEqual({code: 44, stderr: expect.stringMatching(/proxy .* ended with 3\. no such image/)});
  }, 60_000);

  test('an image is built of the file of a trusted project when that is asked for [sandbox.enclosed]', async () => {
    await using place = await openAgentPlace({files: {'.gemini/sandbox.Dockerfile': 'FROM node:22\n'}});
    const built = `case $1 in build) echo "$@" > '${place.home}/built'; exit;; esac`;
    const variables = {...(await withRecorder(place, 'docker', built)), BUILD_SANDBOX: '1'};
    expect((await place.run(['-p', 'x'], {variables})).code).toBe(7);
    expect(readFileSync(join(place.home, 'built'), 'utf8')).toBe(
      `build -f ${place.project}/.gemini/sandbox.Dockerfile -t node:22 ${place.project}\n`,
    );
    const untrusted = {...variables, GEMINI_CLI_TRUST_WORKSPACE: 'false'};
    const {code, stderr} = await place.run(['-p', 'x'], {variables: untrusted});
    expect({code, stderr}).toEqual({code: 44, stderr: expect.stringContaining('is not trusted')});
  });

  test('nothing starts when it cannot be as it is asked for [sandbox.unavailable]', async () => {
    await using place = await openAgentPlace({settings: {tools: {sandbox: 'podman'}}});
    const docker = await withRecorder(place, 'docker');
    const list = `case "$1 $2" in *stopped*) echo '[{"name":"stopped","status":"Stopped"}]';; *) echo '[]';; esac; exit`;
    const lxc = await withRecorder(place, 'lxc', list);
    const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [{...docker, GEMINI_SANDBOX_IMAGE: ''}, 'no image is named'],
      [{...docker, GEMINI_SANDBOX_IMAGE: '--privileged'}, 'not a valid name'],
      [{...docker, SANDBOX_MOUNTS: 'relative'}, '"relative" is not absolute'],
      [{...docker, SANDBOX_MOUNTS: '/no/such/folder'}, '/no/such/folder does not exist'],
      [{...docker, SANDBOX_MOUNTS: '/tmp:/tmp:rwx'}, 'cannot be read'],
      [{...docker, SANDBOX_ENV: 'A'}, '"A", which has no value'],
      [{...docker, SANDBOX_PORTS: '80,http'}, '"http", which is not a port'],
      [{...docker, SANDBOX_SET_UID_GID: 'maybe'}, 'SANDBOX_SET_UID_GID is "maybe"'],
      [{...docker, GEMINI_SANDBOX: 'runsc'}, 'The program runsc is not in PATH'],
      [{...docker, GEMINI_SANDBOX: 'windows-native'}, 'does not run in windows-native'],
      ...lxcCases(lxc),
      [{...docker, GEMINI_SANDBOX: 'sandbox-exec'}, 'sandbox-exec works on macOS only'],
      [{...docker, BUILD_SANDBOX: '1'}, 'there is no'],
    ];
    for (const [variables, sentence] of cases) {
      const {code, stderr} = await place.run(['-p', 'x'], {variables});
      expect({sentence, code, stderr}).toEqual({sentence, code: 44, stderr: expect.stringContaining(sentence)});
    }
    const json = await place.run(['-p', 'x', '-o', 'json'], {variables: {...docker, SANDBOX_PORTS: '0'}});
    expect(JSON.parse(json.stdout)).toMatchObject({error: {code: 'SANDBOX_OPTION_INVALID', exit: 44}});
    expect(existsSync(join(place.home, 'engines', 'words'))).toBe(false);
    // What is no conversation has nothing around it.
    const call = await place.run(['tools', 'call', 'run_shell_command', 'command=true', '--yolo'], {variables: docker});
    expect({code: call.code, stderr: call.stderr}).toEqual({
      code: 44,
      stderr: expect.stringContaining('Only a conversation starts in it'),
    });
    const fault = await withRecorder(place, 'docker', 'exit 125');
    expect((await place.run(['-p', 'x'], {variables: fault})).stderr).toContain('could not start the container');
  }, 60_000);

  test('a program of the project is not taken for the engine [sandbox.enclosed]', async () => {
    await using place = await openAgentPlace({files: {'bin/podman': '#!/bin/sh\nexit 0\n'}});
    execFileSync('chmod', ['755', join(place.project, 'bin', 'podman')]);
    const variables = {GEMINI_SANDBOX: 'podman', GEMINI_SANDBOX_IMAGE: 'x', PATH: `${place.project}/bin:bin`};
    const {code, stderr} = await place.run(['-p', 'x'], {variables});
    expect({code, stderr}).toEqual({code: 44, stderr: expect.stringContaining('podman is not in PATH')});
  });
});

describe('gemini inside', () => {
  test('neither asks for another sandbox nor confines each program [sandbox.enclosed]', async () => {
    const script = [callsTools(['run_shell_command', {command: 'echo ran'}]), says('done')];
    await using place = await openAgentPlace({script, settings: {tools: {sandbox: 'docker'}}});
    const variables = {SANDBOX: 'node-1', GEMINI_SANDBOX: 'docker'};
    const {code} = await place.run(['-m', 'model-a', '--yolo', '-p', 'x'], {variables});
    expect(code).toBe(0);
    expect(JSON.stringify(place.server.requests[1]?.body)).toContain('ran');
    const added = await place.run(['directory', 'add', '/none'], {variables});
    expect({code: added.code, stderr: added.stderr}).toEqual({
      code: 42,
      stderr: expect.stringContaining('gemini runs in the container node-1. Start it again with --include-directories'),
    });
    const status = await place.run(['sandbox', 'status', '--json'], {variables});
    expect(JSON.parse(status.stdout)).toMatchObject({isOn: true, provider: 'node-1', isPossible: true});
  });
});
