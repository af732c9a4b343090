import type {Script, ScriptedAnswer, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, says} from '../../helpers/run-agent.js';
import {startConversation, type Conversation} from '../agent/conversation.js';

/** A file that a scripted model reads: it has a fact in its middle that nothing else has. */
export interface FactFile {
  readonly name: string;
  readonly fact: string;
}

export interface Course {
  /** Requests of the whole session. */
  readonly requests: number;
  /** Calls of one request, and characters of each output. */
  readonly calls: number;
  readonly size: number;
  /** Requests of one prompt. */
  readonly perPrompt: number;
}

export interface LongTalk extends AsyncDisposable {
  readonly talk: Conversation;
  /** The files that it has read, in order. */
  readonly read: readonly FactFile[];
  run(): Promise<void>;
}

/** The files that a course reads, by path. */
function filesOf({requests, calls, size}: Course): {
  readonly files: Record<string, string>;
  readonly facts: FactFile[];
} {
  const files: Record<string, string> = {};
  const facts: FactFile[] = [];
  for (let at = 0; at < requests * calls; at += 1) {
    const name = `notes-${at}.txt`;
    const fact = `The code of ${name} is ${(at * 7919 + 104_729).toString(36)}.`;
    const line = `${name}: nothing of interest stands in this line of the notes.\n`;
    const half = line.repeat(Math.max(11, Math.ceil(size / line.length / 2)));
    files[name] = `${half}${fact}\n${half}`;
    facts.push({name, fact});
  }
  return {files, facts};
}

/** A conversation in which a scripted model reads file after file. */
export async function startLongTalk(
  course: Course,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<LongTalk> {
  const {files, facts} = filesOf(course);
  let at = 0;
  const read: FactFile[] = [];
  const script: Script = ({system}): ScriptedAnswer => {
    if (isAhead(system) || system.startsWith('You summarise'))
      return says('<state_snapshot>Many notes were read.</state_snapshot>');
    const first = at * course.calls;
    at += 1;
    if (at % course.perPrompt === 0) return says('Noted.');
    const chosen = facts.slice(first, first + course.calls);
    read.push(...chosen);
    const answer = callsTools(...chosen.map(({name}) => ['read_file', {file_path: name}] as const));
    const pieces = (answer.pieces ?? []).map((piece) =>
      piece.kind === 'call' ? {...piece, id: `${at}-${piece.id}`} : piece,
    );
    // A count would be that of the scripted server, not of the request.
    return {pieces};
  };
  const talk = await startConversation({
    script,
    settings,
    more: ['context', 'search', 'sessions'],
    files,
  });
  return {
    ...{talk, read},
    async run() {
      for (let sent = 0; sent < course.requests; sent += course.perPrompt) await talk.send(`Read on, part ${sent}.`);
    },
    [Symbol.asyncDispose]: () => talk[Symbol.asyncDispose](),
  };
}

/** Whether a request is for the summary that is written ahead. */
export function isAhead(system: string): boolean {
  return system.startsWith('You keep a running summary');
}

/** What a request sends of the conversation, in characters. */
export function sizeOf({messages}: SeenRequest): number {
  return JSON.stringify(messages).length;
}

/** The requests before which something changed that was sent before. */
export function changesOf(requests: readonly SeenRequest[]): readonly number[] {
  return requests.flatMap((request, at) => {
    const before = requests[at - 1]?.messages ?? [];
    const isSame = before.every(
      (message, index) => JSON.stringify(message) === JSON.stringify(request.messages[index]),
    );
    return isSame ? [] : [at];
  });
}

/** Where a model that was asked for a fact finds it: in its newest request, or in a file that one names. */
export async function findFact({talk}: LongTalk, {name, fact}: FactFile): Promise<'request' | 'file' | 'nowhere'> {
  const request = talk.server.requests.at(-1);
  const results = (request?.messages ?? []).flatMap(({pieces}) => pieces.filter(({kind}) => kind === 'result'));
  const texts = results.map((piece) => JSON.stringify(piece)).filter((text) => text.includes(`${name}: `));
  if (texts.some((text) => text.includes(fact))) return 'request';
  for (const text of texts) {
    const file = /is in (\S+\.txt)\./.exec(text)?.[1];
    if (file === undefined) continue;
    const read = await talk.kernel.call('read_file', {file_path: file});
    if (read.status === 'done' && JSON.stringify(read.result.model).includes(fact)) return 'file';
  }
  return 'nowhere';
}
