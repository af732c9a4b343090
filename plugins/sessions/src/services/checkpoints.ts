import {setTimeout} from 'node:timers/promises';
import {messageOf, provide, type ServiceContext, type ToolCall} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-policy/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {appendCheckpoint, checkpointsOf} from '../checkpoint-log.js';
import type {CommandChanges} from '../command-changes.js';
import type {Checkpoints} from '../contract.js';
import {isSameState, Snapshots, stateOf, type PathState} from '../file-state.js';
import {readFollowing} from '../follow-setting.js';
import type {CommandFollower, Followed} from '../watch/follow-commands.js';

/** For a file that a tool is about to change. */
const MOST_DIRECT = 64 * 1024 * 1024;
/** A listener has five seconds, before and after together; past them the call itself fails. */
const MOST_BEFORE_MS = 2200;
const MOST_AFTER_MS = 2000;
/** How long the end of the program waits. */
const MOST_SETTLING_MS = 2000;

interface Noted {
  readonly folder: string;
  readonly before: readonly PathState[];
  /** A command, which does not declare what it writes. */
  readonly followed?: {readonly by: CommandFollower; readonly command: Followed};
}

/** Saves what calls change in a live session. */
export default provide('checkpoints', {
  version: '1.0.0',
  scope: 'session',
  methods: ['before', 'after', 'settled'],
  create: (context) => new LiveCheckpoints(context),
  dispose: (checkpoints) => (checkpoints as LiveCheckpoints).close(),
});

class LiveCheckpoints implements Checkpoints {
  readonly #context: ServiceContext;
  readonly #noted = new Map<string, Noted>();
  #follower: CommandFollower | undefined;
  /** Changes of finished commands are determined while the model is asked. */
  #settling: Promise<void> = Promise.resolve();

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async before(call: ToolCall): Promise<void> {
    await this.#quietly(MOST_BEFORE_MS, async (isOver) => {
      await this.#settling;
      const place = await (await this.#context.service('recording')).place();
      if (!place) return;
      const {folder, prompt} = place;
      const paths = [
        ...new Set(
          call.touches.filter(({kind, access}) => kind === 'path' && access === 'write').map(({value}) => value),
        ),
      ];
      if (call.effect === 'execute' || paths.length === 0) {
        const by = (await this.#onlyReads(call)) ? undefined : await this.#openFollower(folder);
        const command = await by?.before();
        if (by && command && !isOver()) this.#noted.set(call.id, {folder, before: [], followed: {by, command}});
        return;
      }
      const store = new Snapshots(checkpointsOf(folder).objects);
      const before = await Promise.all(
        paths.map(async (path) => ({path, state: await stateOf(path, {most: MOST_DIRECT, store})})),
      );
      if (isOver()) return;
      this.#noted.set(call.id, {folder, before});
      await appendCheckpoint(folder, {...this.#describe(call, prompt), before, gaps: []});
    });
  }

  async after(call: ToolCall): Promise<void> {
    await this.#quietly(MOST_AFTER_MS, async () => {
      const noted = this.#noted.get(call.id);
      this.#noted.delete(call.id);
      if (!noted) return;
      const {folder, before, followed} = noted;
      if (!followed) {
        const after = await Promise.all(
          before.map(async ({path}) => ({path, state: await stateOf(path, {most: MOST_DIRECT})})),
        );
        return appendCheckpoint(folder, {id: call.id, after});
      }
      const place = await (await this.#context.service('recording')).place();
      const find = await followed.by.after(followed.command);
      this.#settling = this.#settle(folder, this.#describe(call, place?.prompt), find);
    });
  }

  async settled(): Promise<void> {
    await this.#settling;
  }

  async close(): Promise<void> {
    await Promise.race([this.#settling, setTimeout(MOST_SETTLING_MS, undefined, {ref: false})]);
    await this.#follower?.close();
  }

  /** Never rejects. */
  async #settle(folder: string, call: Described, find: () => Promise<CommandChanges>): Promise<void> {
    try {
      const {before, after, gaps, modes} = await find();
      if (before.length + gaps.length + modes.length > 0)
        await appendCheckpoint(folder, {...call, before, after, gaps: [...gaps, ...modes]});
      const lost = before.find(
        ({state}, index) => state.kind === 'unknown' && !isSameState(state, after[index]?.state ?? state),
      );
      const why = lost?.state.kind === 'unknown' ? lost.state.reason : undefined;
      const reason =
        gaps[0] ?? (lost && why && `A command changed ${lost.path}, and its former content is not available: ${why}.`);
      if (reason !== undefined) this.#warn(`Some changes that commands make here cannot be undone. ${reason}`);
    } catch (error) {
      this.#warn(`File changes of calls cannot be undone: ${messageOf(error)}`);
    }
  }

  #describe(call: ToolCall, prompt: string | undefined): Described {
    return {id: call.id, tool: call.tool, time: new Date().toISOString(), ...(prompt === undefined ? {} : {prompt})};
  }

  /** Whether the product's own rules know that a command changes no file. */
  async #onlyReads(call: ToolCall): Promise<boolean> {
    const {names, service} = this.#context;
    return names('policy').length > 0 && (await (await service('policy')).onlyReads(call));
  }

  /** Undefined when the user has turned it off. */
  async #openFollower(folder: string): Promise<CommandFollower | undefined> {
    const {
      environment: {variables, platform},
      service,
    } = this.#context;
    const [workspace, following] = await Promise.all([service('workspace'), service('settings').then(readFollowing)]);
    if (following === 'off') return undefined;
    const roots = (await workspace.roots()).map(({path}) => path);
    const isSame =
      this.#follower?.roots.length === roots.length &&
      this.#follower.roots.every((root, index) => root === roots[index]);
    if (this.#follower && isSame) return this.#follower;
    await this.#follower?.close();
    const [{CommandFollower}, {objects, folder: scratch}] = [
      await import('../watch/follow-commands.js'),
      checkpointsOf(folder),
    ];
    this.#follower = new CommandFollower({
      roots,
      variables,
      platform,
      workspace,
      store: new Snapshots(objects),
      scratch,
      following,
    });
    return this.#follower;
  }

  /** A save that fails or is late is reported once; it never stops a call. */
  async #quietly(mostMs: number, act: (isOver: () => boolean) => Promise<void>): Promise<void> {
    const over = new AbortController();
    const limit = setTimeout(mostMs, undefined, {ref: false, signal: over.signal}).then(() => {
      over.abort();
      throw new Error(`saving them takes longer than ${mostMs} ms.`);
    });
    try {
      await Promise.race([act(() => over.signal.aborted), limit]);
    } catch (error) {
      this.#warn(`File changes of calls cannot be undone: ${messageOf(error)}`);
    } finally {
      limit.catch(() => undefined);
      over.abort();
    }
  }

  #warn(sentence: string): void {
    this.#context.tell({code: 'CHANGES_NOT_KEPT', sentence, once: 'changes'});
  }
}

/** A call as its record names it. */
interface Described {
  readonly id: string;
  readonly tool: string;
  readonly time: string;
  readonly prompt?: string;
}
