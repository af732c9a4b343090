import {spawn, type ChildProcess} from 'node:child_process';

/**
 * Remembers targets of `kill` from lines such as `+ -12` (a process group) and `- 13` (a process). When its input ends,
 * because the program ended for any reason, it ends the remaining ones.
 */
const SCRIPT = `
targets=
while read -r sign target; do
  rest=
  for one in $targets; do [ "$one" = "$target" ] || rest="$rest $one"; done
  targets=$rest
  [ "$sign" = + ] && targets="$targets $target"
done
[ -n "$targets" ] || exit 0
for one in $targets; do kill -s TERM -- "$one"; done
sleep 0.2 || sleep 1
for one in $targets; do kill -s KILL -- "$one"; done
`;

/**
 * A small process that outlives this program for a moment, to end the processes and groups that the program could
 * not end. POSIX only.
 */
export class Keeper {
  #child: ChildProcess | undefined;
  readonly #targets = new Set<number>();

  constructor(private readonly shell: string) {}

  /** From now on the group is ended when this program ends. */
  add(group: number): void {
    this.#add(-group);
  }

  /** The same for one process, which is in the group of this program. */
  addProcess(pid: number): void {
    this.#add(pid);
  }

  /** Starts the process where it does not run yet, or does no longer. */
  start(): void {
    if (this.#child) return;
    this.#child = this.#spawn();
    for (const one of this.#targets) this.#tell('+', one);
  }

  remove(group: number): void {
    this.#remove(-group);
  }

  removeProcess(pid: number): void {
    this.#remove(pid);
  }

  /** Ends what was not removed. */
  close(): void {
    this.#child?.stdin?.end();
    this.#child = undefined;
  }

  #add(target: number): void {
    this.start();
    this.#targets.add(target);
    this.#tell('+', target);
  }

  #remove(target: number): void {
    if (this.#targets.delete(target)) this.#tell('-', target);
  }

  #tell(sign: '+' | '-', target: number): void {
    this.#child?.stdin?.write(`${sign} ${target}\n`);
  }

  #spawn(): ChildProcess {
    const child = spawn(this.shell, ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: {PATH: '/usr/bin:/bin'},
    });
    // An additional safety net: without it, they still end with every orderly end of this program.
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
