import {spawn, type ChildProcess} from 'node:child_process';

/**
 * Remembers process groups by what it is told, `+ 12` and `- 12`. When nobody can tell it anything more, because the
 * program ended in whatever way, it ends the groups that are left.
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
 * A small process that outlives this program for a moment, to end the commands that it could not end itself. POSIX
 * only.
 */
export class Keeper {
  #child: ChildProcess | undefined;
  readonly #groups = new Set<number>();

  constructor(private readonly shell: string) {}

  /** From now on the group ends with this program. */
  add(group: number): void {
    this.#groups.add(group);
    if (this.#child) this.#tell('+', group);
    else {
      this.#child = this.#start();
      for (const one of this.#groups) this.#tell('+', one);
    }
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell('-', group);
  }

  /** The groups that were not removed are ended. */
  close(): void {
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #tell(sign: '+' | '-', group: number): void {
    this.#child?.stdin?.write(`${sign} ${group}\n`);
  }

  #start(): ChildProcess {
    const child = spawn(this.shell, ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: {PATH: '/usr/bin:/bin'},
    });
    // It is a net below other nets: without it commands still end with every orderly end of this program.
    const forget = (): void => void (this.#child = undefined);
    child.once('error', forget).once('exit', forget);
    child.stdin?.on('error', forget);
    child.unref();
    // The type hides that a pipe is a socket.
    (child.stdin as unknown as {unref(): void} | null)?.unref();
    return child;
  }
}
