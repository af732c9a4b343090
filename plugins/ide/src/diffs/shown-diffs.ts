import type {DiffNews} from '../connection/companion-notes.js';
import type {Connection} from '../connection/connection.js';
import type {DiffDecision, LeftText, ProposedChange, ShownDiff} from '../contract.js';
import {diffTools, limits} from '../protocol.js';

/** One view of one call. */
interface View {
  readonly call: string;
  readonly path: string;
  /** The editor has said that it stands. */
  isShown: boolean;
  /** What is left when it is closed; set once that has begun. */
  left?: Promise<LeftText>;
  /** What was told before the editor said that it stands: it counts once it does. */
  early?: DiffDecision;
  /** Accepted while it was being closed. */
  accepted?: string;
  onAccepted(): void;
  decide(decision: DiffDecision): void;
  fail(error: Error): void;
}

/** Together less than a listener may take. */
const OPENING_MS = 500;
const CLOSE_MS = 2000;
/** What was said of a view may arrive so long after it was closed. */
const LATE_MS = 500;
const CROSSING_MS = 150;
/** A call that was given up never asks for its text. */
const MOST_LEFT = 16;

/** The changes on show in one editor, one after the other: what one person reads is one thing at a time. */
export class ShownDiffs {
  #view: View | undefined;
  /** What stood in closed views, by call, until the call asks. */
  readonly #left = new Map<string, Promise<LeftText>>();
  #closed = {path: '', at: -Infinity};
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly isSamePath: (one: string, other: string) => boolean) {}

  /**
   * Asks the editor to show a change as soon as the one before is over. When the signal gives up, its view is closed.
   */
  async show(connection: Connection, {call, path, text}: ProposedChange, signal: AbortSignal): Promise<ShownDiff> {
    const before = this.#last;
    let release = (): void => undefined;
    this.#last = new Promise<void>((resolve) => (release = resolve));
    try {
      await orAborted(before, signal);
    } catch (error) {
      // Whoever waits behind this one waits for the one before it.
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

  /** A companion has told what a person decided. What is not on show is somebody else's, or was before. */
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

  /** The editor is gone, and what was on show with it. */
  lose(reason: string): void {
    this.#left.clear();
    this.#view?.fail(new Error(reason));
  }

  /** What stood in the view of a call when it was closed; given once. */
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
    // Whoever shows it may have given up by the time it fails.
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

  /** A view that is only just being opened is closed as soon as it stands, or is given up. */
  #close(connection: Connection, view: View, shown: Promise<void>): Promise<LeftText> {
    const {path, call} = view;
    const accepted = new Promise<void>((resolve) => (view.onAccepted = resolve));
    const left = fetchText(connection, path, shown)
      .then(async (found): Promise<LeftText> => {
        // A view that is gone may have been accepted a moment ago, and the word of it come by another way.
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
    view.fail(new Error('It was closed.'));
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
  if (answer.isError) throw new Error(answer.text || 'the editor did not say why');
}

/** Closes a view without a word to anybody, and says what stood there. Never rejects. */
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
    // It did not answer, or not in the form that is due: nobody knows what stood there, unless it never stood.
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
