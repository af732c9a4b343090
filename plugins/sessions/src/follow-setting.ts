import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Following} from './watch/follow-commands.js';

const KEY = 'general.checkpointing.commands';

/** How commands are followed: with a watch, unless the user's settings say otherwise. Project settings do not count. */
export async function readFollowing(settings: Settings): Promise<Following | 'off'> {
  const value = await settings.getApart(KEY);
  return value === 'scan' || value === 'off' ? value : 'watch';
}
