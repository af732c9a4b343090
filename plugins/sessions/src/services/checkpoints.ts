import {setTimeout} from 'node:timers/promises';
import {messageOf, provide, type ServiceContext, type ToolCall} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {appendCheckpoint, checkpointsOf} from '../checkpoint-log.js';
import type {Checkpoints} from '../contract.js';
import {isSameState, Snapshots, stateOf, type PathState} from '../file-state.js';
import type {Scan} from '../scan-files.js';
import type {CommandWatch} from '../watch-command.js';

/** Of a file that a tool is about to change. */
const MOST_DIRECT = 64 * 1024 * 1024;
const MOST_FILES = 20_000;
/** A listener has five seconds, before and after together; past them the call itself would fail. */
const MOST_MS = 700;
const MOST_BEFORE_MS = 2200;
const MOST_AFTER_MS = 2000;

interface Watched {
  readonly folder: string;
  readonly before: readonly PathState[];
  /** The workspace as it was, when the call does not say what it writes. */
  readonly scan?: Scan;
}

/** Keeps what calls change in a live session. */
export default provide('checkpoints', {version: '1.0.0', scope: 'session', create: (context) => new LiveCheckpoints(context)});

class LiveCheckpoints implements Checkpoints {
  readonly #context: ServiceContext;
  readonly #watched = new Map<string, Watched>();
  #watch: CommandWatch | undefined;
  #isWarned = false;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async before(call: ToolCall): Promise<void> {
    await this.#quietly(MOST_BEFORE_MS, async (isOver) => {
      const place = await (await this.#context.service('recording')).place();
      if (!place) return;
      const {folder, prompt} = place;
      const store = new Snapshots(checkpointsOf(folder).objects);
      const paths = [...new Set(call.touches.filter(({kind, access}) => kind === 'path' && access === 'write').map(({value}) => value))];
      if (call.effect === 'execute' || paths.length === 0) {
        const scan = await (await this.#openWatch(store)).before();
        if (!isOver()) this.#watched.set(call.id, {folder, before: [], scan});
      } else {
        const before = await Promise.all(paths.map(async (path) => ({path, state: await stateOf(path, {most: MOST_DIRECT, store})})));
        if (isOver()) return;
        this.#watched.set(call.id, {folder, before});
        await appendCheckpoint(folder, {...this.#describe(call, prompt), before, gaps: []});
      }
    });
  }

  async after(call: ToolCall): Promise<void> {
    await this.#quietly(MOST_AFTER_MS, async () => {
      const watched = this.#watched.get(call.id);
      this.#watched.delete(call.id);
      if (!watched) return;
      const {folder, before, scan} = watched;
      if (!scan) {
        const after = await Promise.all(before.map(async ({path}) => ({path, state: await stateOf(path, {most: MOST_DIRECT})})));
        return appendCheckpoint(folder, {id: call.id, after});
      }
      const place = await (await this.#context.service('recording')).place();
      const changes = await (await this.#openWatch(new Snapshots(checkpointsOf(folder).objects))).after(scan);
      if (changes.before.length > 0 || changes.gaps.length > 0) await appendCheckpoint(folder, {...this.#describe(call, place?.prompt), ...changes});
      const lost = changes.before.find(({state}, index) => state.kind === 'unknown' && !isSameState(state, changes.after[index]?.state ?? state));
      const reason = changes.gaps[0] ?? (lost?.state.kind === 'unknown' ? `${lost.path} was changed by a command, and its former content is not there: ${lost.state.reason}.` : undefined);
      if (reason !== undefined) this.#warn(`Not everything that commands change here can be brought back. ${reason}`);
    });
  }

  #describe(call: ToolCall, prompt: string | undefined): {id: string; tool: string; time: string; prompt?: string} {
    return {id: call.id, tool: call.tool, time: new Date().toISOString(), ...(prompt === undefined ? {} : {prompt})};
  }

  async #openWatch(store: Snapshots): Promise<CommandWatch> {
    const [workspace, {CommandWatch}] = await Promise.all([this.#context.service('workspace'), import('../watch-command.js')]);
    const roots = (await workspace.roots()).map(({path}) => path);
    const {variables} = this.#context.environment;
    return (this.#watch ??= new CommandWatch({roots, variables, ignored: (paths) => workspace.ignored(paths), mostFiles: MOST_FILES, mostMs: MOST_MS}, store));
  }

  /** What cannot be kept, or not in time, is said, once; it never stops a call. */
  async #quietly(mostMs: number, act: (isOver: () => boolean) => Promise<void>): Promise<void> {
    const over = new AbortController();
    const limit = setTimeout(mostMs, undefined, {ref: false, signal: over.signal}).then(() => {
      over.abort();
      throw new Error(`keeping them takes longer than ${mostMs} ms.`);
    });
    try {
      await Promise.race([act(() => over.signal.aborted), limit]);
    } catch (error) {
      this.#warn(`Files that calls change cannot be brought back: ${messageOf(error)}`);
    } finally {
      limit.catch(() => undefined);
      over.abort();
    }
  }

  #warn(sentence: string): void {
    if (!this.#isWarned) this.#context.environment.warn(sentence);
    this.#isWarned = true;
  }
}
