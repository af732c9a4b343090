import {existsSync} from 'node:fs';
import {setTimeout as pause} from 'node:timers/promises';
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {watchSources} from './watch-sources.js';

const SETTLE_MS = 100;

export interface WatchParts {
  readonly name: string;
  readonly root: string;
  readonly platform: Environment['platform'];
  readonly signal: AbortSignal;
  /** Builds the plugin; handles its own failures. */
  build(): Promise<void>;
}

/**
 * Builds a plugin once, and again each time its sources change, one build at a time. Ends only by rejecting: with the
 * reason of the signal, or with KernelError INSTALL_MISSING when the folder is gone or cannot be watched.
 */
export async function watchPlugin({name, root, platform, signal, build}: WatchParts): Promise<never> {
  const bell = createBell(signal);
  const watching = watchSources({root, platform, onChange: bell.ring});
  try {
    for (;;) {
      renew(watching, {name, root});
      await orAborted(build(), signal);
      await bell.heard();
    }
  } finally {
    watching.close();
  }
}

function renew(watching: ReturnType<typeof watchSources>, {name, root}: Pick<WatchParts, 'name' | 'root'>): void {
  try {
    watching.renew();
  } catch (cause) {
    if (!existsSync(root))
      throw new KernelError('INSTALL_MISSING', `Cannot watch ${name} any more: its folder ${root} is gone.`, {
        cause,
        hint: `Run \`gemini plugins unlink ${name}\` to remove the link.`,
      });
    throw new KernelError('INSTALL_MISSING', `The folder ${root} cannot be watched: ${messageOf(cause)}`, {
      cause,
      hint: 'The link stays. Run `gemini plugins build` to build it once.',
    });
  }
}

interface Bell {
  ring(): void;
  /** Waits until it was triggered and no more changes come. Rejects with the reason of the signal. */
  heard(): Promise<void>;
}

function createBell(signal: AbortSignal): Bell {
  let isRung = false;
  let wake = (): void => undefined;
  return {
    ring() {
      isRung = true;
      wake();
    },
    async heard() {
      const rung = new Promise<void>((resolve) => (wake = resolve));
      if (!isRung) await orAborted(rung, signal);
      while (isRung) {
        isRung = false;
        await orAborted(pause(SETTLE_MS), signal);
      }
    },
  };
}

/** What a promise gives, unless the signal is aborted first. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (stop = () => reject(signal.reason as Error)));
  signal.addEventListener('abort', stop, {once: true});
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
