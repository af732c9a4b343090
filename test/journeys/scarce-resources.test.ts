import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';
import {canBeManaged} from '../helpers/run-managed.js';

/** Where a test may mount a small disk of its own. */
const withMounts = canBeManaged ? test : test.failing;
const onLinux = process.platform === 'linux' ? test : test.failing;
const gemini = `"${process.execPath}" "${join(checkout, 'bin', 'gemini.cjs')}"`;

interface Shell {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runShell(place: AgentPlace, program: string, words: readonly string[]): Promise<Shell> {
  const variables = {
    GEMINI_API_KEY: 'key',
    GOOGLE_GEMINI_BASE_URL: place.server.url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  };
  return new Promise((resolve) => {
    const child = execFile(
      program,
      words,
      {cwd: place.project, env: isolate(place.home, variables), timeout: 25_000},
      (_, stdout, stderr) => resolve({code: child.exitCode, stdout, stderr}),
    );
  });
}

const acts: readonly (readonly [string, string, string])[] = [
  ['settings', 'settings set ui.theme dark --scope user', '.gemini/settings.json'],
  ['trust', 'trust add .', '.gemini/trustedFolders.json'],
];

withMounts.each(acts)(
  'a disk without room for %s: it is said, the file before stays whole, and nothing is left beside it ' +
    '[files.full-disk]',
  async (_, act, file) => {
    await using place = await openAgentPlace({script: [says('Fine.')]});
    const lines = [
      'mount -t tmpfs -o size=256k none "$HOME"',
      'mkdir -m 700 "$HOME/.gemini"',
      `${gemini} -p first >/dev/null`,
      `${gemini} ${act} >/dev/null`,
      `cp "$HOME/${file}" /tmp/before.$$`,
      // Every page but the last few is taken; then one more is free each time.
      'dd if=/dev/zero of="$HOME/fill" bs=4096 2>/dev/null',
      `for free in 0 1 2 3; do`,
      `  ${gemini} ${act.replace('dark', 'light')} >"/tmp/out.$$" 2>&1; echo "code $?"; grep -c "no space\\|disk ` +
        'is full" "/tmp/out.$$"',
      `  cmp -s "$HOME/${file}" /tmp/before.$$ && echo same || node -e ` +
        `'JSON.parse(require("fs").readFileSync(process.argv[1]))' "$HOME/${file}"`,
      `  find "$HOME" -name '*.lock*' -o -name '*.tmp' -o -name '*.break*'`,
      '  size=$(stat -c %s "$HOME/fill"); truncate -s $((size - 4096)) "$HOME/fill"',
      'done',
      'rm "$HOME/fill"',
      `${gemini} ${act} >/dev/null; echo "code $?"; rm -f /tmp/before.$$ /tmp/out.$$`,
    ];
    const {stdout, stderr} = await runShell(place, 'unshare', [
      '--mount',
      '--map-root-user',
      'sh',
      '-c',
      lines.join('\n'),
    ]);
    const words = stdout.trim().split('\n');
    // Without any room it fails and says why; with some it works, whichever page is the one that it needs.
    expect({
      stderr,
      first: words.slice(0, 3),
      last: words.at(-1),
      odd: words.filter((word) => !/^(code [01]|[01]|same)$/.test(word)),
    }).toEqual({stderr: '', first: ['code 1', '1', 'same'], last: 'code 0', odd: []});
  },
);

withMounts('a conversation continues where nothing can be recorded, which is said once [files.full-disk]', async () => {
  await using place = await openAgentPlace({script: [says('Fine.'), says('Fine.')]});
  const lines = [
    'mount -t tmpfs -o size=128k none "$HOME"',
    'mkdir -m 700 "$HOME/.gemini"',
    'dd if=/dev/zero of="$HOME/fill" bs=4096 2>/dev/null',
    `${gemini} -p first`,
    'echo "code $?"',
    'find "$HOME" -name "*.lock*" -o -name "*.tmp"',
  ];
  const {stdout, stderr} = await runShell(place, 'unshare', [
    '--mount',
    '--map-root-user',
    'sh',
    '-c',
    lines.join('\n'),
  ]);
  expect({stdout, said: stderr.match(/(is not recorded|is no longer being recorded)/g)?.length}).toEqual({
    stdout: 'Fine.\ncode 0\n',
    said: 1,
  });
});

onLinux(
  'with any bound on its memory the program works or ends, and no settings are torn [files.full-disk]',
  async () => {
    await using place = await openAgentPlace();
    const file = join(place.home, '.gemini', 'settings.json');
    mkdirSync(join(place.home, '.gemini'), {recursive: true});
    writeFileSync(file, '{"ui": {"theme": "before"}}');
    for (let kib = 900_000; kib <= 1_150_000; kib += 25_000) {
      const {code} = await runShell(place, 'sh', [
        '-c',
        `ulimit -v ${kib}; exec ${gemini} settings set ui.theme ${kib} --scope user`,
      ]);
      const theme = (JSON.parse(readFileSync(file, 'utf8')) as {ui: {theme: string}}).ui.theme;
      if (code === 0) expect(theme).toBe(String(kib));
    }
    expect((await runShell(place, 'sh', ['-c', `exec ${gemini} settings set ui.theme after --scope user`])).code).toBe(
      0,
    );
    expect([readdirSync(join(place.home, '.gemini')).sort(), existsSync(`${file}.lock`)]).toEqual([
      ['settings.json'],
      false,
    ]);
  },
);
