import {mkdir, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';

const TIME = '2020-01-01T00:00:00.000Z';
const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** The bytes of a session of so many messages. */
export function sessionOf(messages: number): string {
  const lines = Array.from({length: messages}, (_, index) =>
    line({
      id: `e${index}`,
      timestamp: TIME,
      type: index % 2 === 0 ? 'user' : 'gemini',
      content: [{text: `${index} A sentence of a conversation.`}],
      kernel: index % 2 === 0 ? {origin: 'person'} : {},
    }),
  );
  const first = {
    sessionId: 's',
    projectHash: 'p',
    startTime: TIME,
    lastUpdated: TIME,
    kind: 'main',
    kernel: {settled: false},
  };
  return [line(first), ...lines, line({$set: {lastUpdated: TIME, kernel: {settled: true}}})].join('');
}

/** Writes so many old sessions, and gives the folder of the project that they are of. */
export async function growSessions(temporary: string, sessions: number): Promise<ProjectFolder> {
  const chats = join(temporary, 'chats');
  await mkdir(chats, {recursive: true});
  const old = new Date(TIME);
  for (let index = 0; index < sessions; index += 1) {
    const id = String(index).padStart(8, '0');
    const file = join(chats, `session-2020-01-01T00-00-${id}.jsonl`);
    const first = {sessionId: id, projectHash: 'p', startTime: TIME, lastUpdated: TIME, kind: 'main'};
    await writeFile(file, line(first) + line({id: 'q', timestamp: TIME, type: 'user', content: [{text: 'Hi'}]}));
    await utimes(file, old, old);
  }
  return {root: '/', slug: 'project', hash: '', temporary, history: ''};
}
