import {messageOf, type Environment, type Tell} from '@gemini-kernel/kernel';
import {normaliseFiles} from '../context/normalise-files.js';
import {withExisting} from '../context/with-existing.js';
import type {
  Discovery,
  FoundEditor,
  Ide,
  IdeFault,
  IdeStatus,
  LeftText,
  OpenFile,
  ProposedChange,
  ShownDiff,
} from '../contract.js';
import {ShownDiffs} from '../diffs/shown-diffs.js';
import {discoverEditors} from '../discovery/discover-editors.js';
import {faultOf} from '../faults.js';
import {diffTools, notifications} from '../protocol.js';
import {readContextUpdate, readDiffNews} from './companion-notes.js';
import type {Connection} from './connection.js';
import {openConnection} from './open-connection.js';
import {tryEditors} from './try-editors.js';

/** The first delay before a reconnection; it doubles each time, until a connection has lasted. */
const AGAIN = {firstMs: 250, mostMs: 30_000, lastingMs: 30_000};

interface Parts {
  readonly environment: Environment;
  readonly tell: Tell;
  readonly version: string;
  readonly signal: AbortSignal;
  isEnabled(): Promise<boolean>;
  /** Called when the editor changes its view of trust. */
  onTrust(trusted: boolean, editor: FoundEditor): void;
}

/** What one editor has reported. Dropped with the connection, so that it is never taken for another editor's. */
interface Told {
  readonly editor: FoundEditor;
  readonly diffs: ShownDiffs;
  /** The last update, read only when needed, because an editor can send thousands per second. */
  update?: unknown;
  isTrusted?: boolean;
}

interface Live extends Told {
  readonly connection: Connection;
  readonly since: number;
}

interface Attempt {
  readonly done: Promise<void>;
  readonly stop: AbortController;
}

/** The connection of this program to an editor. */
export class LiveIde implements Ide {
  readonly #parts: Parts;
  #live: Live | undefined;
  #attempt: Attempt | undefined;
  #fault: IdeFault | undefined;
  #isDisabled = false;
  #pingMs: number | undefined;
  #retry: NodeJS.Timeout | undefined;
  #losses = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.signal.addEventListener('abort', () => this.#stopTrying(), {once: true});
  }

  async status(): Promise<IdeStatus> {
    const live = this.#live;
    const canDiff =
      live !== undefined && [diffTools.open, diffTools.close].every((tool) => live.connection.tools.has(tool));
    const fault = live ? (canDiff ? undefined : missingTools(live.connection)) : this.#fault;
    return {
      state: live ? 'connected' : this.#attempt ? 'connecting' : this.#isDisabled ? 'disabled' : 'disconnected',
      canDiff,
      openFiles: await this.openFiles(),
      ...(live ? {editor: live.editor, server: live.connection.server} : {}),
      ...(fault ? {fault} : {}),
      ...(live?.isTrusted === undefined ? {} : {isTrusted: live.isTrusted}),
      ...(this.#pingMs === undefined ? {} : {pingMs: this.#pingMs}),
    };
  }

  async connect({
    signal,
    anyway = false,
  }: {readonly signal?: AbortSignal; readonly anyway?: boolean} = {}): Promise<IdeStatus> {
    this.#isDisabled = !anyway && !(await this.#parts.isEnabled());
    if (this.#isDisabled) this.#fault = faultOf('disabled');
    else if (!this.#live) await unlessAborted((this.#attempt ?? this.#begin()).done, signal);
    return this.status();
  }

  async disconnect(): Promise<void> {
    this.#stopTrying();
    const live = this.#live;
    this.#forget('It is disconnected.');
    await live?.connection.close();
  }

  discover(): Promise<Discovery> {
    const {environment, signal} = this.#parts;
    return discoverEditors({environment, signal});
  }

  async ping(): Promise<number | undefined> {
    const live = this.#live;
    if (!live) return undefined;
    try {
      return (this.#pingMs = await live.connection.ping());
    } catch (error) {
      this.#lose(live, messageOf(error));
      return undefined;
    }
  }

  async openFiles(): Promise<readonly OpenFile[]> {
    const {workspaceState} = readContextUpdate(this.#live?.update);
    return normaliseFiles(await withExisting(workspaceState?.openFiles ?? []));
  }

  async showDiff(change: ProposedChange, signal: AbortSignal): Promise<ShownDiff> {
    const live = this.#live;
    if (!live) throw new Error('No editor is connected.');
    return live.diffs.show(live.connection, change, signal);
  }

  async takeText(call: string): Promise<LeftText> {
    const live = this.#live;
    const left = (await live?.diffs.takeText(call)) ?? {};
    if (left.isUnknown) {
      const name = live?.editor.info.displayName ?? 'The editor';
      const sentence = `${name} did not return the text of its diff, so the proposed text is used.`;
      this.#parts.tell({code: 'EDITOR_TEXT_UNKNOWN', sentence});
    }
    return left;
  }

  #begin(): Attempt {
    clearTimeout(this.#retry);
    const stop = new AbortController();
    const attempt: Attempt = {
      stop,
      done: this.#tryAll(AbortSignal.any([this.#parts.signal, stop.signal])).finally(() => {
        if (this.#attempt === attempt) this.#attempt = undefined;
      }),
    };
    return (this.#attempt = attempt);
  }

  /** Tries each matching editor; keeps the fault of the best one. */
  async #tryAll(signal: AbortSignal): Promise<void> {
    const enter = async (editor: FoundEditor, limited: AbortSignal): Promise<void> => {
      const live = await this.#open(editor, limited);
      if (signal.aborted) await live.connection.close();
      else this.#enter(live);
    };
    const fault = await tryEditors(await this.discover(), enter, signal);
    if (fault) this.#fault = fault;
  }

  async #open(editor: FoundEditor, signal: AbortSignal): Promise<Live> {
    const {environment, version} = this.#parts;
    const told: Told = {editor, diffs: new ShownDiffs(samePathOn(environment.platform))};
    const connection = await openConnection({
      editor,
      environment,
      version,
      signal,
      hear: (method, parameters) => this.#hear(told, method, parameters),
    });
    return Object.assign(told, {connection, since: performance.now()});
  }

  #enter(live: Live): void {
    [this.#live, this.#fault] = [live, undefined];
    void live.connection.lost.then((detail) => this.#lose(live, detail));
    if (live.isTrusted !== undefined) this.#parts.onTrust(live.isTrusted, live.editor);
  }

  #hear(told: Told, method: string, parameters: unknown): void {
    const news = readDiffNews(method, parameters);
    if (news) told.diffs.settle(news);
    if (method !== notifications.contextUpdate) return;
    told.update = parameters;
    const {isTrusted} = readContextUpdate(parameters).workspaceState ?? {};
    if (isTrusted === undefined || isTrusted === told.isTrusted) return;
    told.isTrusted = isTrusted;
    if (this.#live === told) this.#parts.onTrust(isTrusted, told.editor);
  }

  /** Reconnects after a loss, at growing intervals: the editor may only be restarting. */
  #lose(live: Live, detail: string): void {
    if (live !== this.#live) return;
    this.#forget(`The connection is lost: ${detail}.`);
    this.#fault = faultOf('lost', {editor: live.editor.info.displayName, detail});
    if (performance.now() - live.since > AGAIN.lastingMs) this.#losses = 0;
    this.#tryLater();
    void live.connection.close();
  }

  #tryLater(): void {
    if (this.#parts.signal.aborted) return;
    const delay = Math.min(AGAIN.mostMs, AGAIN.firstMs * 2 ** this.#losses);
    this.#losses += 1;
    this.#retry = setTimeout(() => {
      const again = (): void => this.#tryLater();
      void this.connect().then(({state}) => (state === 'disconnected' ? again() : undefined), again);
    }, delay);
    this.#retry.unref();
  }

  #stopTrying(): void {
    clearTimeout(this.#retry);
    this.#attempt?.stop.abort(new Error('The connection is no longer wanted.'));
    this.#attempt = undefined;
  }

  #forget(why: string): void {
    const live = this.#live;
    this.#live = undefined;
    live?.diffs.lose(why);
  }
}

function missingTools({editor, tools}: Connection): IdeFault {
  const missing = [diffTools.open, diffTools.close].filter((tool) => !tools.has(tool));
  return faultOf('tools-missing', {editor: editor.info.displayName, detail: missing.join(' and ')});
}

/** An editor on Windows may write the drive and the slashes differently. */
function samePathOn(platform: Environment['platform']): (one: string, other: string) => boolean {
  const plain = (path: string): string => (platform === 'win32' ? path.replaceAll('/', '\\').toLowerCase() : path);
  return (one, other) => plain(one) === plain(other);
}

/** Waits until the caller cancels; the work itself continues. */
async function unlessAborted(act: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return act;
  if (signal.aborted) return;
  await Promise.race([
    act,
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), {once: true})),
  ]);
}
