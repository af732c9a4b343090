import type {Part} from '@gemini-kernel/kernel';
import type {Message, Piece} from '@gemini-kernel/plugin-agent/contract';
import type {Content} from './content.js';

/**
 * A message in the words of the Gemini API, as readers of `request_text` expect it; undefined when texts are not
 * included. Each text in it is cut on its own, so that the whole stays JSON.
 */
export async function describeContent({role, pieces}: Message, content: Content): Promise<string | undefined> {
  if (!content.isIncluded) return undefined;
  const parts = await Promise.all(pieces.map((piece) => describePiece(piece, content)));
  return JSON.stringify({role, parts});
}

async function describePiece(piece: Piece, content: Content): Promise<object> {
  const mark = 'signature' in piece ? {thoughtSignature: piece.signature} : {};
  switch (piece.kind) {
    case 'text':
    case 'thought':
      return {text: await content.text(piece.text), ...(piece.kind === 'thought' ? {thought: true} : {}), ...mark};
    case 'data':
      return {inlineData: {mimeType: piece.mimeType}};
    case 'call':
      return {functionCall: {id: piece.id, name: piece.name, args: await readable(piece.input, content)}, ...mark};
    case 'result': {
      const output = await content.text(piece.output.map(textOf).join(''));
      return {
        functionResponse: {id: piece.id, name: piece.name, response: {[piece.failed ? 'error' : 'output']: output}},
      };
    }
  }
}

function textOf(part: Part): string {
  return 'text' in part ? part.text : `[${part.inlineData.mimeType}]`;
}

/** A value without secrets; as text where it was cut. */
async function readable(value: unknown, content: Content): Promise<unknown> {
  const text = (await content.json(value)) ?? '';
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
