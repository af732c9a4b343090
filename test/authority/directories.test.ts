import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../helpers/run-gemini.js';
import {isClosed} from '#plugins/workspace/dist/joining.js';

interface Desk extends Folder {
  readonly home: string;
  readonly outside: string;
  gemini(...argv: readonly string[]): Promise<RunResult>;
}

/** A trusted project whose settings ask for a folder beside it. */
async function sitDown(
  directories: readonly string[] = ['../outside', 'inside'],
  own: readonly string[] = [],
): Promise<Desk> {
  const folder = await makeFolder();
  const [home, project, outside] = [
    join(folder.path, 'home'),
    join(folder.path, 'project'),
    join(folder.path, 'outside'),
  ];
  for (const path of [
    join(home, '.gemini'),
    join(home, '.ssh'),
    join(project, '.gemini'),
    join(project, 'inside'),
    outside,
  ])
    await mkdir(path, {recursive: true});
  await writeFile(join(outside, 'a.txt'), 'a\n');
  await writeFile(
    join(project, '.gemini', 'settings.json'),
    JSON.stringify({context: {includeDirectories: directories}}),
  );
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({context: {includeDirectories: own}}));
  return {...folder, home, outside, gemini: (...argv) => runGemini(argv, {cwd: project, home})};
}

const READ = ['tools', 'call', 'read_file', 'file_path=../outside/a.txt', '--yes'];
const pathsOf = ({stdout}: RunResult): unknown => {
  const {directories, pending} = JSON.parse(stdout) as {
    directories: {path: string}[];
    pending: {path: string; wantedBy: string}[];
  };
  return {
    directories: directories.map(({path}) => path.split('/').at(-1)),
    pending: pending.map(({path, wantedBy}) => [path.split('/').at(-1), wantedBy]),
  };
};

describe('a directory outside that a trusted project asks for', () => {
  test('is left out and named, and joins once a person adds it [authority.directories]', async () => {
    await using desk = await sitDown();
    const before = await desk.gemini(...READ);
    expect({code: before.code, stderr: before.stderr}).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        `The project's settings ask for ${desk.outside}, outside the project: left out. To add it, run: ` +
          `gemini directory add "${desk.outside}"`,
      ),
    });
    expect(pathsOf(await desk.gemini('directory', 'show', '--json'))).toEqual({
      directories: ['project', 'inside'],
      pending: [['outside', 'project']],
    });
    expect((await desk.gemini('directory', 'show')).stdout).toContain('Not included until you add it');
    expect(await desk.gemini('directory', 'add', '../outside')).toMatchObject({code: 0});
    expect(await desk.gemini(...READ)).toEqual({code: 0, stdout: 'a\n', stderr: ''});
    expect(JSON.parse(await readFile(join(desk.home, '.gemini', 'includedDirectories.json'), 'utf8'))).toEqual({
      [join(desk.outside, '..', 'project')]: [desk.outside],
    });
  });

  test('is agreed to for that project and that path alone [authority.directories]', async () => {
    await using desk = await sitDown(['../outside', '../other']);
    await mkdir(join(desk.path, 'other'));
    await desk.gemini('directory', 'add', '../outside');
    expect(pathsOf(await desk.gemini('directory', 'show', '--json'))).toEqual({
      directories: ['project', 'outside'],
      pending: [['other', 'project']],
    });
    const second = join(desk.path, 'second');
    await mkdir(join(second, '.gemini'), {recursive: true});
    await writeFile(
      join(second, '.gemini', 'settings.json'),
      JSON.stringify({context: {includeDirectories: ['../outside']}}),
    );
    expect(pathsOf(await runGemini(['directory', 'show', '--json'], {cwd: second, home: desk.home}))).toEqual({
      directories: ['second'],
      pending: [['outside', 'project']],
    });
  });

  test('is that of its real path: a link inside that leads out is outside [authority.directories]', async () => {
    await using desk = await sitDown(['link']);
    await symlink(desk.outside, join(desk.path, 'project', 'link'));
    expect(pathsOf(await desk.gemini('directory', 'show', '--json'))).toEqual({
      directories: ['project'],
      pending: [['outside', 'project']],
    });
  });

  test('needs no question when the person names it, by settings or by the flag [authority.directories]', async () => {
    await using desk = await sitDown([], ['../outside']);
    expect(await desk.gemini(...READ)).toMatchObject({code: 0, stderr: ''});
    await using other = await sitDown();
    expect(await other.gemini(...READ, '--include-directories', '../outside')).toMatchObject({code: 0, stderr: ''});
  });

  test('is not agreed to by what the project writes [authority.directories]', async () => {
    await using desk = await sitDown();
    await writeFile(
      join(desk.path, 'project', '.gemini', 'includedDirectories.json'),
      JSON.stringify({[join(desk.path, 'project')]: [desk.outside]}),
    );
    expect((await desk.gemini(...READ)).code).toBe(1);
  });
});

test.each([
  ['/home/me/.ssh', true],
  ['/home/me/.ssh/keys', true],
  ['/home/me', true],
  ['/home', true],
  ['/', true],
  ['/home/me/.gnupg', true],
  ['/home/me/.aws', true],
  ['/home/me/.gemini/tmp', true],
  ['/home/me/.config/gcloud', true],
  ['/etc', true],
  ['/etc/ssl', true],
  ['/root/.ssh', true],
  ['/usr/local', true],
  ['/var/lib/x', true],
  ['/proc', true],
  ['/home/me/work', false],
  ['/home/other/work', false],
  ['/tmp/x', false],
  ['/srv/x', false],
  ['/opt/x', false],
])('%s is closed to what a file or an editor names: %s [authority.directories]', (path, expected) => {
  expect(isClosed(path, {home: '/home/me', platform: 'linux'})).toBe(expected);
});

test('the home of root is not closed to root as a folder of the system [authority.directories]', () => {
  expect([
    isClosed('/root/work', {home: '/root', platform: 'linux'}),
    isClosed('/root/.ssh', {home: '/root', platform: 'linux'}),
    isClosed('/root', {home: '/root', platform: 'linux'}),
    dirname('/root'),
  ]).toEqual([false, true, true, '/']);
});
