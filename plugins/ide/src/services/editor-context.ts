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

/** How long a prompt waits for an editor that is just connecting. */
const PATIENCE_MS = 500;
/** How often to look for a missing editor. */
const LOOK_MS = 10_000;
const SEEN = 'ide.hasSeenNudge';

/**
 * What one conversation knows of the editor. Created with the conversation, it connects, and adds the editor's folders
 * to the workspace.
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
        tell({code: 'EDITOR_NOT_OFFERED', sentence: `Cannot offer the connection to an editor: ${messageOf(error)}`}),
      );
    return context;
  },
});

interface Parts {
  readonly ide: Ide;
  /** Adds folders to the workspace. */
  join(roots: readonly string[]): Promise<void>;
  readonly signal: AbortSignal;
  readonly tell: Tell;
}

class ToldContext implements EditorContext {
  #told: readonly OpenFile[] | undefined;
  #looked = 0;
  #looking: Promise<void> = Promise.resolve();
  /** The folders that were added. */
  #joined = '';

  constructor(private readonly parts: Parts) {}

  /** Connects in the background if an editor may be present. Never rejects. */
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
          sentence: `Cannot add the editor's folders to the workspace: ${messageOf(error)}`,
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
    // A command or a reconnection may have connected in between.
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

/** An editor may still list a deleted folder. */
function passMissing(error: unknown): void {
  if (!isKernelError(error) || !error.code.startsWith('DIRECTORY_')) throw error;
}

type Means = Pick<ServiceContext, 'service' | 'tell'> & {readonly environment: Environment};

/** Offers once to connect to an editor. */
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
      `${editor.info.displayName} has this folder open. Run /ide enable to connect: the model then knows what you ` +
      'look at, and changes appear in the editor.',
  });
  await settings.set(SEEN, true, {scope: 'user'});
}
