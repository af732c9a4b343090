import type {ShellPiece} from '../contract.js';
import {findArguments} from './find-arguments.js';
import {TemplateFault} from './template-fault.js';

/** PowerShell reads typographic quotes as quotes. */
const SINGLE = "['\u2018\u2019\u201A\u201B]";
const DOUBLE = '["\u201C\u201D\u201E]';
/** What this reader does not follow: subexpressions, here-strings, comments, and the mark that ends parsing. */
const UNCLEAR = /[$@]\(|\$\{|@['"\u2018-\u201E]|<?#|--%/y;
const EVALUATING = new Set(['iex', 'invoke-expression', 'icm', 'invoke-command', 'powershell', 'pwsh', 'cmd', '.']);

/**
 * Splits a PowerShell line at its placeholders, and finds the quotes that each of them stands in. Throws TemplateFault
 * where no quoting keeps arguments from being read as commands, and where it cannot tell.
 */
export function readPowershell(line: string): readonly ShellPiece[] {
  const pieces: ShellPiece[] = [];
  const state = {quotes: 'none' as 'none' | 'single' | 'double', command: '', isNamed: false, unclear: ''};
  let from = 0;
  for (let at = 0; at < line.length;) {
    const found = findArguments(line, at);
    if (!found) {
      at += step(line, at, state);
      continue;
    }
    const fault = findFault(state, line[at - 1]);
    if (fault !== undefined) throw new TemplateFault(at, `${found.text} ${fault}`);
    if (at > from) pieces.push({kind: 'text', text: line.slice(from, at)});
    const {position} = found;
    pieces.push({kind: 'arguments', quotes: state.quotes, ...(position === undefined ? {} : {position})});
    at += found.text.length;
    from = at;
  }
  if (state.quotes !== 'none' && pieces.length > 0) throw new TemplateFault(0, 'the command does not close a quote');
  if (from < line.length) pieces.push({kind: 'text', text: line.slice(from)});
  return pieces;
}

interface State {
  quotes: 'none' | 'single' | 'double';
  /** The name of the command that is being read. */
  command: string;
  /** Whether the name has ended. */
  isNamed: boolean;
  unclear: string;
}

function findFault({unclear, isNamed, command}: State, before = ''): string | undefined {
  if (unclear !== '') return `comes after ${unclear}, where it cannot be quoted`;
  if (before === '`' || before === '$') return `comes after ${before}, where it cannot be quoted`;
  if (!isNamed) return 'stands where the shell expects the name of a command';
  return EVALUATING.has(command.toLowerCase()) ? `is an argument of ${command}, which can run it` : undefined;
}

/** How many letters the step has. */
function step(line: string, at: number, state: State): number {
  const letter = line[at] ?? '';
  const mark = new RegExp(SINGLE).test(letter) ? 'single' : new RegExp(DOUBLE).test(letter) ? 'double' : undefined;
  if (letter === '`' && state.quotes !== 'single') return findArguments(line, at + 1) ? 1 : 2;
  if (state.quotes !== 'single') state.unclear ||= findUnclear(line, at, state.quotes);
  if (state.quotes !== 'none') {
    if (mark === state.quotes) state.quotes = 'none';
  } else if (mark) state.quotes = mark;
  else readWord(letter, state);
  return 1;
}

/** Within quotes, only expansions count. */
function findUnclear(line: string, at: number, quotes: State['quotes']): string {
  UNCLEAR.lastIndex = at;
  const found = UNCLEAR.exec(line)?.[0] ?? '';
  return quotes === 'none' || found.startsWith('$') ? found : '';
}

function readWord(letter: string, state: State): void {
  if (/[;|&\n({}=]/.test(letter)) [state.command, state.isNamed] = ['', false];
  else if (!/\s/.test(letter)) state.command += state.isNamed ? '' : letter;
  else if (state.command !== '') state.isNamed = true;
}
