import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../../helpers/run-agent.js';

/** A project whose memory folder has proposals, for the real program. */
export interface InboxPlace {
  readonly place: AgentPlace;
  readonly memory: string;
  read(path: string): Promise<string | undefined>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes it; proposals are by path below the memory folder. */
export async function openInboxPlace(
  proposals: Readonly<Record<string, string>>,
  options: AgentPlaceOptions = {},
): Promise<InboxPlace> {
  const place = await openAgentPlace({script: [says('Hi.'), says('Hi.')], ...options});
  await place.ask(['-p', 'hello']);
  const tmp = join(place.home, '.gemini', 'tmp');
  const [project = ''] = (await readdir(tmp)).filter((name) => name !== 'bin');
  const memory = join(tmp, project, 'memory');
  for (const [path, text] of Object.entries(proposals)) {
    await mkdir(dirname(join(memory, path)), {recursive: true});
    await writeFile(join(memory, path), text);
  }
  return {
    ...{place, memory},
    read: (path) => readFile(join(memory, path), 'utf8').catch(() => undefined),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

/** A patch of one line. */
export function patchOf(path: string, from: string, to: string): string {
  return `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
}
