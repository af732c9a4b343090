import type {Verdict} from '@gemini-kernel/kernel';

/** What a program may reach beyond what its mode gives it. */
export interface Reach {
  /** Absolute paths that it can read although they are hidden. */
  readonly read?: readonly string[];
  /** Absolute paths that it can write. */
  readonly write?: readonly string[];
  /**
   * True: the network as this machine has it. Hosts: only these, by the exit, such as `packages.example.com`,
   * `*.example.com` or `db.example.com:5432`; without a port those of the web.
   */
  readonly network?: boolean | readonly string[];
}

/** A reach, and what gave it: a rule, a setting, an answer of the person. */
export interface Grant extends Reach {
  readonly from: string;
  /** Its paths count only where they are no links: they are what was judged. */
  readonly isExact?: boolean;
  /** The workspace can be written although `ModeLimits` make it read-only. */
  readonly workspace?: boolean;
  /** Most memory of each process, in megabytes, and most processes. What settings say stays the most. */
  readonly memory?: number;
  readonly processes?: number;
}

/** What files of rules say about all programs in one approval mode, each with the place that says so. */
export interface ModeLimits {
  /** They have the network of this machine. */
  readonly network?: string;
  /** They cannot write the workspace. */
  readonly readOnly?: string;
  /** Only settings grant more: no rule, no call, and no answer. */
  readonly isFinal?: string;
}

/** The service `sandbox-modes`: of one plugin, since what it says can loosen. */
export interface SandboxModes {
  /** Throws when it cannot be known: then nothing starts. */
  read(mode: string): Promise<ModeLimits>;
}

/** A program as it would be started without a sandbox. */
export interface Program {
  /** Absolute, or a name that is looked up in PATH. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute and real. */
  readonly cwd: string;
  /** All variables that it gets. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a program is started as: a command of the model, an MCP server, a hook, or a safety checker. */
export type Purpose = 'command' | 'server' | 'hook' | 'checker';

/** What is to be confined, and to what. */
export interface ConfineRequest extends Program {
  /** The roots of the workspace, absolute and real. */
  readonly roots: readonly string[];
  /** The approval mode: `plan` writes nothing but temporary files. */
  readonly mode: string;
  /** What it is started as; `command` unless given. Which of them are confined is a setting. */
  readonly purpose?: Purpose;
  readonly grants?: readonly Grant[];
}

/** A program that sees nothing of the machine but what is listed, and what a program needs to run at all. */
export interface EncloseRequest extends Program {
  /** Who it is, for the lines that say where a mount comes from. */
  readonly from: string;
  /** The roots of the workspace, absolute and real, with what is protected in them; empty: it sees none of it. */
  readonly roots: readonly string[];
  /** Whether it can write them. */
  readonly writes: boolean;
  /** More absolute paths, which are there. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** What it reads at another path than where it is. */
  readonly lent: readonly {readonly path: string; readonly source: string}[];
  /** The hosts that it can connect to, as in a grant; `*` is any that is not of a private network. */
  readonly hosts: readonly string[];
  /** Told each connection that it asked its exit for. */
  report?(connection: ExitConnection): void;
  /** Aborted when it has ended, which closes its exit. */
  readonly signal: AbortSignal;
}

/** A descriptor that the started program must have. */
export interface Descriptor {
  /** 3 or above. */
  readonly fd: number;
  /** Bytes to read from it, in base64; absent: it is `/dev/null`, over a descriptor that must not be passed on. */
  readonly data?: string;
}

/** What to start instead of a program so that it is confined. */
export interface Confined extends Program {
  /** Most memory of each of its processes, in megabytes; absent without a limit. */
  readonly memory?: number;
  readonly descriptors: readonly Descriptor[];
}

/** One thing that a confined program sees otherwise than this machine has it. */
export interface Mount {
  /**
   * `read` and `write`: this path of the machine, or `source`. `private`: a folder of gemini that programs can write.
   * `fresh`: a folder in memory that a program can write, new for each. `empty`: the same, but it cannot be written.
   * `masked`: an empty file. `system`: made by the kernel.
   */
  readonly kind: 'read' | 'write' | 'private' | 'fresh' | 'empty' | 'masked' | 'system';
  readonly path: string;
  readonly source?: string;
  /** The rule of the product, the setting or the grant that it comes from. */
  readonly why: string;
}

/** Everything that a program would be held to. */
export interface Plan {
  /** In the order in which they are made; a later one counts over an earlier one. */
  readonly mounts: readonly Mount[];
  readonly network: {
    readonly reach: 'none' | 'hosts' | 'all';
    readonly why: string;
    readonly hosts?: readonly {readonly host: string; readonly why: string}[];
  };
  /** Most memory of each process, in megabytes; absent without a limit. */
  readonly memory?: number;
  /** Most processes and threads together; absent without a limit, and for root, whose the kernel does not count. */
  readonly processes?: number;
}

/** A connection that a confined program asked the exit for. */
export interface ExitConnection {
  readonly host: string;
  readonly port: number;
  /** Why it was refused or failed; absent when it stood. */
  readonly fault?: string;
  /** Whether no rule names the host, so that a grant would help. */
  readonly isUngranted?: true;
}

/** A host that nothing grants to a program that asked for it. */
export interface AskedHost {
  readonly host: string;
  readonly port: number;
  /** What a grant of it says, such as `packages.example.com` or `db.example.com:5432`. */
  readonly grant: string;
  /** The variables of gemini whose secrets the exit would add to requests there. Never the secrets. */
  readonly secrets: readonly string[];
}

/** A path that a program tried to write and that its mounts keep read-only. */
export interface AskedPath {
  /** Absolute and real. What would be granted: for something new, or something removed, the folder that holds it. */
  readonly path: string;
  /** What it would make, remove or rename in that folder. */
  readonly name?: string;
  /** Why no answer can grant it; absent when one can. */
  readonly fault?: string;
}

/** Follows a program that runs, what it asks its exit for, and what it tries to write. */
export interface ExitWatch {
  /** Whether it may connect to a host that nothing grants: the connection waits for it. An error means no. */
  decide(asked: AskedHost): boolean | Promise<boolean>;
  /** Told each connection that it asked for. */
  report?(connection: ExitConnection): void;
  /**
   * Whether it may write a path that is read-only for it: the call waits for it, and the path is then opened to the
   * program. Paths with a fault are only reported. Absent: it is not asked; also where the kernel cannot tell.
   */
  decidePath?(asked: AskedPath): boolean | Promise<boolean>;
  /** It was let, and the program that runs cannot write it all the same: it counts from the next one on. */
  late?(asked: AskedPath): void;
  /** Aborted when the program has ended, which closes its exit. */
  readonly signal: AbortSignal;
}

/** Whether programs are confined here. */
export interface SandboxState {
  readonly isOn: boolean;
  /** What confines them, such as `bwrap`; absent when the sandbox is off. */
  readonly provider?: string;
  /** What decided, as a sentence. */
  readonly why: string;
  /** It holds the whole program, and this one does not run in it: only a conversation starts in it. */
  readonly isOutside?: true;
  /** Why it is asked for and cannot be used, and what to do; absent when it can, and when it is off. */
  readonly fault?: {readonly sentence: string; readonly hint: string};
  /** The same when the sandbox is off: what would have to be done first. */
  readonly missing?: {readonly sentence: string; readonly hint: string};
  /** Whether the system could confine programs, also when it is off. */
  readonly isPossible: boolean;
  /** The program that confines, and its version. */
  readonly program?: string;
}

/** Runs the whole program where the system confines it. The service `enclosure:<name>`. */
export interface Enclosure {
  /** It is asked before others: the program that it starts asks those. */
  readonly isOuter?: true;
  /**
   * Starts this program again with these words where it is asked to run, such as in a sandbox, and gives its exit code.
   * Undefined where nothing of the kind is asked for, or it runs there. Throws KernelError SANDBOX_UNAVAILABLE,
   * SANDBOX_UNKNOWN and SANDBOX_OPTION_INVALID.
   */
  enter(
    words: readonly string[],
    signal: AbortSignal,
    run?: {readonly isConversation: boolean},
  ): Promise<number | undefined>;
}

/** Holds programs to what was approved, by means of the operating system. */
export interface Sandbox {
  state(): Promise<SandboxState>;
  /** Whether a sandbox is asked for. Throws KernelError SANDBOX_UNKNOWN. */
  isWanted(): Promise<boolean>;
  /** Whether programs are confined: a sandbox is asked for, and can be used. Tries nothing while none is asked for. */
  confines(): Promise<boolean>;
  /** What becomes of a wish for more than the sandbox gives; undefined where nothing is confined. */
  assess(asked: Reach, mode: string): Promise<Verdict | undefined>;
  /**
   * What to start so that a program is confined; undefined when the sandbox is off. Throws KernelError
   * SANDBOX_UNAVAILABLE when it is asked for and the system cannot, and SANDBOX_ROOT_TOO_WIDE.
   */
  confine(request: ConfineRequest): Promise<Confined | undefined>;
  /**
   * The same, also when the sandbox is off: for what must never run without one. With a watch the program has an exit
   * of its own, also when no host is granted; plan mode has none.
   */
  force(request: ConfineRequest, watch?: ExitWatch): Promise<Confined>;
  /** What to start so that a program sees only what is listed. Throws KernelError SANDBOX_UNAVAILABLE. */
  enclose(request: EncloseRequest): Promise<Confined>;
  /** What a program would be held to, also when the sandbox is off. Throws like `confine`. */
  explain(request: Omit<ConfineRequest, keyof Program>): Promise<Plan>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    [enclosure: `enclosure:${string}`]: Enclosure;
    sandbox: Sandbox;
    'sandbox-modes': SandboxModes;
  }
  interface Moments {
    'sandbox:connection': {kind: 'notify'; payload: ExitConnection};
  }
}
