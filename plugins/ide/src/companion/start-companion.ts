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
  /** The folders that the editor has open, absolute. */
  readonly roots: readonly string[];
  /**
   * The process that gemini finds among its ancestors: the editor's main process. Without it, the parent of this
   * process.
   */
  readonly pid?: number;
  /** The discovery file goes below this folder; without it, below the system's temporary folder, where gemini looks. */
  readonly temporary?: string;
  /** Whether the editor trusts its folders. */
  readonly isTrusted?: boolean;
  readonly editor: CompanionEditor;
  /** Told in a sentence what went wrong and stopped nothing. */
  warn?(sentence: string): void;
}

/** A companion that runs. */
export interface Companion {
  readonly port: number;
  readonly token: string;
  /** Variables for the terminals that the editor opens: gemini finds the companion by them too. */
  variables(): Readonly<Record<string, string>>;
  /**
   * Replaces what is known of the editor. It may be called as often as the editor likes: gemini is told the newest at
   * most every 50 ms.
   */
  update(state: {readonly openFiles?: readonly OpenFile[]; readonly isTrusted?: boolean}): void;
  /** The editor has other folders open now. */
  setRoots(roots: readonly string[]): Promise<void>;
  /**
   * The person took a diff, with `content` as its text. Its view is the editor's to close. Throws when no diff of that
   * path was open.
   */
  accept(path: string, content: string): void;
  /** The person does not want a diff, or closed its view. Throws when no diff of that path was open. */
  reject(path: string): void;
  /** Ends it and removes its discovery file. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a companion: a server on the loopback interface that gemini finds, with what it is told of the editor. Throws
 * when there is no port, or when a root is not absolute. Where no discovery file can be written it says so by `warn`,
 * and is found by its variables only.
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

/** Does something soon after it was asked for, once however often it was. */
function createDebounce(act: () => void): {soon(): void; stop(): void} {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon() {
      // A timer that is set already is left: under a constant stream it would be put off for ever.
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, limits.debounceMs);
    },
    stop: () => clearTimeout(timer),
  };
}
