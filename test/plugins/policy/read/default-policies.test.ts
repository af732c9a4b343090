import {readdir, readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {decide, makeLine} from '../engine/make.js';
import {readRules} from '#plugins/policy/dist/read/read-rules.js';
import {compilePaths} from '#plugins/policy/dist/engine/path-pattern.js';

const folder = dirname(createRequire(import.meta.url).resolve('@gemini-kernel/policies/package.json'));
const names = (await readdir(folder)).filter((name) => name.endsWith('.toml')).sort();
const sets = await Promise.all(
  names.map(async (name) =>
    readRules(await readFile(join(folder, name), 'utf8'), {
      tier: 'default',
      file: name,
      label: `Default: ${name}`,
      knownTools: [],
    }),
  ),
);
const rules = sets.flatMap((set) => set.rules);

test('the files have nothing wrong, and every rule a name of its own', () => {
  const ids = [...new Set(rules.map(({id, source}) => `${id} ${source.label}`))];
  expect({names, problems: sets.flatMap(({problems}) => problems)}).toEqual({
    names: [
      'agents.toml',
      'discovered.toml',
      'plan.toml',
      'read-only.toml',
      'running-files.toml',
      'sandbox.toml',
      'sensitive.toml',
      'shell.toml',
      'write.toml',
      'yolo.toml',
    ],
    problems: [],
  });
  expect([
    ids.filter((id) => id.includes('Default:') && id.startsWith('Default:')),
    new Set(ids.map((id) => id.split(' ')[0])).size,
  ]).toEqual([[], ids.length]);
});

test('nothing but the mode yolo, auto-edit and reading lets a call pass without naming a path or a command', () => {
  const broad = rules
    .filter(({decision, command, path, args}) => decision === 'allow' && !command && !path && args === undefined)
    .map(({id}) => id);
  expect(broad.sort()).toEqual([
    'agents',
    'auto-edit',
    'background-processes',
    'code-edit',
    'exit-plan-mode',
    'inquiry-tools',
    'own-notes',
    'questions',
    'read-tools',
    'yolo',
  ]);
});

test('every refusal of the product says why', () => {
  expect(rules.filter(({decision, message}) => decision === 'deny' && message === undefined)).toEqual([]);
});

/** The rules of sensitive.toml that speak about an effect on a path. */
function sensitiveAbout(path: string, effect: 'read' | 'edit'): string[] {
  const globs = (list: readonly string[]): boolean =>
    compilePaths(list, {ignoreCase: false, home: '/home/me'}).matches({
      value: path,
      root: path.startsWith('/work/') ? '/work' : undefined,
    });
  return rules
    .filter(
      (rule) =>
        rule.sensitive &&
        rule.source.label.includes('sensitive.toml') &&
        rule.path &&
        globs(rule.path) &&
        (rule.effect === undefined || rule.effect.includes(effect)),
    )
    .map(({id, decision}) => `${decision} ${id}`);
}

describe('sensitive is', () => {
  test.each(
    [
      '.env',
      '.env.local',
      '.env.production',
      '.env-prod',
      '.env_test',
      '.envrc',
      'prod.env',
      '.env.example.local',
      '.env.vault',
    ]
      .map((name) => [name, 'env-files'])
      .concat(
        [
          'id_rsa',
          'id_ed25519',
          'id_ecdsa_sk',
          '.ssh/work_key',
          '.gnupg/secring.gpg',
          'server.key',
          'privkey.pem',
          'cert-key.pem',
          'server-key.pem',
          'localhost.pem',
          'a.p12',
          'a.pfx',
          'release.jks',
          'upload.keystore',
          'AuthKey.p8',
          'vault.kdbx',
        ].map((name) => [name, 'private-keys']),
      )
      .concat(
        [
          '.netrc',
          '.git-credentials',
          '.pypirc',
          '.pgpass',
          '.aws/credentials',
          '.aws/sso/cache/x.json',
          '.docker/config.json',
          '.kube/config',
          'gha-creds-0a1b.json',
          '.config/gcloud/access_tokens.db',
          '.config/gcloud/application_default_credentials.json',
          '.config/gh/hosts.yml',
          '.cargo/credentials.toml',
          '.gemini/oauth_creds.json',
        ].map((name) => [name, 'credential-files']),
      ),
  )('reading and writing %s', (name, id) => {
    const path = `/work/some/folder/${name}`;
    expect([sensitiveAbout(path, 'read'), sensitiveAbout(path, 'edit').includes(`deny ${id}`)]).toEqual([
      [`deny ${id}`],
      true,
    ]);
  });

  test.each(['/home/me/.npmrc', '/home/me/.m2/settings.xml', '/proc/self/environ', '/proc/1/environ'])(
    'reading %s',
    (path) => {
      expect(sensitiveAbout(path, 'read')).toEqual(['deny credential-files']);
    },
  );

  test.each([
    ['.git/config', 'deny git-folder'],
    ['.git/hooks/pre-commit', 'deny git-folder'],
    ['.git', 'deny git-folder'],
    ['.ssh/authorized_keys', 'deny ssh-folder'],
    ['.ssh/config', 'deny ssh-folder'],
    ['node_modules/a/index.js', 'ask dependencies'],
    ['.vscode/tasks.json', 'ask startup-files'],
    ['.gemini/settings.json', 'ask own-rules'],
    ['.gemini/policies/a.toml', 'ask own-rules'],
    ['package.json', 'ask build-files'],
    ['Makefile', 'ask build-files'],
    ['Dockerfile', 'ask build-files'],
    ['Dockerfile.dev', 'ask build-files'],
    ['build.gradle.kts', 'ask build-files'],
    ['rules.bzl', 'ask build-files'],
    ['a.mk', 'ask build-files'],
    ['BUILD', 'ask build-files'],
    ['Cargo.lock', 'ask build-files'],
    ['.bazelrc', 'ask build-files'],
  ])('writing %s, and not reading it', (name, rule) => {
    const path = `/work/some/folder/${name}`;
    expect([sensitiveAbout(path, 'edit'), sensitiveAbout(path, 'read')]).toEqual([[rule], []]);
  });

  test.each(['/home/me/.bashrc', '/home/me/.gitconfig', '/home/me/.config/systemd/user/x.service'])(
    'writing %s',
    (path) => {
      expect([sensitiveAbout(path, 'edit'), sensitiveAbout(path, 'read')]).toEqual([['ask startup-files'], []]);
    },
  );

  test.each([
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.local.example',
    '.env.dist',
    'example.env',
    'environment.ts',
    'env.ts',
    '.environment',
    '.envoy.yaml',
    'id_rsa.pub',
    '.ssh/known_hosts',
    'cert.pem',
    'fullchain.pem',
    'ca.pem',
    'ca-bundle.pem',
    'my-ca.pem',
    'public_key.pem',
    'pubkey.pem',
    'server.pub.key',
    'keys.ts',
    'monkey.py',
    'keyboard.json',
    '.npmrc',
    '.gitignore',
    '.gitattributes',
    '.github/workflows/ci.yml',
    'config.json',
    '.kube/readme.md',
    'credentials.ts',
    'src/gcloud/index.ts',
    'packages.json',
    'my-package.json',
    'Makefile.md',
    'dockerfile.ts',
    '.gemini/GEMINI.md',
    '.gemini/commands/x.toml',
  ])('nothing about %s', (name) => {
    expect([
      sensitiveAbout(`/work/src/${name}`, 'read'),
      sensitiveAbout(`/work/src/${name}`, 'edit').filter((rule) => rule !== 'deny ssh-folder'),
    ]).toEqual([[], []]);
  });
});

describe('of the commands that only look', () => {
  const isAllowed = async (line: string): Promise<boolean> => (await decide(rules, makeLine(line))) === 'allow';

  test.each([
    'ls',
    'ls -la src',
    'cat a.txt',
    'wc -l',
    'pwd',
    'cd src',
    'grep foo a.ts',
    'grep -n "foo bar" a.ts b.ts',
    "grep -c 'x' f",
    'git status',
    'git status --short',
    'git log',
    'git log --oneline -5',
    'git diff HEAD~1 -- src/a.ts',
    'git show HEAD:README.md',
    'git log --stat --no-color',
    'git branch',
    'git branch -a',
    'git remote -v',
    'git ls-files',
    'git rev-parse --abbrev-ref HEAD',
    'git blame src/a.ts',
    'node --version',
    'git diff --cached',
    'grep -r x src',
    'grep -rn x src --include=*.ts',
    'sort a.txt',
    "sed -n '1,5p' a.txt",
    'find src -name a',
  ])('%s is allowed', async (line) => {
    expect(await isAllowed(line)).toBe(true);
  });

  test.each([
    'rm x',
    'lsof',
    'find . -delete',
    'rg --pre x y',
    'sed -i s/a/b/ f',
    'sort -o x y',
    'uniq a b',
    'tree -o x',
    'date -s now',
    'env',
    'printenv',
    'xargs rm',
    'git',
    'git push',
    'git commit',
    'git log --output=x',
    'git log --outpu x',
    'git diff --ext-diff',
    'git show --textconv HEAD',
    'git log "--output=x"',
    "git log '--output=x'",
    'git log \\--output=x',
    'git diff $(x)',
    'git log >x',
    'git log;x',
    'git -c a.b=c log',
    'git branch -D x',
    'git branch new',
    'git remote add x y',
    'git tag v1',
    'git stash',
    'git logx',
    'git  log',
    'git diff HEAD --output=x',
    'git diff a --o=x',
    'git log\nrm x',
    'grep --directories=recurse x .',
    'grep $X y',
    'grep {-r,x} .',
    'grep x <f',
    'node -e 1',
    'npm version major',
    'make -v x',
    'yarn --version',
    'pnpm -v',
    'npm -v',
    'cargo --version',
    'rustc -V',
    'go version',
    'npx -v',
    'deno --version',
    'wc --files0-from=x',
    'md5sum -c x',
    'diff --from-file=x y',
    'du --files0-from=x',
    'sed -f x y',
    'sed r.env y',
    'find -files0-from x',
    'find . -exec cat {} +',
  ])('%s is not among them', async (line) => {
    expect(await isAllowed(line)).toBe(false);
  });
});
