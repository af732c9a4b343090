import {working, type Probe} from '../probe.js';

const DONE = '&& echo WORKS';
const COMMIT = 'git -c user.name=a -c user.email=a@example.com commit -qm probe --allow-empty --no-verify';

/** What must still work: a sandbox in which nothing works contains everything. */
export const works = (): readonly Probe[] =>
  working([
    ['read', 'read and write the workspace', `echo x > made && cat made && mkdir -p d/e && mv made d/e/ ${DONE}`],
    ['rename', 'replace a file by another', `echo 1 > one && echo 2 > two && mv two one && grep -q 2 one ${DONE}`],
    [
      'temporary',
      'write temporary files',
      `f=$(mktemp) && echo x > "$f" && echo x > /var/tmp/y && echo x > /tmp/kept ${DONE}`,
    ],
    [
      'temporary-kept',
      'find a temporary file of the command before',
      `case "$LAB" in /tmp/*) echo WORKS;; *) grep -q x /tmp/kept ${DONE};; esac`,
    ],
    ['cache', 'write caches', `mkdir -p ~/.cache/a ~/.npm/b && echo x > ~/.cache/a/c && echo x > ~/file ${DONE}`],
    ['git', 'record a change with git', `git add -A . && ${COMMIT} && git log -1 --format=%s | grep -q probe ${DONE}`],
    [
      'git-branch',
      'make a branch, and look at the state',
      `git branch probe && git status --short >/dev/null && git gc -q ${DONE}`,
    ],
    ['git-init', 'make a repository in a new folder', `git init -q fresh && ls fresh/.git/HEAD ${DONE}`],
    ['env-empty', 'read .env without an error', `cat .env ${DONE}`],
    ['exit', 'end with a code', `sh -c 'exit 7'; test $? = 7 ${DONE}`],
    [
      'pipes',
      'use pipes and processes in the background',
      `(sleep 0.01; echo x) | cat & wait; echo y | tr y z | grep -q z ${DONE}`,
    ],
    [
      'devices',
      'use common devices',
      `echo x > /dev/null && head -c 4 /dev/urandom >/dev/null && test -c /dev/zero ${DONE}`,
    ],
    ['processes', 'see and end its own processes', `sleep 9 & kill $! && ls /proc/self >/dev/null ${DONE}`],
    ['tools', 'find programs of the machine', `command -v ls && command -v sed && ls /usr/bin >/dev/null ${DONE}`],
    [
      'loopback',
      'serve on loopback and fetch from it',
      [
        "perl -MIO::Socket::INET -e '",
        '$s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1"); $p = $s->sockport; ',
        'if (fork) { $c = $s->accept; print $c "WORKS\\n"; close $c } ',
        'else { $c = IO::Socket::INET->new("127.0.0.1:$p"); print <$c> } wait',
        "'",
      ].join(''),
    ],
  ]);
