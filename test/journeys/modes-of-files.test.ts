import {spawn} from 'node:child_process';
import {chmodSync, readdirSync, rmSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';

/** What the host keeps for its starts, and lends to plugins; and what npm keeps. */
const HOST =
  /^(\.npm\/|\.cache\/gemini\/.*\.cache$|\.local\/share\/gemini\/(node_modules|catalog|commands|trees|seen)\b)/;

interface Found {
  readonly path: string;
  readonly mode: string;
}

function walk(root: string, folder = root): readonly Found[] {
  return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const path = join(folder, entry.name);
    const found = {path: relative(root, path), mode: (statSync(path).mode & 0o7777).toString(8)};
    return entry.isDirectory() ? [{...found, path: `${found.path}/`}, ...walk(root, path)] : [found];
  });
}

const isUnix = process.platform !== 'win32';

(isUnix ? test : test.failing).each(['000', '022', '077'])(
  "everything of the person's is theirs alone under the umask %s [files.private]",
  async (umask) => {
    await using place = await openAgentPlace({
      script: [callsTools(['write_file', {file_path: 'a.txt', content: 'one'}]), says('Done.')],
    });
    rmSync(join(place.home, '.gemini'), {recursive: true});
    chmodSync(place.home, 0o755);
    const variables = {GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: place.server.url};
    const run = (...argv: readonly string[]): Promise<number | null> =>
      new Promise((resolve) => {
        const words = [
          '-c',
          `umask ${umask}; exec "$@"`,
          'sh',
          process.execPath,
          join(checkout, 'bin', 'gemini.cjs'),
          ...argv,
        ];
        spawn('sh', words, {cwd: place.project, env: isolate(place.home, variables), stdio: 'ignore'}).on(
          'close',
          resolve,
        );
      });
    expect(await run('-p', 'write', '--approval-mode', 'auto_edit')).toBe(0);
    for (const argv of [
      ['settings', 'set', 'ui.theme', 'x', '--scope', 'user'],
      ['trust', 'add', '.'],
      ['tools', 'call', 'read_file', 'file_path=a.txt', '--yes'],
      ['plugins', 'create', 'words'],
      ['plugins', 'link', 'words', '--yes'],
    ])
      await run(...argv);
    const found = walk(place.home).filter(({path}) => !HOST.test(path));
    const names = [
      '.gemini/',
      '.gemini/settings.json',
      '.gemini/trustedFolders.json',
      '.gemini/projects.json',
      '.cache/gemini/calls.jsonl',
    ];
    expect(names.filter((name) => !found.some(({path}) => path === name))).toEqual([]);
    expect(found.filter(({path, mode}) => mode !== (path.endsWith('/') ? '700' : '600'))).toEqual([]);
  },
);
