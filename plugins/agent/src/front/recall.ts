import type {Entry, Seat} from '../contract.js';
import {MarkdownStream, safeText, type Look} from '@gemini-kernel/terminal';
import {shorten} from './describe.js';
import type {Speaker} from './speaker.js';

interface RecallParts {
  readonly seat: Seat;
  readonly look: Look;
  readonly speaker: Speaker;
  /** Whether to show it, now that it is known. */
  isWanted(): boolean;
}

/** Shows how a continued conversation last ended. */
export async function recall({seat, look, speaker, isWanted}: RecallParts): Promise<void> {
  try {
    const text = recallText(await seat.conversations.history(seat.conversation), look);
    if (isWanted() && text !== '') speaker.print(text);
  } catch (error) {
    speaker.complain(error);
  }
}

/** The last prompt and answer of a continued conversation, or nothing for a new one. */
export function recallText(entries: readonly Entry[], look: Look): string {
  const prompts = entries.filter(({kind, origin}) => kind === 'user' && (origin ?? 'person') === 'person');
  const last = prompts.at(-1);
  if (!last) return '';
  const answer = entries
    .slice(entries.indexOf(last))
    .findLast(({kind, message}) => kind === 'model' && textIn(message.pieces) !== '');
  const count = prompts.length === 1 ? 'one prompt' : `${prompts.length} prompts`;
  const asked = shorten(safeText(last.shown ?? textIn(last.message.pieces)).split('\n')).join('\n  ');
  const stream = new MarkdownStream(look);
  const answered = answer ? stream.push(textIn(answer.message.pieces)) + stream.end() : '';
  return `${look.paint('dim', `The conversation continues after ${count}. The last one:`)}\n> ${asked}\n${answered}\n`;
}

function textIn(pieces: Entry['message']['pieces']): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}
