import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {canBeManaged, makeManagedMachine} from '../helpers/run-managed.js';
import {readSteps} from './markdown-steps.js';
import {follow, makeNewcomer} from './newcomer.js';

const page = join(checkout, 'docs', 'enterprise.md');

/** What comes after the page's own lines, to see what they did. */
const AFTERWARDS = `
ls /etc/gemini-cli/plugins.d
gemini tools call count_words --approval-mode yolo
printf '{' > /etc/gemini-cli/plugins.d/20-broken.json
gemini tools list > listed 2>&1; echo "ended with $?"
gemini bundle status > listed 2>&1; echo "ended with $?"
rm /etc/gemini-cli/plugins.d/20-broken.json
gemini bundle remove corp --system
ls /etc/gemini-cli/plugins.d
`;

test('a platform team that does what docs/enterprise.md says sees what it shows, and so does an administrator', async () => {
  await using team = await makeNewcomer();
  expect(await follow(team, await readSteps(page))).toEqual({files: 9, commands: 22});
  if (!canBeManaged) return;
  await using folder = await makeFolder();
  const machine = await makeManagedMachine(folder.path);
  const home = join(folder.path, 'home');
  await mkdir(home);
  const [, script = ''] = /```sh\n([^]*?)```/.exec(await readFile(page, 'utf8')) ?? [];
  const known =
    `exec 2>&1; sudo() { "$@"; }; gemini() { "${process.execPath}" "${join(checkout, 'bin', 'gemini.cjs')}" "$@"; ` +
    `}\n`;
  const {code, stdout} = await machine.run(['-c', `${known}${script}${AFTERWARDS}`], {
    cwd: team.folder,
    home,
    program: 'sh',
  });
  const rules = ['10-signers.json', '50-bundle-corp.json'];
  const shown = [
    'Applied corp, serial 2, for all users.\n',
    "Administrator's rules:\n",
    ...rules.map((name) => `  /etc/gemini-cli/plugins.d/${name}\n`),
    '  bundles must be signed by corp-2026\n',
    ...rules.map((name) => `${name}\n`),
    'three words\n',
    'ended with 52\n',
    'ended with 1\n',
    'Removed the bundle corp. Its serial stays remembered.\n10-signers.json\n',
  ];
  let at = 0;
  const missing = shown.filter((text) => {
    const found = stdout.indexOf(text, at);
    if (found >= 0) at = found + text.length;
    return found < 0;
  });
  expect({code, missing, output: stdout}).toEqual({code: 0, missing: [], output: stdout});
}, 180_000);
