import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect} from '@jest/globals';
import type {Mount} from '@gemini-kernel/plugin-sandbox/contract';
import {runGemini} from '../../helpers/run-gemini.js';
import {openSandbox, testConfined} from './open-sandbox.js';

describe('gemini sandbox explain', () => {
  testConfined('says of each mount where it comes from [sandbox.explained]', async () => {
    await using kernel = await openSandbox({
      variables: {GEMINI_SANDBOX: undefined},
      files: {'.git/HEAD': '', 'a/.env': '', 'a/b/.git/HEAD': ''},
      homeFiles: {'.cargo/bin/tool': '', '.gemini/settings.json': '{"tools": {"sandboxNetworkAccess": true}}'},
    });
    const roots = [kernel.project];
    const sandbox = await kernel.service('sandbox');
    const {mounts, network} = await sandbox.explain({
      roots,
      mode: 'default',
      grants: [{from: 'rule x', read: ['/etc']}],
    });
    const at = (path: string): Partial<Mount> | undefined => mounts.findLast((mount) => mount.path === path);
    const inProject = (path: string): Partial<Mount> | undefined => at(join(kernel.project, path));
    expect(at('/')).toEqual({kind: 'read', path: '/', why: 'programs and libraries of this machine'});
    expect(at('/etc')).toMatchObject({kind: 'read', why: 'rule x'});
    expect(at(kernel.home)).toMatchObject({kind: 'fresh'});
    expect(at(join(kernel.home, '.cargo/bin'))).toMatchObject({kind: 'read', why: 'tools in your home'});
    expect(inProject('')).toMatchObject({kind: 'write', why: 'workspace'});
    expect(inProject('.git/hooks')).toMatchObject({kind: 'read', why: 'git obeys it'});
    expect(inProject('a')).toMatchObject({kind: 'write'});
    expect(inProject('a/b/.git/config')).toMatchObject({kind: 'read'});
    expect(inProject('a/.env')).toMatchObject({kind: 'masked', why: 'a .env file holds secrets'});
    expect(inProject('.vscode')).toMatchObject({kind: 'empty'});
    expect(network).toEqual({reach: 'all', why: 'tools.sandboxNetworkAccess'});
    const plan = await sandbox.explain({roots, mode: 'plan'});
    expect(plan.network).toEqual({reach: 'none', why: 'plan mode has no network'});
    expect(plan.mounts.findLast(({path}) => path === kernel.project)).toMatchObject({kind: 'read'});
  });

  testConfined('prints it for people, and the filter in words [sandbox.explained] [sandbox.filter]', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-explain-')));
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-explain-home-')));
    const {code, stdout} = await runGemini(['sandbox', 'explain'], {cwd: folder, home});
    expect({code, stdout}).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^What a command sees in the mode default:/),
    });
    expect(stdout).toMatch(/Network: loopback of its own only, because nothing grants it\./);
    const filter = await runGemini(['sandbox', 'explain', '--filter'], {cwd: folder, home});
    expect(filter.stdout).toMatch(/^EPERM +ptrace process_vm_readv/);
    const json = await runGemini(['sandbox', 'explain', '--json', '--mode', 'plan'], {cwd: folder, home});
    expect(JSON.parse(json.stdout)).toMatchObject({mode: 'plan', network: {reach: 'none'}, filter: expect.any(Array)});
    for (const one of [folder, home]) rmSync(one, {recursive: true});
  });

  testConfined('a shell of one’s own is confined in the same way [sandbox.modes]', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-shell-')));
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-shell-home-')));
    const given = {
      cwd: folder,
      home,
      input: 'echo x > file; ls -A ~ | grep secret; cat /proc/1/cmdline | grep -c bwrap; exit 5',
    };
    const {code, stdout} = await runGemini(['sandbox', 'shell'], given);
    expect({code, stdout}).toEqual({code: 5, stdout: '1\n'});
    for (const one of [folder, home]) rmSync(one, {recursive: true});
  });
});
