import {spawn, type ChildProcess} from 'node:child_process';

/**
 * Remembers process groups from lines such as `+ 12` and `- 12`. When its input ends, because the program ended for
 * any reason, it ends the remaining groups.
 */
const SCRIPT = `
groups=
while read -r sign group; do
  rest=
  for one in $groups; do [ "$one" = "$group" ] || rest="$rest $one"; done
  groups=$rest
  [ "$sign" = + ] && groups="$groups $group"
done
[ -n "$groups" ] || exit 0
for one in $groups; do kill -s TERM -- "-$one"; done
sleep 0.2 || sleep 1
for one in $groups; do kill -s KILL -- "-$one"; done
`;

/**
 * A small process that outlives this program for a moment, to end the process groups that the program could not end.
 * POSIX only.
 */
export class Keeper {
  #child: ChildProcess | undefined;
  readonly #groups = new Set<number>();

  constructor(private readonly shell: string) {}

  /** From now on the group is ended when this program ends. */
  add(group: number): void {
    this.start();
    this.#groups.add(group);
    this.#tell('+', group);
  }

  /** Starts the process where it does not run yet, or does no longer. */
  start(): void {
    if (this.#child) return;
    this.#child = this.#spawn();
    for (const one of this.#groups) this.#tell('+', one);
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell('-', group);
  }

  /** Ends the groups that were not removed. */
  close(): void {
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #tell(sign: '+' | '-', group: number): void {
    this.#child?.stdin?.write(`${sign} ${group}\n`);
  }

  #spawn(): ChildProcess {
    const child = spawn(this.shell, ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: {PATH: '/usr/bin:/bin'},
    });
    // An additional safety net: without it, groups still end with every orderly end of this program.
    const forget = (): void => {
      if (this.#child === child) this.#child = undefined;
    };
    child.once('error', forget).once('exit', forget);
    child.stdin?.on('error', forget);
    child.unref();
    // The type hides that a pipe is a socket.
    (child.stdin as unknown as {unref(): void} | null)?.unref();
    return child;
  }
}
