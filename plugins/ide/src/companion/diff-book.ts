import {notifications} from '../protocol.js';

/** What an editor does for a companion. */
export interface CompanionEditor {
  /**
   * Shows a diff of the file on disk against `text`. Resolves when it is shown; throws an Error with a sentence when it
   * cannot be shown. The file need not exist.
   */
  openDiff(diff: {readonly path: string; readonly text: string}): Promise<void>;
  /** Closes the view of a path without asking, and gives its current text; undefined when there is no view. */
  closeDiff(path: string): Promise<string | undefined>;
}

/** The sessions that open diffs. */
export interface DiffSessions {
  /** Sends the session that opened a diff how it ended. */
  tell(owner: string, method: string, params: {readonly filePath: string; readonly content?: string}): void;
  /** Whether the session still listens. */
  listens(session: string): boolean;
}

/** Records which session opened which diff. */
export interface DiffBook {
  /**
   * Opens a diff. It silently replaces one of the same session for the same path, because a notification would be taken
   * for the answer to the new one; it also replaces one whose session no longer listens. Rejects while another session
   * that listens has a diff open for the path, because the person has not decided.
   */
  open(session: string, diff: {readonly path: string; readonly text: string}): Promise<void>;
  /**
   * Closes a view and gives its text. The session that opened it gets a rejection, unless it asked for silence itself.
   * A view of another session that listens stays open.
   */
  close(session: string, path: string, isSilent: boolean): Promise<string | undefined>;
  /** Accepts the diff. Does nothing when the other side has just closed the diff; throws when there never was one. */
  accept(path: string, content: string): void;
  /** Rejects the diff. Does nothing when the other side has just closed the diff; throws when there never was one. */
  reject(path: string): void;
}

/** How many diffs closed by the other side are remembered, for answers that cross with the request. */
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
          throw new Error(`Another gemini shows a change of ${path} in this editor. Accept or reject that one first.`);
        if (take(path) !== undefined) await editor.closeDiff(path);
        // Recorded before it is shown: the person may answer before the editor confirms.
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
        // Even if the editor cannot close its view, a later answer there does not count.
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
  /** The session that opened a diff, by path. */
  readonly owners: Map<string, string>;
  /** Removes a diff that the person decided. Throws when there never was one. */
  end(path: string): string | undefined;
  /** Removes a diff that the other side closes or replaces. */
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

/** Runs the steps that concern one path one after the other. */
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
