import type {Environment} from '@gemini-kernel/kernel';
import {colourDepth} from '@gemini-kernel/terminal';
import {findPrograms, type TerminalProgram} from '../programs/terminal-programs.js';
import {recogniseTerminal} from '../terminal-kind.js';
import type {Answers} from './read-answers.js';

/** One thing that gemini uses of a terminal. */
export interface Ability {
  readonly name: string;
  /** `unknown`: the terminal did not say, which most often means no. */
  readonly can: 'yes' | 'no' | 'unknown';
  /** What it is good for. */
  readonly why: string;
  /** What was seen. */
  readonly seen: string;
  /** What to do about it. */
  readonly fix?: string;
}

interface Known {
  readonly answers: Answers;
  readonly environment: Pick<Environment, 'variables' | 'platform'>;
  readonly columns: number;
  readonly rows: number;
}

/** The ability that `gemini terminal-setup` gives to an editor. */
export const NEWLINE_ABILITY = 'Shift+Enter for a new line';

const NAMED: Readonly<Record<'yes' | 'no' | 'unknown', string>> = {
  yes: 'the terminal says so',
  no: 'the terminal says no',
  unknown: 'the terminal does not say',
};

/** What a terminal can do, by what it says and by the environment, with what to do about the rest. */
export function findAbilities(known: Known): readonly Ability[] {
  return [
    cursor(known),
    keys(known),
    paste(known),
    frames(known),
    focus(known),
    clipboard(known),
    ...colours(known),
    ...surroundings(known),
  ];
}

function cursor({answers, environment}: Known): Ability {
  const {hasRegions} = recogniseTerminal(environment);
  const can = answers.reportsCursor && hasRegions ? 'yes' : answers.reportsCursor ? 'no' : 'unknown';
  return {
    name: 'history above live rows',
    can,
    why: 'Without it, the live rows are erased and drawn again when something is printed.',
    seen: answers.reportsCursor
      ? `it reports its cursor${hasRegions ? '' : ', but drops rows of a scroll region'}`
      : 'it does not report its cursor',
  };
}

/** What helps, by the innermost program that knows something. */
function fixOf(
  {environment: {variables}}: Known,
  about: 'newline' | 'focus' | 'frames' | 'clipboardFix',
): string | undefined {
  return findPrograms(variables).find((program: TerminalProgram) => program[about] !== undefined)?.[about];
}

function keys(known: Known): Ability {
  const {answers} = known;
  const isKnown = answers.kittyKeys || answers.modifyOtherKeys;
  const fix = fixOf(known, 'newline') ?? 'Use Ctrl+J, Alt+Enter or a backslash before Enter.';
  return {
    name: NEWLINE_ABILITY,
    can: isKnown ? 'yes' : answers.answers ? 'no' : 'unknown',
    why: 'Other terminals send the same for Enter and Shift+Enter.',
    seen: answers.kittyKeys
      ? "it knows kitty's keys"
      : answers.modifyOtherKeys
        ? "it knows xterm's keys"
        : NAMED.unknown,
    ...(isKnown ? {} : {fix}),
  };
}

function paste({answers}: Known): Ability {
  const can = canOf(answers.paste);
  return {
    name: 'pastes of several lines',
    can,
    why: 'Without it, each line of a paste is sent as a prompt.',
    seen: NAMED[can],
    ...(can === 'yes' ? {} : {fix: 'If pasted lines are sent one by one, use Ctrl+G and paste in your editor.'}),
  };
}

function frames(known: Known): Ability {
  const can = canOf(known.answers.synchronised);
  const fix = fixOf(known, 'frames');
  return {
    name: 'whole frames',
    can,
    why: 'Views are shown at once, and not row by row.',
    seen: NAMED[can],
    ...(can !== 'yes' && fix !== undefined ? {fix} : {}),
  };
}

function focus(known: Known): Ability {
  const can = canOf(known.answers.focus);
  const fix = fixOf(known, 'focus');
  return {
    name: 'notifications only while you look elsewhere',
    can,
    why: 'general.enableNotifications needs to know whether the window has the focus.',
    seen: NAMED[can],
    ...(can !== 'yes' && fix !== undefined ? {fix} : {}),
  };
}

/** Few terminals say it; for the others, what is known about them. */
function clipboard(known: Known): Ability {
  const {answers, environment} = known;
  const [program] = findPrograms(environment.variables);
  const can = answers.clipboard ? 'yes' : (program?.clipboard ?? 'unknown');
  const fix = fixOf(known, 'clipboardFix');
  return {
    name: 'the clipboard from afar',
    can,
    why: 'Over ssh, /copy needs a terminal that lets programs write the clipboard (OSC 52).',
    seen: answers.clipboard || program?.clipboard === undefined ? NAMED[can] : `as ${program.name} is known`,
    ...(can !== 'yes' && fix !== undefined ? {fix} : {}),
  };
}

function colours({answers, environment: {variables}}: Known): readonly Ability[] {
  const isOff = Boolean(variables['NO_COLOR']);
  const depth = isOff ? 0 : colourDepth(variables);
  const names: Readonly<Record<number, string>> = {0: 'none', 16: '16', 256: '256'};
  return [
    {
      name: 'colours',
      can: depth > 16 ? 'yes' : 'no',
      why: 'Themes have 256 or all colours.',
      seen: isOff ? 'NO_COLOR is set' : `${names[depth] ?? 'all'}, by TERM and COLORTERM`,
      ...(depth > 256 || isOff
        ? {}
        : {fix: 'If the terminal shows all colours, set COLORTERM=truecolor (over ssh: SendEnv COLORTERM).'}),
    },
    {
      name: 'background',
      can: answers.background === undefined ? 'unknown' : 'yes',
      why: 'Tells which themes fit.',
      seen: answers.background ?? NAMED.unknown,
    },
  ];
}

function surroundings({environment: {variables}, columns, rows}: Known): readonly Ability[] {
  const locale = variables['LC_ALL'] || variables['LC_CTYPE'] || variables['LANG'] || '';
  const isUnicode = /utf-?8/i.test(locale);
  const isSmall = columns < 40 || rows < 10;
  return [
    {
      name: 'characters of all languages',
      can: isUnicode ? 'yes' : 'unknown',
      why: 'Answers and file names can have any character.',
      seen: locale === '' ? 'no locale is set' : `the locale is ${locale}`,
      ...(isUnicode ? {} : {fix: 'Set a locale with UTF-8, such as LANG=C.UTF-8.'}),
    },
    {
      name: 'size',
      can: isSmall ? 'no' : 'yes',
      why: 'An approval needs some room.',
      seen: `${columns} columns, ${rows} rows`,
      ...(isSmall ? {fix: 'Make the window larger: 40 columns and 10 rows at least.'} : {}),
    },
  ];
}

function canOf(said: boolean | undefined): Ability['can'] {
  return said === undefined ? 'unknown' : said ? 'yes' : 'no';
}
