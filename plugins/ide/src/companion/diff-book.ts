import {notifications} from '../protocol.js';

/** What an editor does for a companion. */
export interface CompanionEditor {
  /**
   * Shows a diff of the file on disk against `text`; resolves when it is shown, throws an Error with a sentence when it
   * cannot be. The file need not exist.
   */
  openDiff(diff: {readonly path: string; readonly text: string}): Promise<void>;
  /**
   * Closes the view of a path without asking, and gives the text that stands in it now; undefined when there is no
   * view.
   */
  closeDiff(path: string): Promise<string | undefined>;
}

/** The sessions that diffs are opened for. */
export interface DiffSessions {
  /** Tells the session that a diff belongs to how it ended. */
  tell(owner: string, method: string, params: {readonly filePath: string; readonly content?: string}): void;
  /** Whether somebody listens there now. */
  listens(session: string): boolean;
}

/** Knows which diff was opened for which session. */
export interface DiffBook {
  /**
   * Opens a diff. One of the same session for the same path is replaced without a word, for a word would be taken for
   * the answer to the new one; so is one whose session nobody listens to any more. Rejects while another session that
   * listens has one open: the person has not decided.
   */
  open(session: string, diff: {readonly path: string; readonly text: string}): Promise<void>;
  /**
   * Closes a view and gives its text. Whoever opened it is told that it was rejected, unless it asked for silence
   * itself. Another session's stays, as long as that listens.
   */
  close(session: string, path: string, isSilent: boolean): Promise<string | undefined>;
  /**
   * The person took the text. Does nothing when the other side has just closed the diff; throws when there never was
   * one.
   */
  accept(path: string, content: string): void;
  /**
   * The person does not want it. Does nothing when the other side has just closed the diff; throws when there never was
   * one.
   */
  reject(path: string): void;
}

/** How many diffs that the other side closed are remembered, for answers that crossed with it. */
const REMEMBERED = 100;

/** An empty book. */
export function createDiffBook(editor: CompanionEditor, {tell, listens}: DiffSessions): DiffBook {
  const {owners, end, take} = createOwners();
  const inTurn = createTurns();
  const isAnothers = (session: string, path: string): boolean => {
    const owner = owners.get(path);
    return owner !== undefined && owner !== session && listens(owner);
  };
  return {
    open: (session, {path, text}) =>
      inTurn(path, async () => {
        if (isAnothers(session, path))
          throw new Error(`Another gemini shows a change of ${path} in this editor; it has to be decided first.`);
        if (take(path) !== undefined) await editor.closeDiff(path);
        // Before it is shown: the person may be quicker than the editor's answer.
        owners.set(path, session);
        try {
          await editor.openDiff({path, text});
        } catch (error) {
          owners.delete(path);
          throw error;
        }
      }),
    close: (session, path, isSilent) =>
      inTurn(path, async () => {
        if (isAnothers(session, path)) return undefined;
        const owner = take(path);
        // Whether or not the editor can close its view, what the person does there counts no more.
        if (owner !== undefined && !(isSilent && owner === session))
          tell(owner, notifications.diffRejected, {filePath: path});
        return editor.closeDiff(path);
      }),
    accept(path, content) {
      const owner = end(path);
      if (owner !== undefined) tell(owner, notifications.diffAccepted, {filePath: path, content});
    },
    reject(path) {
      const owner = end(path);
      if (owner !== undefined) tell(owner, notifications.diffRejected, {filePath: path});
    },
  };
}

interface Owners {
  /** The session that a diff was opened for, by path. */
  readonly owners: Map<string, string>;
  /** Takes out a diff that the person decided. Throws when there never was one. */
  end(path: string): string | undefined;
  /** Takes out a diff that the other side closes or replaces. */
  take(path: string): string | undefined;
}

function createOwners(): Owners {
  const owners = new Map<string, string>();
  const closed = new Set<string>();
  return {
    owners,
    end(path) {
      const owner = owners.get(path);
      if (owner === undefined && !closed.has(path)) throw new Error(`No diff of ${path} is open.`);
      owners.delete(path);
      return owner;
    },
    take(path) {
      const owner = owners.get(path);
      owners.delete(path);
      if (owner !== undefined) remember(closed, path);
      return owner;
    },
  };
}

function remember(paths: Set<string>, path: string): void {
  paths.delete(path);
  paths.add(path);
  const [oldest] = paths;
  if (paths.size > REMEMBERED && oldest !== undefined) paths.delete(oldest);
}

/** Lets what concerns one path happen one after the other. */
function createTurns(): <T>(path: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (path, act) => {
    const own = Promise.resolve(last.get(path)).then(act);
    const settled = own.then(
      () => undefined,
      () => undefined,
    );
    last.set(path, settled);
    try {
      return await own;
    } finally {
      if (last.get(path) === settled) last.delete(path);
    }
  };
}
