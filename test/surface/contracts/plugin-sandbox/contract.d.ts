import type { Verdict } from '@gemini-kernel/kernel';
export interface Reach {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly network?: boolean | readonly string[];
}
export interface Grant extends Reach {
  readonly from: string;
  readonly isExact?: boolean;
  readonly workspace?: boolean;
  readonly memory?: number;
  readonly processes?: number;
}
export interface ModeLimits {
  readonly network?: string;
  readonly readOnly?: string;
  readonly isFinal?: string;
}
export interface SandboxModes {
  read(mode: string): Promise<ModeLimits>;
}
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
}
export type Purpose = 'command' | 'server' | 'hook' | 'checker';
export interface ConfineRequest extends Program {
  readonly roots: readonly string[];
  readonly mode: string;
  readonly purpose?: Purpose;
  readonly grants?: readonly Grant[];
}
export interface EncloseRequest extends Program {
  readonly from: string;
  readonly roots: readonly string[];
  readonly writes: boolean;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly lent: readonly {
    readonly path: string;
    readonly source: string;
  }[];
  readonly hosts: readonly string[];
  report?(connection: ExitConnection): void;
  readonly signal: AbortSignal;
}
export interface Descriptor {
  readonly fd: number;
  readonly data?: string;
}
export interface Confined extends Program {
  readonly memory?: number;
  readonly descriptors: readonly Descriptor[];
}
export interface Mount {
  readonly kind: 'read' | 'write' | 'private' | 'fresh' | 'empty' | 'masked' | 'system';
  readonly path: string;
  readonly source?: string;
  readonly why: string;
}
export interface Plan {
  readonly mounts: readonly Mount[];
  readonly network: {
    readonly reach: 'none' | 'hosts' | 'all';
    readonly why: string;
    readonly hosts?: readonly {
      readonly host: string;
      readonly why: string;
    }[];
  };
  readonly memory?: number;
  readonly processes?: number;
}
export interface ExitConnection {
  readonly host: string;
  readonly port: number;
  readonly fault?: string;
  readonly isUngranted?: true;
}
export interface AskedHost {
  readonly host: string;
  readonly port: number;
  readonly grant: string;
  readonly secrets: readonly string[];
}
export interface AskedPath {
  readonly path: string;
  readonly name?: string;
  readonly fault?: string;
}
export interface ExitWatch {
  decide(asked: AskedHost): boolean | Promise<boolean>;
  report?(connection: ExitConnection): void;
  decidePath?(asked: AskedPath): boolean | Promise<boolean>;
  late?(asked: AskedPath): void;
  readonly signal: AbortSignal;
}
export interface SandboxState {
  readonly isOn: boolean;
  readonly provider?: string;
  readonly why: string;
  readonly isOutside?: true;
  readonly fault?: {
    readonly sentence: string;
    readonly hint: string;
  };
  readonly missing?: {
    readonly sentence: string;
    readonly hint: string;
  };
  readonly isPossible: boolean;
  readonly program?: string;
}
export interface Enclosure {
  readonly isOuter?: true;
  enter(
    words: readonly string[],
    signal: AbortSignal,
    run?: {
      readonly isConversation: boolean;
    },
  ): Promise<number | undefined>;
}
export interface Sandbox {
  state(): Promise<SandboxState>;
  isWanted(): Promise<boolean>;
  confines(): Promise<boolean>;
  assess(asked: Reach, mode: string): Promise<Verdict | undefined>;
  confine(request: ConfineRequest): Promise<Confined | undefined>;
  force(request: ConfineRequest, watch?: ExitWatch): Promise<Confined>;
  enclose(request: EncloseRequest): Promise<Confined>;
  explain(request: Omit<ConfineRequest, keyof Program>): Promise<Plan>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    [enclosure: `enclosure:${string}`]: Enclosure;
    sandbox: Sandbox;
    'sandbox-modes': SandboxModes;
  }
  interface Moments {
    'sandbox:connection': {
      kind: 'notify';
      payload: ExitConnection;
    };
  }
}
