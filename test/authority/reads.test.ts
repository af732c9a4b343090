import {mkdir, readFile, realpath, writeFile} from 'node:fs/promises';
import {dirname, join, sep} from 'node:path';
import {expect, test} from '@jest/globals';
import type {Rule} from '@gemini-kernel/plugin-policy/contract';
import {installPlugins} from '../helpers/install-plugins.js';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {runGemini} from '../helpers/run-gemini.js';

const RULE = '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1\n';
const recorder = join(checkout, 'test', 'helpers', 'record-reads.cjs');

/** What the system and Node read of themselves. */
const SYSTEM = /^(?:\/(?:proc|sys|dev|usr|lib\d*|opt|snap)(?:\/|$)|\/etc\/(?!gemini-cli)|\/$)/;
/** Denied for every tool by other rules, wherever they lie. */
const SECRET = /(?:^|[/\\])\.(?:env|npmrc)$/;

const commands: readonly (readonly string[])[] = [
  ['tools', 'call', 'read_file', 'file_path=a.txt'],
  ['tools', 'call', 'run_shell_command', 'command=true', '--yolo'],
  ['settings', 'list'],
  ['policy', 'check'],
  ['trust', 'list'],
  ['plugins', 'list'],
  ['bundle', 'status'],
  ['doctor'],
  ['directory', 'show'],
  ['sessions', 'list'],
  ['models'],
  ['good', 'hello'],
  ['-p', 'hello'],
  ['tools', 'call', 'read_file', 'file_path=a.txt', '--policy', 'ROOT/rules'],
];

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

test(
  'everything that commands read outside the program and the project is on the list of what is asked about ' +
    '[authority.list]',
  async () => {
    await using folder = await makeFolder();
    const root = await realpath(folder.path);
    const [home, project] = [join(root, 'home'), join(root, 'project')];
    const files: Readonly<Record<string, string>> = {
      'home/.gemini/settings.json': '{"adminPolicyPaths": ["~/more.toml"]}',
      'home/.gemini/GEMINI.md': 'Be brief.',
      'home/.gemini/policies/a.toml': RULE,
      'home/.gemini/trustedFolders.json': '{}',
      'home/more.toml': RULE,
      'home/.gemini/.env': 'A=b\n',
      'project/.gemini/settings.json': '{}',
      'project/.gemini/policies/b.toml': RULE,
      'project/.gemini/.env': 'A=b\n',
      'project/GEMINI.md': 'Hello.',
      'project/a.txt': 'a\n',
      'rules/c.toml': RULE,
    };
    await mkdir(home);
    await installPlugins(home, {present: ['good']});
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), {recursive: true});
      await writeFile(join(root, name), text);
    }
    const record = join(root, 'reads.txt');
    for (const argv of commands) {
      await runGemini(
        argv.map((word) => word.replace('ROOT', root)),
        {
          cwd: project,
          home,
          variables: {
            NODE_OPTIONS: `--require ${recorder}`,
            RECORD_READS: record,
            GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
            GEMINI_API_KEY: 'x',
          },
        },
      );
    }
    const {stdout} = await runGemini(['policy', 'list', '--json', '--policy', join(root, 'rules')], {
      cwd: project,
      home,
    });
    const held =
      (JSON.parse(stdout) as {rules: readonly Rule[]}).rules.find(({id}) => id === 'own-places')?.holds ?? [];
    const reads = [...new Set((await readFile(record, 'utf8')).split('\n').filter(Boolean))];
    const ordinary = (path: string): boolean => isBelow(path, project) && !isBelow(path, join(project, '.gemini'));
    const known = (path: string): boolean =>
      isBelow(path, checkout) ||
      isBelow(path, dirname(dirname(process.execPath))) ||
      SYSTEM.test(path) ||
      SECRET.test(path) ||
      ordinary(path) ||
      path === record;
    expect(reads.filter((path) => !known(path) && !held.some((place) => isBelow(path, place)))).toEqual([]);
    // The recorder works, and the places are those of this run.
    expect(reads).toEqual(
      expect.arrayContaining([
        join(home, '.gemini', 'settings.json'),
        join(root, 'rules', 'c.toml'),
        join(home, 'more.toml'),
        join(home, '.gemini', 'GEMINI.md'),
        join(home, '.local', 'share', 'gemini', 'plugins.lock.json'),
      ]),
    );
  },
  90_000,
);
