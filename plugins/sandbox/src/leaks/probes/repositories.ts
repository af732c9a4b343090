import {contained, type Probe} from '../probe.js';

const HOOK = "printf '#!/bin/sh\\n' >";

/** What git obeys. */
export const repositories = (): readonly Probe[] =>
  contained('write', [
    ['hook', 'make a hook of git', `${HOOK} .git/hooks/pre-commit`, 'project/.git/hooks/pre-commit'],
    ['hook-there', 'change a hook of git', 'echo x >> .git/hooks/post-merge', 'project/.git/hooks/post-merge'],
    ['hooks-moved', 'replace the folder of hooks', 'mv .git/hooks .git/h2 && mkdir .git/hooks && echo LEAK'],
    ['hooks-removed', 'remove the hooks', 'rm -rf .git/hooks', 'project/.git/hooks/post-merge'],
    ['git-config', 'change the configuration of git', 'echo x >> .git/config', 'project/.git/config'],
    ['git-config-by-git', 'have git change it', 'git config core.fsmonitor ./x', 'project/.git/config'],
    [
      'git-config-moved',
      'replace the configuration',
      'echo x > .git/c && mv -f .git/c .git/config',
      'project/.git/config',
    ],
    ['git-moved', 'replace the repository', 'mv .git .git2 && mkdir .git && echo LEAK; test -d .git2 && mv .git2 .git'],
    ['git-common', 'lead git to another configuration', 'echo /tmp > .git/commondir && echo LEAK'],
    [
      'nested-hook',
      'make a hook in a repository below',
      `${HOOK} lib/inner/.git/hooks/x`,
      'project/lib/inner/.git/hooks/x',
    ],
    ['nested-moved', 'replace a folder that holds a repository', 'mv lib/inner lib/other && echo LEAK'],
    ['nested-above', 'replace a folder above a repository', 'mv lib lib2 && echo LEAK'],
    ['module-hook', 'make a hook of a submodule', `${HOOK} .git/modules/m/hooks/x`, 'project/.git/modules/m/hooks/x'],
    ['module-config', 'configure a submodule', 'echo x >> .git/modules/m/config', 'project/.git/modules/m/config'],
    ['pointer', 'lead a worktree to another repository', 'echo gitdir: /tmp > tree/.git', 'project/tree/.git'],
    ['pointer-moved', 'replace a worktree', 'mv tree tree2 && echo LEAK'],
    [
      'hooks-path',
      'change a hook in the folder of core.hooksPath',
      'echo x >> .husky/pre-push',
      'project/.husky/pre-push',
    ],
  ]);
