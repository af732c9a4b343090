import type {Settings} from '@gemini-kernel/plugin-settings/contract';

export const DISABLED = 'skills.disabled';

/** Why skills are off, as a sentence; undefined when they are on. */
export async function whyOff(settings: Settings): Promise<string | undefined> {
  if ((await settings.get('admin.skills.enabled')) === false) return 'Your administrator has switched skills off.';
  // A project may switch skills off, but not on.
  const [own, all] = await Promise.all([settings.getApart('skills.enabled'), settings.get('skills.enabled')]);
  return own === false || all === false ? 'Skills are off: the setting skills.enabled is false.' : undefined;
}

/** The names of disabled skills, in lower case. */
export async function readDisabled(settings: Settings): Promise<ReadonlySet<string>> {
  const values = [await settings.get(DISABLED)].flat();
  return new Set(values.filter((one) => typeof one === 'string').map((one) => one.trim().toLowerCase()));
}
