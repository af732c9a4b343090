import {execFileSync, spawn} from 'node:child_process';
import {chmodSync, chownSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {isolate, type RunResult} from '../helpers/run-gemini.js';

const asRoot = process.getuid?.() === 0 ? test : test.failing;
/** A user with a group of the same number that has no other member, as Debian makes them; and another user. */
const [USER, OTHER] = [33, 1];

interface Home extends Folder {
  readonly home: string;
  readonly project: string;
  put(path: string, text: string, mode?: number): string;
  run(...argv: readonly string[]): Promise<RunResult>;
}

/** A home and a project of USER, in which the program runs as that user. */
async function makeHome(variables: Readonly<Record<string, string>> = {}): Promise<Home> {
  const folder = await makeFolder();
  chmodSync(folder.path, 0o755);
  const [home, project] = [join(folder.path, 'home'), join(folder.path, 'project')];
  const own = (path: string, mode: number): void => {
    chownSync(path, USER, USER);
    chmodSync(path, mode);
  };
  for (const one of [home, project]) {
    mkdirSync(one);
    own(one, 0o755);
  }
  return {
    ...folder,
    home,
    project,
    put(path, text, mode = 0o644) {
      const file = join(folder.path, path);
      if (execFileSync('sh', ['-c', 'test -d "$1" || echo missing', 'sh', dirname(file)]).length > 0) {
        mkdirSync(dirname(file));
        own(dirname(file), 0o755);
      }
      writeFileSync(file, text);
      own(file, mode);
      return file;
    },
    run: (...argv) =>
      new Promise((resolve) => {
        const asUser = [
          '--reuid',
          String(USER),
          '--regid',
          String(USER),
          '--clear-groups',
          process.execPath,
          join(checkout, 'bin', 'gemini.cjs'),
        ];
        const child = spawn('setpriv', [...asUser, ...argv], {
          cwd: project,
          env: isolate(home, variables),
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let [stdout, stderr] = ['', ''];
        child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
        child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
        child.on('close', (code) => resolve({code, stdout, stderr}));
      }),
  };
}

const read = ['tools', 'call', 'read_file', 'file_path=a.txt', '--yes'];
const files = {
  'home/.gemini/settings.json': '{}',
  'home/.gemini/trustedFolders.json': '{}',
  'home/.gemini/policies/a.toml': '[[rule]]\ntoolName = "read_file"\ndecision = "allow"\npriority = 100\n',
};

describe('who else may write what decides', () => {
  asRoot.each([
    ['0755 and 0644', 0o755, 0o644],
    ["0775 and 0664 with a group of one's own", 0o775, 0o664],
    ['0700 and 0600', 0o700, 0o600],
  ])('people whose files have %s are not bothered [files.writers]', async (_, folderMode, mode) => {
    await using home = await makeHome();
    home.put('project/a.txt', 'hello\n');
    for (const [path, text] of Object.entries(files)) home.put(path, text, mode);
    for (const name of ['home/.gemini', 'home/.gemini/policies', 'home']) chmodSync(join(home.path, name), folderMode);
    expect(await home.run(...read)).toEqual({code: 0, stdout: 'hello\n', stderr: ''});
    expect((await home.run('trust', 'list')).code).toBe(0);
  });

  asRoot.each(Object.keys(files))(
    '%s of another user, or written by everyone, is named and not obeyed [files.writers]',
    async (path) => {
      await using home = await makeHome({GEMINI_CLI_TRUST_WORKSPACE: ''});
      home.put('project/a.txt', 'hello\n');
      for (const [one, text] of Object.entries(files)) home.put(one, text);
      const file = join(home.path, path);
      for (const spoil of [
        () => chmodSync(file, 0o666),
        () => [chmodSync(file, 0o644), chownSync(file, OTHER, OTHER)],
      ]) {
        spoil();
        const {stdout, stderr} = await home.run('policy', 'check');
        const {code} = await home.run(...(path.endsWith('.toml') ? ['policy', 'check'] : read));
        expect({isRefused: code !== 0, isNamed: `${stdout}${stderr}`.includes(file)}).toEqual({
          isRefused: true,
          isNamed: true,
        });
      }
    },
  );

  asRoot(
    'variables in a file above the project that another user made are left out and named; those of the project are not',
    async () => {
      await using home = await makeHome();
      const planted = home.put('.env', 'GEMINI_API_KEY=planted\n');
      const models = (): Promise<RunResult> => home.run('models', '--json');
      chownSync(planted, OTHER, OTHER);
      expect((await models()).stderr).toContain(`${planted} is left out: it is owned by another user (${OTHER}).`);
      chownSync(planted, 0, 0);
      expect((await models()).stderr).not.toContain('left out');
      const own = home.put('home/.env', 'GEMINI_API_KEY=own\n', 0o666);
      execFileSync('rm', [planted]);
      expect((await models()).stderr).toContain(
        `${own} is left out: ${own} can be written by everyone. Look at what it says, then run: chmod o-w ${own}`,
      );
    },
  );
});
