import type {CallRecord, Entry, Piece} from '@gemini-kernel/plugin-agent/contract';
import type {ContentBlock, SessionUpdate} from '#sdk';
import type {ShownCalls} from './shown-calls.js';

interface Parts {
  readonly calls: Pick<ShownCalls, 'announce' | 'end'>;
  update(update: SessionUpdate): void;
}

/** Shows a recorded conversation: what the person typed, what the model said, and how its calls ended. */
export function replayHistory(entries: readonly Entry[], parts: Parts): void {
  for (const entry of entries) {
    if (entry.kind === 'user' && (entry.origin ?? 'person') === 'person') replayPrompt(entry, parts);
    if (entry.kind === 'model') replayAnswer(entry, parts);
  }
}

function replayPrompt({id, shown, message}: Entry, {update}: Parts): void {
  const blocks = message.pieces.flatMap((piece) => (piece.kind === 'data' ? mediaOf(piece) : []));
  const text = shown ?? textOf(message.pieces);
  const content: ContentBlock[] = [...(text === '' ? [] : [{type: 'text' as const, text}]), ...blocks];
  for (const block of content) update({sessionUpdate: 'user_message_chunk', messageId: id, content: block});
}

function replayAnswer({id, message, calls = []}: Entry, {calls: shown, update}: Parts): void {
  for (const piece of message.pieces) {
    if ((piece.kind !== 'text' && piece.kind !== 'thought') || piece.text === '') continue;
    const sessionUpdate = piece.kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
    update({sessionUpdate, messageId: id, content: {type: 'text', text: piece.text}});
  }
  for (const call of calls) {
    // Ids of calls from elsewhere are unique within their answer only.
    const callId = call.callId ?? `${id}__${call.id}`;
    shown.announce({id: callId, tool: call.name, input: call.input, isOver: true});
    shown.end(callId, withoutMedia(call));
  }
}

/** Pictures of results were for the model; a replay of them would be long. */
function withoutMedia(call: CallRecord): CallRecord {
  const output = call.output.map((part) => ('text' in part ? part : {text: `[${part.inlineData.mimeType}]`}));
  return {...call, output};
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

function mediaOf({mimeType, data}: Extract<Piece, {readonly kind: 'data'}>): ContentBlock[] {
  if (mimeType.startsWith('image/')) return [{type: 'image', mimeType, data}];
  return mimeType.startsWith('audio/') ? [{type: 'audio', mimeType, data}] : [];
}
