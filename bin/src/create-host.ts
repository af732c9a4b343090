import {join} from 'node:path';
import {isatty} from 'node:tty';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import {revealHidden} from '@gemini-kernel/command/visible';
import {
  boot,
  createLiveCatalog,
  messageOf,
  type Catalog,
  type ImportFile,
  type Kernel,
} from '@gemini-kernel/kernel/host';
import type {CommandHost} from '@gemini-kernel/command';
import {followLinks, type LinkFollower, type Rebuilt} from './follow-links.js';
import {complain} from './process-environment.js';
import {describeError} from './report-error.js';
import {askAtTerminal} from './terminal.js';
import {failCallsOf} from './unhandled-errors.js';

interface Parts {
  readonly root: string;
  readonly catalog: Catalog;
  readonly hostCommands: readonly string[];
  readonly environment: Omit<Environment, 'flags'>;
  readonly importFile: ImportFile;
  /** Aborted when the person interrupts a command that can be stopped. */
  readonly stop: AbortController;
  readonly slash: CommandHost['slash'];
  /** The catalog as it is now, with these plugins at other places. */
  readAnew(roots: ReadonlyMap<string, string>): Promise<Catalog>;
  readonly leaveOut: CommandHost['leaveOut'];
}

type Following = Pick<Parts, 'environment' | 'readAnew'>;

/** A kernel that, while somebody talks with it, goes over to linked plugins as they are built anew. */
function bootFollowing(kernel: Kernel, {environment, readAnew}: Following): Kernel {
  let follower: LinkFollower | undefined;
  const closing = new AbortController();
  const aside = createAside();
  const handBack = failCallsOf(kernel);
  return {
    ...kernel,
    open(options = {}) {
      const {live = false, interactive = environment.interactive} = options;
      if (live && interactive && !follower) {
        const copies = new Map<string, string>();
        follower = followLinks({
          catalog: kernel.catalog,
          onFault: aside.say,
          onBuilt: createTakeOver({kernel, copies, readAnew, say: aside.say, closing: closing.signal}),
        });
        for (const [name, copy] of follower?.found ?? []) copies.set(name, copy);
        // Nothing of this session was imported yet.
        const catalog = createLiveCatalog(kernel.catalog);
        if (copies.size > 0) catalog.replace(moveTo(copies, catalog.current));
      }
      return kernel.open(options);
    },
    async close() {
      closing.abort();
      follower?.close();
      aside.end();
      await kernel.close();
      handBack();
    },
  };
}

/** The same catalog with some plugins at other places. */
function moveTo(roots: ReadonlyMap<string, string>, catalog: Catalog): Catalog {
  const plugins = new Map(
    [...catalog.plugins].map(([name, plugin]) => [name, {...plugin, root: roots.get(name) ?? plugin.root}]),
  );
  // The name of a contribution's plugin was taken from this very map.
  return {...catalog, plugins, fileOf: ({plugin, module}) => join(plugins.get(plugin)?.root ?? '', module)};
}

interface TakingOver {
  readonly kernel: Kernel;
  /** Where copies lie, by the name of the plugin. */
  readonly copies: Map<string, string>;
  readonly readAnew: Parts['readAnew'];
  say(sentence: string): void;
  readonly closing: AbortSignal;
}

/** Takes over one build after the other; a person sees a line for each. */
function createTakeOver({kernel, copies, readAnew, say, closing}: TakingOver): (rebuilt: readonly Rebuilt[]) => void {
  let last = Promise.resolve();
  const takeOver = async (rebuilt: readonly Rebuilt[]): Promise<void> => {
    try {
      for (const {name, copy} of rebuilt) copies.set(name, copy);
      const next = await readAnew(copies);
      const known = new Set(kernel.catalog.refused.map(({name}) => name));
      if (!closing.aborted) await kernel.replace(next);
      if (closing.aborted) return;
      const names = rebuilt.map(({name}) => name);
      for (const name of names) if (next.plugins.has(name)) say(`${name} was built anew, and is used from now on.`);
      for (const {name, reason} of next.refused)
        if (names.includes(name) || !known.has(name))
          say(`${name} is left out now: ${reason.replace(/\.$/, '')}. (gemini doctor)`);
    } catch (error) {
      for (const {name} of closing.aborted ? [] : rebuilt)
        say(`${name} was built anew, but goes on as it was: ${messageOf(error)}`);
    }
  };
  return (rebuilt) => void (last = last.then(() => takeOver(rebuilt)));
}

/** How long nothing is drawn before it is taken for settled: whoever works draws more often. */
const QUIET_MS = 200;

/**
 * Says sentences while a conversation draws on the terminal: once it has drawn nothing for a moment, and at its end at
 * the latest.
 */
function createAside(): {say(sentence: string): void; end(): void} {
  const waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let written = -1;
  const look = (): void => {
    const isQuiet = written === process.stdout.bytesWritten;
    written = process.stdout.bytesWritten;
    timer = isQuiet ? undefined : setTimeout(look, QUIET_MS).unref();
    if (isQuiet) sayBelow(waiting.splice(0).join('\n'));
  };
  return {
    say(sentence) {
      waiting.push(sentence);
      if (!timer) look();
    },
    end() {
      clearTimeout(timer);
      for (const sentence of waiting.splice(0)) complain(sentence);
    },
  };
}

/** The prompt on the last line makes room for what is said, and is drawn again below it. */
function sayBelow(text: string): void {
  const {stdout, stderr, env} = process;
  const isDrawn = stdout.isTTY && stderr.isTTY;
  if (isDrawn) stdout.write(env['TERM'] === 'dumb' ? '\n' : '\r\u001b[J');
  complain(text);
  // What stands on the screen is drawn again by whoever listens to a change of its size.
  if (isDrawn) stdout.emit('resize');
}

/** Signals that ask for an end, and the exit code and error code of a program that one of them ended. */
const endings = [
  ['SIGINT', 130, 'RUN_INTERRUPTED'],
  ['SIGTERM', 143, 'RUN_TERMINATED'],
  ['SIGHUP', 129, 'RUN_HUNG_UP'],
] as const;
type Ending = (typeof endings)[number];

/** How long a command has to end once it was asked to. */
const LAST_MS = 2000;

/** Asks what runs to end, and ends the program when something does not listen. */
function endBy(stop: AbortController, [signal, exit, code]: Ending): void {
  stop.abort(new KernelError(code, `${signal} ended this command before it was done.`));
  setTimeout(() => endNow(signal, exit), LAST_MS).unref();
}

/** Runs the listeners of `exit`, then ends by the signal: an ordinary exit waits for a lookup of a name that hangs. */
function endNow(signal: Ending[0], exit: number): void {
  process.on('exit', () => {
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  process.exit(exit);
}

/** The same host for a command inside a conversation; what it gives on demand is still given on demand. */
export function withLive(host: CommandHost, live: NonNullable<CommandHost['live']>): CommandHost {
  return Object.defineProperties({} as CommandHost, {...Object.getOwnPropertyDescriptors(host), live: {value: live}});
}

/** What this process gives to a command. */
export function createHost({
  root,
  catalog,
  hostCommands,
  environment,
  importFile,
  stop,
  slash,
  readAnew,
  leaveOut,
}: Parts): CommandHost {
  let listening = false;
  return {
    catalog,
    hostCommands,
    boot: (flags) => bootFollowing(boot(catalog, {...environment, flags}, importFile), {environment, readAnew}),
    ask: (question) => askAtTerminal(revealHidden(question), stop.signal),
    get input() {
      return process.stdin;
    },
    get output() {
      return process.stdout;
    },
    slash,
    describe(error) {
      const {json} = describeError(error, catalog.exitCodeOf);
      return json && json.error.code !== 'BUG' ? json.error : undefined;
    },
    terminal: isatty(1),
    colour: isatty(1) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    node: process.versions.node,
    run: async (argv, options) => (await import('./run-again.js')).runAgain(root, argv, options),
    leaveOut,
    end: (code) => {
      process.exitCode = code;
    },
    get signal() {
      if (!listening) for (const ending of endings) process.once(ending[0], () => endBy(stop, ending));
      listening = true;
      return stop.signal;
    },
  };
}
