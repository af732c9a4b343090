import {
  isKernelError,
  messageOf,
  provide,
  type Environment,
  type ServiceContext,
  type Tell,
} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {describeAll, describeChanges} from '../context/describe-context.js';
import type {EditorContext, Ide, OpenFile} from '../contract.js';

/** How long a prompt waits for an editor that is just being connected. */
const PATIENCE_MS = 500;
/** How often an editor that is not there is looked for. */
const LOOK_MS = 10_000;
const SEEN = 'ide.hasSeenNudge';

/**
 * What of the editor one conversation knows. Created with a conversation, it connects, and lets the editor's folders
 * join the workspace.
 */
export default provide('editor-context', {
  version: '1.0.0',
  scope: 'session',
  methods: ['take', 'reset'],
  async create({environment, service, signal, tell}) {
    const ide = await service('ide');
    const join = async (roots: readonly string[]): Promise<void> => {
      const workspace = await service('workspace');
      for (const root of roots) await workspace.add([root], {scope: 'session', source: 'editor'}).catch(passMissing);
    };
    const context = new ToldContext({ide, join, signal, tell});
    void context
      .look()
      .then(() => offer(ide, {environment, service, tell}))
      .catch((error: unknown) =>
        tell({code: 'EDITOR_NOT_OFFERED', sentence: `An editor could not be offered: ${messageOf(error)}`}),
      );
    return context;
  },
});

interface Parts {
  readonly ide: Ide;
  /** Lets folders join the workspace. */
  join(roots: readonly string[]): Promise<void>;
  readonly signal: AbortSignal;
  readonly tell: Tell;
}

class ToldContext implements EditorContext {
  #told: readonly OpenFile[] | undefined;
  #looked = 0;
  #looking: Promise<void> = Promise.resolve();
  /** The folders that have joined. */
  #joined = '';

  constructor(private readonly parts: Parts) {}

  /** Connects in the background, if there is anything to connect with. Never rejects. */
  look(): Promise<void> {
    const {ide, signal, tell} = this.parts;
    this.#looked = performance.now();
    this.#looking = ide
      .connect({signal})
      .then(() => this.#join())
      .catch((error: unknown) => {
        if (signal.aborted) return;
        tell({
          code: 'EDITOR_FILES_UNKNOWN',
          sentence: `What the editor has open could not be taken over: ${messageOf(error)}`,
        });
      });
    return this.#looking;
  }

  async take(): Promise<string | undefined> {
    await this.#settle();
    const before = this.#told;
    const now = (this.#told = await this.parts.ide.openFiles());
    return before ? describeChanges(before, now) : describeAll(now);
  }

  reset(): Promise<void> {
    this.#told = undefined;
    return Promise.resolve();
  }

  async #settle(): Promise<void> {
    const {state} = await this.parts.ide.status();
    if (state === 'disabled') return;
    // A command, or a reconnection, may have connected since.
    if (state === 'connected') return this.#join();
    if (state === 'disconnected' && performance.now() - this.#looked > LOOK_MS) void this.look();
    await Promise.race([this.#looking, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);
  }

  async #join(): Promise<void> {
    const {state, editor} = await this.parts.ide.status();
    const roots = state === 'connected' ? (editor?.roots ?? []) : [];
    if (roots.length === 0 || roots.join('\n') === this.#joined) return;
    this.#joined = roots.join('\n');
    await this.parts.join(roots);
  }
}

/** An editor may still list a folder that is gone. */
function passMissing(error: unknown): void {
  if (!isKernelError(error) || !error.code.startsWith('DIRECTORY_')) throw error;
}

type Means = Pick<ServiceContext, 'service' | 'tell'> & {readonly environment: Environment};

/** Says once that an editor could be connected with. */
async function offer(ide: Ide, {environment, service, tell}: Means): Promise<void> {
  if ((await ide.status()).state !== 'disabled' || !environment.interactive) return;
  const settings = await service('settings');
  if ((await settings.getApart(SEEN)) === true) return;
  const [editor] = (await ide.discover()).candidates;
  if (!editor) return;
  tell({
    level: 'info',
    code: 'EDITOR_FOUND',
    sentence:
      `${editor.info.displayName} has this folder open. /ide enable connects with it: what you look at is told to ` +
      'the model, and changes are shown there.',
  });
  await settings.set(SEEN, true, {scope: 'user'});
}
