/** Words after which the name of a command follows. */
export const BEFORE_COMMANDS: ReadonlySet<string> = new Set(
  'if then else elif do while until ! { } time coproc'.split(' '),
);

/** Programs that run the command that follows them. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  'builtin command doas env exec ionice nice nohup setsid stdbuf sudo timeout xargs'.split(' '),
);

const BUILTINS = '. alias declare eval let local mapfile read readarray source trap typeset unset';
const PROGRAMS =
  'at batch bunx busybox chroot entr flock gmake make npx nsenter parallel pnpx runuser screen script setpriv ssh ' +
  'strace su tmux toybox unshare uvx watch';

/** Programs that read their arguments as commands, or as names that can hold some. */
export const EVALUATING: ReadonlySet<string> = new Set(`${BUILTINS} ${PROGRAMS}`.split(' '));

/** Declarations: safe with `NAME=`, but a whole word could be a name that holds a command. */
export const DECLARING: ReadonlySet<string> = new Set(['export', 'readonly']);

/** Programs that run a file with arguments, or code after one of their flags. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  'ash bash dash deno fish ksh lua node perl php python python3 ruby sh tclsh zsh'.split(' '),
);

/** Programs whose first argument is a program that can run commands. */
export const FILTERS: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk', 'sed']);

/** An assignment, up to its value. */
export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
