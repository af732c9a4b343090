import type {DiffNews} from '../connection/companion-notes.js';
import type {Connection} from '../connection/connection.js';
import type {DiffDecision, LeftText, ProposedChange, ShownDiff} from '../contract.js';
import {diffTools, limits} from '../protocol.js';

/** One view of one call. */
interface View {
  readonly call: string;
  readonly path: string;
  /** The editor has confirmed that the view is open. */
  isShown: boolean;
  /** The text of the view when it is closed; set once closing has begun. */
  left?: Promise<LeftText>;
  /** The answer that arrived before the editor confirmed the view; it counts once the view is open. */
  early?: DiffDecision;
  /** Accepted while it was being closed. */
  accepted?: string;
  onAccepted(): void;
  decide(decision: DiffDecision): void;
  fail(error: Error): void;
}

/** Less in total than the time limit of a listener. */
const OPENING_MS = 500;
const CLOSE_MS = 2000;
/** How long after closing a notification about a view may arrive. */
const LATE_MS = 500;
const CROSSING_MS = 150;
/** A cancelled call never asks for its text. */
const MOST_LEFT = 16;

/** The changes shown in one editor, one after the other, because a person reads one at a time. */
export class ShownDiffs {
  #view: View | undefined;
  /** The texts of closed views by call, until the call asks for them. */
  readonly #left = new Map<string, Promise<LeftText>>();
  #closed = {path: '', at: -Infinity};
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly isSamePath: (one: string, other: string) => boolean) {}

  /** Asks the editor to show a change as soon as the previous one is over. Aborting the signal closes its view. */
  async show(connection: Connection, {call, path, text}: ProposedChange, signal: AbortSignal): Promise<ShownDiff> {
    const before = this.#last;
    let release = (): void => undefined;
    this.#last = new Promise<void>((resolve) => (release = resolve));
    try {
      await orAborted(before, signal);
    } catch (error) {
      // The next one waits for this one, which waits for the one before.
      void before.then(release);
      throw error;
    }
    const {view, decided} = this.#begin({call, path});
    const shown = request(connection, {path, text});
    shown.then(
      () => this.#stand(view),
      (error: Error) => view.fail(error),
    );
    const close = (): Promise<LeftText> => (view.left ??= this.#close(connection, view, shown));
    const over = (): void => {
      if (view.left) void view.left.then(release);
      else this.#end(view, release);
    };
    void decided.then(over, over);
    signal.addEventListener('abort', () => void close(), {once: true});
    if (signal.aborted) void close();
    return {decided, close};
  }

  /** Takes a decision that a companion reported. Ignores decisions on changes that are not shown. */
  settle(news: DiffNews): void {
    const view = this.#view;
    if (!view || !this.isSamePath(view.path, news.path)) return;
    const isLate =
      !view.isShown && this.isSamePath(this.#closed.path, news.path) && performance.now() - this.#closed.at < LATE_MS;
    if (isLate) return;
    const decision: DiffDecision =
      news.decision === 'accepted' ? {decision: 'accepted', text: news.text} : {decision: 'rejected'};
    if (!view.left && !view.isShown) view.early = decision;
    else if (!view.left) view.decide(decision);
    else if (news.decision === 'accepted') {
      view.accepted = news.text;
      view.onAccepted();
    }
  }

  /** Ends all views, because the editor has disconnected. */
  lose(reason: string): void {
    this.#left.clear();
    this.#view?.fail(new Error(reason));
  }

  /** The text of the view of a call when it was closed; given once. */
  async takeText(call: string): Promise<LeftText> {
    const left = this.#left.get(call);
    this.#left.delete(call);
    return (await left) ?? {};
  }

  #begin({call, path}: {readonly call: string; readonly path: string}): {
    readonly view: View;
    readonly decided: Promise<DiffDecision>;
  } {
    let settle: Pick<View, 'decide' | 'fail'> = {decide: () => undefined, fail: () => undefined};
    const decided = new Promise<DiffDecision>((resolve, reject) => (settle = {decide: resolve, fail: reject}));
    // The caller may have cancelled before it fails.
    decided.catch(() => undefined);
    const view: View = {call, path, isShown: false, onAccepted: () => undefined, ...settle};
    this.#view = view;
    return {view, decided};
  }

  #stand(view: View): void {
    view.isShown = true;
    if (view.early) view.decide(view.early);
  }

  #end(view: View, release: () => void): void {
    if (this.#view === view) this.#view = undefined;
    release();
  }

  /** A view that is still opening is closed once it is open or fails. */
  #close(connection: Connection, view: View, shown: Promise<void>): Promise<LeftText> {
    const {path, call} = view;
    const accepted = new Promise<void>((resolve) => (view.onAccepted = resolve));
    const left = fetchText(connection, path, shown)
      .then(async (found): Promise<LeftText> => {
        // A view that is gone may have just been accepted, with the notification arriving on another path.
        if (found.text === undefined && view.accepted === undefined)
          await Promise.race([accepted, new Promise((resolve) => setTimeout(resolve, CROSSING_MS).unref())]);
        return view.accepted === undefined ? found : {text: view.accepted};
      })
      .finally(() => {
        this.#closed = {path, at: performance.now()};
        if (this.#view === view) this.#view = undefined;
      });
    this.#left.set(call, left);
    const [oldest] = this.#left.keys();
    if (this.#left.size > MOST_LEFT && oldest !== undefined) this.#left.delete(oldest);
    view.fail(new Error('The view was closed.'));
    return left;
  }
}

async function request(
  connection: Connection,
  {path, text}: {readonly path: string; readonly text: string},
): Promise<void> {
  const answer = await connection.call(
    diffTools.open,
    {filePath: path, newContent: text},
    {timeoutMs: limits.requestMs},
  );
  if (answer.isError) throw new Error(answer.text || 'the editor gave no reason');
}

/** Closes a view without a notification, and gives its text. Never rejects. */
async function fetchText(connection: Connection, path: string, shown: Promise<void>): Promise<LeftText> {
  const state = await Promise.race([
    shown.then(
      () => 'shown',
      () => 'never',
    ),
    new Promise<string>((resolve) => setTimeout(resolve, OPENING_MS, 'opening').unref()),
  ]);
  if (state === 'never') return {};
  try {
    const {isError, text} = await connection.call(
      diffTools.close,
      {filePath: path, suppressNotification: true},
      {timeoutMs: CLOSE_MS},
    );
    const {content} = isError ? {} : (JSON.parse(text) as {readonly content?: unknown});
    return typeof content === 'string' ? {text: content} : {};
  } catch {
    // No answer, or one in the wrong form: the text is unknown, unless the view never opened.
    return state === 'shown' ? {isUnknown: true} : {};
  }
}

function orAborted(waited: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, {once: true});
    void waited.then(() => resolve(), reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
