import type {SessionInfo} from '@gemini-kernel/kernel';
import type {Happened} from '../contract.js';
import {writeParent, type TracePlace} from './ids.js';
import {recordCall, recordLines} from './moments/call.js';
import {recordHook} from './moments/hook.js';
import {beginPrompt, endPrompt, hearEntry} from './moments/prompt.js';
import {recordRequest} from './moments/request.js';
import {changeMode, openSession, recordSummary} from './moments/session.js';
import {Recording, type RecordingParts} from './recording.js';
import {SessionTrace} from './session-trace.js';

type Handlers = {
  readonly [K in Exclude<Happened['kind'], 'closed'>]: (
    recording: Recording,
    happened: Extract<Happened, {readonly kind: K}>,
  ) => Promise<void> | void;
};

const handlers: Handlers = {
  opened: (recording) => openSession(recording),
  prompt: (recording, {prompt}) => beginPrompt(recording, prompt),
  entry: (recording, {entry}) => hearEntry(recording, entry),
  compressed: (recording, {entries}) => recordSummary(recording, entries),
  request: (recording, {ended}) => recordRequest(recording, ended),
  call: (recording, {ended}) => recordCall(recording, ended),
  lines: (recording, lines) => recordLines(recording, lines),
  hook: (recording, {ended}) => recordHook(recording, ended),
  ended: (recording, {ended}) => endPrompt(recording, ended),
};

/** Makes records of what happens in sessions: events, spans and measurements, by the names of Gemini CLI. */
export class Recorder {
  readonly #sessions = new Map<string, Recording>();

  constructor(private readonly parts: RecordingParts) {}

  async take(session: SessionInfo, happened: Happened): Promise<void> {
    if (happened.kind === 'closed') {
      this.#sessions.get(session.id)?.release();
      this.#sessions.delete(session.id);
      return;
    }
    const recording = this.#find(session);
    if (recording.trace.mode !== session.mode) changeMode(recording, session.mode);
    await handlers[happened.kind](recording, happened as never);
  }

  parentFor(session: string, call: string | undefined): string | undefined {
    const trace = this.#sessions.get(session)?.trace;
    const place = call === undefined ? trace?.prompt?.place : trace?.placeOf(call);
    return place && writeParent(place);
  }

  #find(session: SessionInfo): Recording {
    const known = this.#sessions.get(session.id);
    if (known) return known;
    const {parent} = session;
    const above = (): TracePlace | undefined =>
      parent === undefined ? this.parts.parent : this.#sessions.get(parent)?.trace.prompt?.place;
    const made = new Recording(this.parts, new SessionTrace(session, above));
    this.#sessions.set(session.id, made);
    return made;
  }
}
