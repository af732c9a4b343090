import {randomBytes} from 'node:crypto';
import {tmpdir} from 'node:os';
import {limits, variables, type IdeInfo, type OpenFile} from '../protocol.js';
import {startServer} from './companion-server.js';
import {createDiffBook, type CompanionEditor} from './diff-book.js';
import {callTool} from './diff-tools.js';
import {joinRoots} from './discovery-file.js';
import {parentPid} from './host-process.js';
import {normaliseContext, type EditorState} from './normalise-context.js';
import {checkRoots, publishCompanion} from './publish-companion.js';

export interface CompanionOptions {
  readonly ide: IdeInfo;
  /** The folders open in the editor, absolute. */
  readonly roots: readonly string[];
  /**
   * The process that gemini finds among its ancestors: the editor's main process. By default, the parent of this
   * process.
   */
  readonly pid?: number;
  /** The folder for the discovery file; by default the system's temporary folder, where gemini looks. */
  readonly temporary?: string;
  /** Whether the editor trusts its folders. */
  readonly isTrusted?: boolean;
  readonly editor: CompanionEditor;
  /** Called with a sentence for each problem that stopped nothing. */
  warn?(sentence: string): void;
}

/** A running companion. */
export interface Companion {
  readonly port: number;
  readonly token: string;
  /** Variables for the terminals that the editor opens: gemini finds the companion by these too. */
  variables(): Readonly<Record<string, string>>;
  /**
   * Replaces the state of the editor. Call it as often as you like: gemini gets the newest state at most every 50 ms.
   */
  update(state: {readonly openFiles?: readonly OpenFile[]; readonly isTrusted?: boolean}): void;
  /** The editor has different folders open now. */
  setRoots(roots: readonly string[]): Promise<void>;
  /**
   * The person accepted a diff, with `content` as its text. The editor closes its view. Throws when no diff of that
   * path was open.
   */
  accept(path: string, content: string): void;
  /** The person rejected a diff, or closed its view. Throws when no diff of that path was open. */
  reject(path: string): void;
  /** Ends it and removes its discovery file. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a companion: a server on the loopback interface that tells gemini the state of the editor. Throws when there
 * is no free port, or when a root is not absolute. If it cannot write a discovery file, it calls `warn`, and gemini
 * finds it by its variables only.
 */
export async function startCompanion(options: CompanionOptions): Promise<Companion> {
  const {ide, editor, pid = parentPid(), temporary = tmpdir(), warn = () => undefined} = options;
  checkRoots(options.roots, warn);
  const token = randomBytes(32).toString('base64url');
  let state: EditorState = {openFiles: [], ...(options.isTrusted === undefined ? {} : {isTrusted: options.isTrusted})};
  const diffs = createDiffBook(editor, {
    tell: (owner, method, params) => server.tell(owner, method, {...params}),
    listens: (session) => server.listens(session),
  });
  const server = await startServer({
    name: `${ide.name}-companion`,
    token,
    warn,
    context: () => normaliseContext(state),
    callTool: (session, call) => callTool(diffs, session, call),
  });
  const telling = createDebounce(() => server.showContext());
  const publishing = await publishCompanion({
    ide,
    pid,
    temporary,
    port: server.port,
    token,
    roots: options.roots,
    warn,
  });
  const companion: Companion = {
    port: server.port,
    token,
    variables: () => ({
      [variables.port]: String(server.port),
      [variables.workspacePath]: joinRoots(publishing.roots()),
      [variables.authToken]: token,
    }),
    update(changed) {
      state = {...state, ...changed};
      telling.soon();
    },
    setRoots: (roots) => publishing.setRoots(roots),
    accept: diffs.accept,
    reject: diffs.reject,
    async close() {
      telling.stop();
      await publishing.end();
      await server.close();
    },
    [Symbol.asyncDispose]: () => companion.close(),
  };
  return companion;
}

/** Runs a function soon after it was requested, once for any number of requests. */
function createDebounce(act: () => void): {soon(): void; stop(): void} {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon() {
      // A timer that is already set stays: resetting it under a constant stream would postpone it forever.
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, limits.debounceMs);
    },
    stop: () => clearTimeout(timer),
  };
}
