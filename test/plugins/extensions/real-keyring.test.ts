import {execFile, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect} from '@jest/globals';
import {isolate} from '../../helpers/run-gemini.js';
import {where} from '../../helpers/where.js';
import {checkout, extension, makeFolder, shared, writeFiles} from './scene.js';

const PROGRAMS = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'];
const isThere = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const withKeyring = where(PROGRAMS.every(isThere), 'dbus-run-session, gnome-keyring-daemon and secret-tool');
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const settings = [{name: 'Token', envVar: 'TOKEN', sensitive: true}];

/** Keeps one secret of each extension, as a person of this program and as Gemini CLI does, and shows what is known. */
const script = (theirs: string): string => `
set -e
printf 'password\\n' | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
keyring=$!
trap 'kill $keyring' EXIT
until printf x | secret-tool store --label=ready ready yes 2>/dev/null; do sleep 0.1; done
gemini() { "$NODE" "$PROGRAM" "$@"; }
printf 'of theirs' | secret-tool store --label=theirs service '${theirs}' account __secret__TOKEN
gemini extensions install ./ours --consent >/dev/null 2>&1
printf 'of ours\\n' | gemini extensions config ours TOKEN
gemini extensions config ours --json </dev/null
gemini extensions config theirs HOST --value host
secret-tool lookup service gemini-mcp | wc -c
`;

withKeyring('a keyring of the system keeps the key, and has what Gemini CLI keeps [extensions.keychain]', async () => {
  await using place = await makeFolder();
  const home = join(place.path, 'home');
  await writeFiles(join(place.path, 'ours'), extension({name: 'ours', settings}));
  const both = [...settings, {name: 'Host', envVar: 'HOST'}];
  await writeFiles(home, shared('theirs', extension({name: 'theirs', settings: both})));
  const file = join(place.path, 'script.sh');
  // Nothing says where the extension is from: Gemini CLI names it by its own name then.
  await writeFile(file, script(`Gemini CLI Extensions theirs ${digest('theirs')}`));
  await chmod(file, 0o700);
  const {stdout} = await promisify(execFile)('dbus-run-session', ['--', 'bash', file], {
    cwd: place.path,
    env: isolate(home, {
      NODE: process.execPath,
      PROGRAM: join(checkout, 'bin', 'gemini.cjs'),
      XDG_RUNTIME_DIR: place.path,
      XDG_DATA_HOME: join(home, '.local', 'share'),
    }),
    timeout: 25_000,
  });
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toBe('Token (TOKEN): set');
  expect(lines.slice(-3, -1)).toEqual(['Token (TOKEN): set', 'Host (HOST): host']);
  // The key is in the keyring and nowhere else.
  expect(Number(lines.at(-1))).toBeGreaterThan(40);
  const sealed = await readFile(join(home, '.gemini', 'extension-secrets.json'), 'utf8');
  expect(JSON.parse(sealed)).toMatchObject({version: 1, key: 'keychain'});
  expect(sealed).not.toContain('of ours');
});
