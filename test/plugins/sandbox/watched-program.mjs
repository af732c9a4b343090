// Runs a line in a sandbox, with a person who lets it write everything that can be granted, but never answers about a
// file "held" and then makes a file "asked" in the workspace. As any user. Limits can be given as JSON.
import {writeFileSync} from 'node:fs';
import {homedir, release, tmpdir} from 'node:os';
import {argv, env, getuid, pid, stdout} from 'node:process';
import {ProcessGroups, runProcess} from '@gemini-kernel/processes';
import {Bubblewrap} from '#plugins/sandbox/dist/linux/bubblewrap.js';
import {findBubblewrap} from '#plugins/sandbox/dist/linux/find-bubblewrap.js';

const [, , root, line, limits = '{}'] = argv;
const {file} = await findBubblewrap();
const environment = {home: homedir(), temporary: tmpdir(), variables: env};
const bubblewrap = new Bubblewrap(file, {
  ...{machine: process.arch, pid, user: getuid(), release: release()},
  environment,
});
const groups = new ProcessGroups('linux');
const ending = new AbortController();
const asked = [];
const decidePath = (one) => {
  asked.push(one);
  if (!one.path.endsWith('/held')) return true;
  writeFileSync(`${root}/asked`, '');
  return new Promise(() => {});
};
const watch = {decide: () => false, decidePath, late: (one) => asked.push({late: one}), signal: ending.signal};
const program = {file: '/bin/sh', args: ['-c', line], cwd: root, variables: {PATH: env.PATH}};
const confined = await bubblewrap.confine(
  {...program, roots: [root], mode: 'default', grants: [], ...JSON.parse(limits)},
  {},
  watch,
);
const ended = await runProcess(groups, {...confined, input: '', timeoutMs: 20_000}, ending.signal);
stdout.write(JSON.stringify({printed: String(ended.stdout), code: ended.exitCode, asked}));
ending.abort();
groups.close();
bubblewrap.close();
