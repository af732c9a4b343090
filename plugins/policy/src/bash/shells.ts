import {noteFiles} from './note-files.js';
import type {ShellWord} from './syntax.js';
import {forgetVariables} from './variable-values.js';
import {doubt, doubtProgram, joinWords, LOST, runWordAsText, type Handler, type Position, type Walk} from './walk.js';

/** Shells that read what bash reads, as long as it holds nothing of bash's own. */
const POSIX_SHELLS = ['sh', 'dash', 'ash', 'rbash'];
/** Shells whose language differs more than that. */
const OTHER_SHELLS = [
  'zsh',
  'ksh',
  'ksh93',
  'mksh',
  'oksh',
  'loksh',
  'yash',
  'fish',
  'csh',
  'tcsh',
  'elvish',
  'nu',
  'xonsh',
  'pwsh',
  'powershell',
  'cmd',
  'osh',
  'rc',
  'es',
  'posh',
  'bosh',
];

export const SHELLS = ['bash', ...POSIX_SHELLS, ...OTHER_SHELLS];

const LONG_WITH_VALUE = new Set(['--rcfile', '--init-file']);
/** Not a file of its own: what the shell reads, or a descriptor that something else feeds. */
const FED_FILE = /^\/(?:dev\/(?:stdin|fd\/|tty)|proc\/)/;

interface Call {
  readonly script: ShellWord | undefined;
  /** The file it runs, when it has no script, and what that is handed. */
  readonly file: readonly ShellWord[];
  readonly isUnclear: boolean;
  readonly isIdle: boolean;
}

/** A shell: runs the text behind `-c`, a file, or what it is handed. */
export const runShell: Handler = (walk, words, position) => {
  const [name, ...given] = words;
  const shell = (name?.value ?? '')
    .replace(/^.*[\\/]/, '')
    .toLowerCase()
    .replace(/\.exe$/, '');
  const call = readCall(given);
  const text = joinWords(words);
  if (call.isUnclear) doubt(walk, `What ${shell} runs cannot be determined.`, text);
  if (call.isIdle) return;
  const inner: Position = {
    ...position,
    via: [...position.via, call.script ? `${shell} -c` : shell],
    isForeign: shell !== 'bash',
  };
  if (OTHER_SHELLS.includes(shell) && !isPlain(call.script))
    walk.doubts.push({kind: 'unparsed', reason: `${shell} reads it otherwise than bash.`, text});
  const {variables} = walk;
  // Variables that are not exported are not there, and others hold what they hold.
  forgetVariables(walk);
  if (call.script) runWordAsText(walk, call.script, inner);
  else if (call.file.length > 0) runFile(walk, call.file, {...position, via: [...position.via, shell]});
  else if (!call.isUnclear) runInput(walk, inner, text);
  walk.variables = variables;
};

/** Whether every shell reads it alike: plain words, the first of them a keyword in none. */
function isPlain(script: ShellWord | undefined): boolean {
  return script?.value === undefined
    ? script === undefined
    : /^\s*(?!(?:repeat|foreach|noglob|nocorrect|end|always|alias|exec|eval|and|or|not|begin|switch)\b)[\w./-]+(?: [\w./:@%+,-]+)*\s*$/.test(
        script.value,
      );
}

const UNCLEAR: Call = {script: undefined, file: [], isUnclear: true, isIdle: false};
const IDLE: Call = {...UNCLEAR, isUnclear: false, isIdle: true};

function readCall(words: readonly ShellWord[]): Call {
  let hasScript = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    switch (kindOf(word)) {
      case 'unclear':
        return UNCLEAR;
      case 'idle':
        return IDLE;
      case 'end':
        return callOf(words.slice(at + 1), hasScript);
      case 'operand':
        return callOf(words.slice(at), hasScript);
      case 'letters':
        hasScript ||= /^-.*c/s.test(word.value ?? '');
        if (word.value?.includes('o')) at += 1;
    }
  }
  return callOf([], hasScript);
}

function callOf(operands: readonly ShellWord[], hasScript: boolean): Call {
  const [script] = operands;
  if (!hasScript) return {script: undefined, file: operands, isUnclear: false, isIdle: false};
  return {script, file: [], isUnclear: script === undefined, isIdle: false};
}

/** What a word of a call is to a shell. */
function kindOf({value, lead}: ShellWord): 'unclear' | 'idle' | 'end' | 'operand' | 'long' | 'letters' {
  if (value === undefined) return lead === '' || /^[-+]/.test(lead) ? 'unclear' : 'operand';
  if (value === '--' || value === '-') return 'end';
  if (!/^[-+]./.test(value)) return 'operand';
  if (/^--(?:version|help)$/.test(value)) return 'idle';
  if (LONG_WITH_VALUE.has(value)) return 'unclear';
  if (value.startsWith('--')) return 'long';
  return /[Os]/.test(value) ? 'unclear' : 'letters';
}

function runFile(walk: Walk, words: readonly ShellWord[], position: Position): void {
  const [{value, raw} = {value: undefined, raw: ''}] = words;
  if (value === undefined || FED_FILE.test(value)) return doubt(walk, 'What it runs is decided while it runs.', raw);
  noteFiles(walk, words[0] as ShellWord, {position, access: 'read', by: 'argument'});
  walk.changes = true;
  doubtProgram(walk, 'What it runs is written in a file.', joinWords(words));
  // A bare name is also looked for where programs are.
  if (!/[./]/.test(value)) walk.run(words, position, joinWords(words));
}

function runInput(walk: Walk, position: Position, text: string): void {
  if (position.input.kind === 'text')
    walk.runText(position.input.text, {
      ...position,
      via: [...position.via, 'here-document'],
      input: {kind: 'inherited'},
    });
  else doubt(walk, 'It is a shell that runs what it is handed.', text);
}

/** `eval`: joins its words and runs them here. */
export const evaluate: Handler = (walk, words, position) => {
  const operands = words.slice(words[1]?.value === '--' ? 2 : 1);
  const inner = {...position, via: [...position.via, 'eval']};
  if (operands.length === 0) return;
  if (operands.every(({value}) => value !== undefined))
    return walk.runText(operands.map(({value}) => value).join(' '), inner);
  doubt(walk, 'What it runs is decided while it runs.', joinWords(words));
  forgetVariables(walk, true);
  return LOST;
};
