import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from '@jest/globals';
import {Linter, type Rule} from 'eslint';
import {checkout} from '../helpers/plugin-root.js';

const {default: layers} = (await import(pathToFileURL(join(checkout, 'test/lint/layers.mjs')).href)) as {
  readonly default: Rule.RuleModule;
};

/** What the rule says of one import in a file. */
function findBreaches(file: string, code: string): readonly string[] {
  const linter = new Linter({cwd: checkout});
  return linter
    .verify(
      code,
      [{files: ['**/*.js'], plugins: {house: {rules: {layers}}}, rules: {'house/layers': 'error'}}],
      // Another parser is not needed for what is JavaScript too.
      {filename: join(checkout, file.replace(/\.ts$/, '.js'))},
    )
    .map(({message}) => message);
}

const src = 'plugins/bundles/src';

test.each([
  ['a verb uses every part', 'install/install-plugin.ts', './fetch/obtain-archive.js'],
  ['fetching asks the rules', 'install/fetch/obtain-archive.ts', '../judge/judge-rules.js'],
  ['a folder within a part belongs to it', 'install/fetch/provenance/trust-root.ts', '../registry-client.js'],
  ['every part uses what lies in src', 'install/source/open-installer.ts', '../../published-schema.js'],
  ['bundles use installations', 'bundle/apply-bundle.ts', '../install/commit/hold-store.js'],
  ['a command uses what it needs', 'commands/plugins/install.ts', '../../install/judge/ask-consent.js'],
  ['the contract shows what commands print', 'contract.ts', './install/report/list-plugins.js'],
])('%s', (_, file, name) => {
  expect(findBreaches(`${src}/${file}`, `import '${name}';`)).toEqual([]);
});

test.each([
  ['judging does not fetch', 'install/judge/judge-rules.ts', '../fetch/registry-client.js', 'install/judge'],
  ['committing does not judge', 'install/commit/switch-lock.ts', '../judge/judge-rules.js', 'install/commit'],
  ['a part does not use the verbs', 'install/source/parse-spec.ts', '../install-plugin.js', 'install/source'],
  ['an installation knows no bundles', 'install/install-plugin.ts', '../bundle/bundle-lock.js', 'install'],
  ['no part imports a command', 'watch/watch-plugin.ts', '../commands/plugins/link.js', 'watch'],
  ['no part imports the contract', 'install/report/list-plugins.ts', '../../contract.js', 'install/report'],
  ['what lies in src uses no part', 'system-faults.ts', './install/source/installer.js', 'src'],
])('%s', (_, file, name, part) => {
  expect(findBreaches(`${src}/${file}`, `import '${name}';`)).toEqual([
    expect.stringContaining(`Import of '${name}': ${part} imports from `),
  ]);
});

test('an import that only loads later counts too', () => {
  const code = `export const load = () => import('../fetch/registry-client.js');`;
  expect(findBreaches(`${src}/install/judge/judge-rules.ts`, code)).toHaveLength(1);
});

test.each(['kernel/src/catalog/schema.ts', 'plugins/agent/src/turn.ts', 'bin/src/main.ts'])(
  '%s may not load the built files that only tests load',
  (file) => {
    for (const name of [
      '#plugins/console/dist/live-screen.js',
      '#kernel/terminal/dist/graphemes.js',
      '#bin/dist/host-errors.js',
    ])
      expect(findBreaches(file, `import '${name}';`)).toEqual([expect.stringContaining('Only tests load')]);
  },
);

test('a plugin may import what its own package.json names', () => {
  expect(findBreaches('plugins/ide/src/x.ts', `import '#mcp-server';`)).toEqual([]);
});

test('a test may load the built files of plugins', () => {
  expect(findBreaches('test/plugins/x.test.ts', `import '#kernel/terminal/dist/graphemes.js';`)).toEqual([]);
});
