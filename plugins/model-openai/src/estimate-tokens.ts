import type {ModelRequest} from '@gemini-kernel/plugin-agent/contract';

const LETTERS_PER_TOKEN = 4;
/** What a picture costs. */
const MEDIA_TOKENS = 800;

/** The estimated tokens of a request: these servers cannot count them. */
export function estimateTokens({system, messages, tools}: ModelRequest): number {
  const parts = messages.flatMap(({pieces}) =>
    pieces.flatMap((piece): readonly object[] => (piece.kind === 'result' ? piece.output : [piece])),
  );
  const isMedia = (part: object): boolean => 'data' in part || 'inlineData' in part;
  const letters = JSON.stringify([system, tools, parts.filter((part) => !isMedia(part))]).length;
  return Math.ceil(letters / LETTERS_PER_TOKEN) + parts.filter(isMedia).length * MEDIA_TOKENS;
}
