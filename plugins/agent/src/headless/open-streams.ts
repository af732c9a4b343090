import {makeVisible} from '@gemini-kernel/command/visible';
import type {CommandHost} from '@gemini-kernel/command';
import {PlainText} from './plain-text.js';
import type {Streams} from './report.js';

/** Where the report of a run goes: a terminal shows everything and obeys nothing. */
export function openStreams(
  {output, terminal}: Pick<CommandHost, 'output' | 'terminal'>,
  complain: (line: string) => void,
): Streams {
  const plain = new PlainText();
  return {
    out: (text) => void output.write(terminal ? makeVisible(text) : text),
    err: (line) => complain(plain.push(line) + plain.end()),
  };
}
