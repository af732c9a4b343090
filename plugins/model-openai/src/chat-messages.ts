import type {Message, ModelRequest, Piece} from '@gemini-kernel/plugin-agent/contract';

type Content =
  | {readonly type: 'text'; readonly text: string}
  | {readonly type: 'image_url'; readonly image_url: {readonly url: string}};

/** A message of a chat, as the API takes it. */
export type ChatMessage =
  | {readonly role: 'system' | 'user'; readonly content: string | readonly Content[]}
  | {readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ChatCall[]}
  | {readonly role: 'tool'; readonly tool_call_id: string; readonly content: string};

interface ChatCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: {readonly name: string; readonly arguments: string};
}

/** The conversation in the API's format: adjacent messages of one role are joined, and nothing is empty. */
export function toChatMessages({system, messages}: Pick<ModelRequest, 'system' | 'messages'>): readonly ChatMessage[] {
  const joined: {readonly role: Message['role']; readonly pieces: Piece[]}[] = [];
  for (const {role, pieces} of messages) {
    const kept = pieces.filter(
      ({kind, ...piece}) => kind !== 'thought' && !(kind === 'text' && 'text' in piece && piece.text === ''),
    );
    const last = joined.at(-1);
    if (last?.role === role) last.pieces.push(...kept);
    else if (kept.length > 0) joined.push({role, pieces: kept});
  }
  const chat = joined.flatMap(({role, pieces}) =>
    role === 'model' ? [assistantMessage(pieces)] : userMessages(pieces),
  );
  return system === '' ? chat : [{role: 'system', content: system}, ...chat];
}

function assistantMessage(pieces: readonly Piece[]): ChatMessage {
  const text = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  const calls = pieces.flatMap((piece): ChatCall[] =>
    piece.kind === 'call'
      ? [{id: piece.id, type: 'function', function: {name: piece.name, arguments: JSON.stringify(piece.input ?? {})}}]
      : [],
  );
  return {role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 ? {tool_calls: calls} : {})};
}

/** Results first: the API wants them right after the calls, and takes only text in them. */
function userMessages(pieces: readonly Piece[]): readonly ChatMessage[] {
  const results = pieces.filter((piece) => piece.kind === 'result');
  const answers = results.map(({id, output, failed}): ChatMessage => {
    const text = output.flatMap((part) => ('text' in part ? part.text : [])).join('\n');
    return {role: 'tool', tool_call_id: id, content: failed ? `Error: ${text}` : text};
  });
  const media = results.flatMap(({name, output}) => {
    const parts = output.flatMap((part) => ('inlineData' in part ? mediaContent(part.inlineData) : []));
    return parts.length > 0 ? [{type: 'text', text: `From ${name}:`} as const, ...parts] : [];
  });
  const said = pieces.flatMap((piece): readonly Content[] => {
    if (piece.kind === 'text') return [{type: 'text', text: piece.text}];
    return piece.kind === 'data' ? mediaContent(piece) : [];
  });
  const content = [...media, ...said];
  if (content.length === 0) return answers;
  // Many servers know text as a string only.
  const isText = content.every(({type}) => type === 'text');
  return [
    ...answers,
    {role: 'user', content: isText ? content.map((part) => ('text' in part ? part.text : '')).join('\n') : content},
  ];
}

function mediaContent({mimeType, data}: {readonly mimeType: string; readonly data: string}): readonly Content[] {
  if (mimeType.startsWith('image/')) return [{type: 'image_url', image_url: {url: `data:${mimeType};base64,${data}`}}];
  return [{type: 'text', text: `[A file of the type ${mimeType} is left out: this model takes text and pictures.]`}];
}
