import {createRequire} from 'node:module';
import {messageOf, provide, type Tell} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import {LiveIde} from '../connection/live-ide.js';
import type {FoundEditor} from '../contract.js';

const ENABLED = 'ide.enabled';

/** The connection to the person's editor; it looks for nothing before its first use. */
export default provide('ide', {
  version: '1.0.0',
  scope: 'place',
  // A shown change has a promise and a way to close it.
  local: ['showDiff'],
  methods: ['status', 'connect', 'disconnect', 'discover', 'openFiles', 'ping', 'takeText'],
  create({environment, signal, service, tell}) {
    const {version} = createRequire(import.meta.url)('../../package.json') as {version: string};
    const say = createTrustSpeaker(
      async (trusted, {info: {displayName}}) => {
        const trust = await service('trust');
        const before = (await trust.state()).trusted;
        const now = await trust.reconsider();
        if (before && !now.trusted && !trusted)
          return `${now.reason} What the project has already contributed stays until you restart gemini.`;
        return !before && now.trusted
          ? `${displayName} trusts this folder now. Restart gemini to load what the project contributes.`
          : undefined;
      },
      {tell, signal},
    );
    return new LiveIde({
      environment,
      tell,
      version,
      signal,
      // The project's settings do not count here.
      isEnabled: async () => (await (await service('settings')).getApart(ENABLED)) === true,
      onTrust: say,
    });
  },
  describe: async (ide) => {
    const {state, editor, fault} = await ide.status();
    return editor ? `${state} to ${editor.info.displayName}` : (fault?.message ?? state);
  },
  dispose: (ide) => ide.disconnect(),
});

interface Speaking {
  readonly tell: Tell;
  /** Aborted at shutdown, when no change can be processed any more. */
  readonly signal: AbortSignal;
}

type Consider = (trusted: boolean, editor: FoundEditor) => Promise<string | undefined>;

/**
 * Processes one change of trust at a time, always the newest, and reports each result once: an editor can change its
 * mind thousands of times.
 */
function createTrustSpeaker(
  consider: Consider,
  {tell, signal}: Speaking,
): (trusted: boolean, editor: FoundEditor) => void {
  let next: readonly [boolean, FoundEditor] | undefined;
  let isBusy = false;
  const speak = async (): Promise<void> => {
    isBusy = true;
    for (let now = next; now; now = next) {
      next = undefined;
      const sentence = await consider(...now).catch(
        (error: unknown) =>
          `Cannot apply the trust setting of ${now?.[1].info.displayName ?? 'the editor'}: ${messageOf(error)}`,
      );
      if (signal.aborted) break;
      if (sentence !== undefined) tell({code: 'EDITOR_TRUST_CHANGED', sentence, once: sentence});
    }
    isBusy = false;
  };
  return (trusted, editor) => {
    next = [trusted, editor];
    if (!isBusy) void speak();
  };
}
