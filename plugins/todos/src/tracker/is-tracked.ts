import type {Settings} from '@gemini-kernel/plugin-settings/contract';

/** Whether work is tracked as tasks, instead of as a list of steps. */
export async function isTracked(settings: Pick<Settings, 'get'>): Promise<boolean> {
  return (await settings.get('experimental.taskTracker')) === true;
}
