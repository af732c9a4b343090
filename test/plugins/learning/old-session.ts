import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';

export interface OldSession {
  readonly id: string;
  /** Hours since it was used. */
  readonly hours?: number;
  readonly prompts?: number;
  /** What the model called, one after the other, with its result. */
  readonly calls?: readonly (readonly [name: string, args: object, result: string])[];
  /** Said in the first prompt. */
  readonly says?: string;
}

/** Writes a session as Gemini CLI records it, beside a memory folder. */
export async function writeOldSession(memory: string, session: OldSession): Promise<void> {
  const {id, hours = 5, prompts = 10, calls = [], says = 'Release it.'} = session;
  const time = new Date(Date.now() - hours * 3_600_000).toISOString();
  const toolCalls = calls.map(([name, args, output], at) => ({
    ...{id: `${id}-${at}`, name, args, status: 'success', timestamp: time},
    result: [{functionResponse: {id: `${id}-${at}`, name, response: {output}}}],
  }));
  const lines = [
    {sessionId: id, projectHash: 'p', startTime: time, lastUpdated: time, kind: 'main'},
    ...Array.from({length: prompts}, (_, at) => [
      {id: `${id}-q${at}`, timestamp: time, type: 'user', content: [{text: at === 0 ? says : `Step ${at} of it.`}]},
      {
        ...{id: `${id}-a${at}`, timestamp: time, type: 'gemini', content: 'Done.', model: 'm', tokens: null},
        ...(at === 0 && toolCalls.length > 0 ? {toolCalls} : {}),
      },
    ]).flat(),
    {$set: {lastUpdated: time}},
  ];
  const file = join(dirname(memory), 'chats', `session-2026-01-01T00-00-${id.slice(0, 8)}.jsonl`);
  await mkdir(dirname(file), {recursive: true});
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
