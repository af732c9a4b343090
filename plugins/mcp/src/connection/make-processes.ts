import type {ProcessGroups} from '@gemini-kernel/processes';

/** What servers that are programs run in. Loaded with the first of them. */
export async function makeProcesses(platform: NodeJS.Platform): Promise<ProcessGroups> {
  const {ProcessGroups} = await import('@gemini-kernel/processes');
  return new ProcessGroups(platform);
}
