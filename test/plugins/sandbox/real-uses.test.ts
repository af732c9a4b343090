import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {checkout} from '../../helpers/plugin-root.js';
import {startVerdaccio} from '../../helpers/verdaccio.js';
import {openSandbox, output, testConfined} from './open-sandbox.js';

/** Programs that people run all day, as they are, on real packages and repositories. */
describe('everyday work in the sandbox', () => {
  testConfined('npm installs a package from a granted registry, and its tests run [sandbox.uses]', async () => {
    await using registry = await startVerdaccio();
    const token = await registry.addUser('maker');
    await registry.publish(join(checkout, 'node_modules', 'picomatch'), token);
    const host = new URL(registry.url).host;
    const own = {tools: {sandboxAllowedHosts: [host]}};
    await using kernel = await openSandbox({
      homeFiles: {'.gemini/settings.json': JSON.stringify(own)},
      files: {
        'package.json': JSON.stringify({
          name: 'app',
          version: '1.0.0',
          scripts: {test: 'node --test'},
          dependencies: {picomatch: '*'},
        }),
        'app.test.js': `
          const match = require('picomatch');
          require('node:test')('globs', () => require('node:assert').ok(match('*.js')('a.js')));`,
      },
    });
    // A registry on loopback is reached as one elsewhere is.
    const install = `NO_PROXY= no_proxy= npm install --registry ${registry.url} --no-audit --no-fund`;
    expect(await output(kernel, install)).toContain('added 1 package');
    expect(await output(kernel, 'npm test 2>&1')).toMatch(/# pass 1\b|pass 1\b/);
  });

  testConfined('git commits, branches, merges and stashes [sandbox.uses]', async () => {
    await using kernel = await openSandbox({files: {'a.txt': 'one\n'}});
    // A repository cannot be made inside: it could come with hooks.
    expect(await output(kernel, 'git init -q . 2>&1')).toContain('Permission denied');
    execFileSync('git', ['init', '-q', '-b', 'main', kernel.project]);
    const author = '-c user.name=A -c user.email=a@example.com';
    expect(await output(kernel, `git add a.txt && git ${author} commit -qm one && git log --oneline`)).toMatch(/ one/);
    const more = `git checkout -qb next && echo two >> a.txt && git ${author} commit -qam two && git checkout -q main`;
    expect(await output(kernel, `${more} && git ${author} merge -q next && cat a.txt`)).toContain('two');
    const stash = `echo three >> a.txt && git ${author} stash -q && git ${author} stash pop -q && tail -n 1 a.txt`;
    expect(await output(kernel, stash)).toContain('three');
    expect(await output(kernel, 'git worktree add -q tree next 2>&1 && ls tree && git gc -q 2>&1')).toContain('a.txt');
  });

  testConfined('a dev server is fetched from the same command, and ends with it [sandbox.uses]', async () => {
    await using kernel = await openSandbox({
      files: {
        'server.js': `require('http').createServer((_, to) => to.end('served')).listen(8123, '127.0.0.1', () => {
          console.log('ready'); });`,
        'get.js': `fetch('http://127.0.0.1:8123/').then(async (got) => console.log('got', await got.text()));`,
      },
    });
    const line = 'node server.js & sleep 1; node get.js; kill $!';
    expect(await output(kernel, line)).toContain('got served');
  });

  testConfined('a build without a browser writes what it makes into the workspace [sandbox.uses]', async () => {
    await using kernel = await openSandbox({
      files: {
        'src/main.ts': `import {one} from './one.js';\nconsole.log(one satisfies number);`,
        'src/one.ts': 'export const one = 1;',
      },
    });
    copyPackages(kernel, ['esbuild', '@esbuild/linux-x64', '@esbuild/linux-arm64', 'typescript']);
    const build =
      'node node_modules/esbuild/bin/esbuild src/main.ts --bundle --outfile=dist/main.js 2>&1 && node dist/main.js';
    expect(await output(kernel, build)).toMatch(/\n1\b/);
    expect(
      await output(
        kernel,
        'node node_modules/typescript/bin/tsc --noEmit --module nodenext --target es2022 src/main.ts 2>&1; echo $?',
      ),
    ).toMatch(/0/);
    expect(readFileSync(join(kernel.project, 'dist', 'main.js'), 'utf8')).toContain('one = 1');
  });
});

function copyPackages(kernel: TestKernel, names: readonly string[]): void {
  for (const name of names) {
    const from = join(checkout, 'node_modules', name);
    // Of a compiler, the one of this machine is installed.
    if (!existsSync(from)) continue;
    cpSync(from, join(kernel.project, 'node_modules', name), {recursive: true, force: true});
  }
}
