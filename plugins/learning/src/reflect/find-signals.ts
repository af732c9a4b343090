import {hasFailed} from '@gemini-kernel/plugin-agent/calls';
import type {CallRecord, Entry} from '@gemini-kernel/plugin-agent/contract';
import type {Finding} from '../contract.js';
import {commandOf} from './command-of.js';
import {groupBy, idsOf, quote} from './evidence.js';
import {findOutsidePaths} from './outside-paths.js';
import {findRepeatedPrompts} from './repeated-prompts.js';
import {findRoutines} from './routines.js';
import {findServices} from './services-by-hand.js';
import {shellQuote} from './shell-quote.js';

const REFUSALS = 3;
const FAILURES = 3;
const SEARCHES = 8;
const READS = 4;
const SEARCH_TOOLS: ReadonlySet<string> = new Set(['glob', 'grep_search', 'search_file_content', 'list_directory']);

/** What a session shows that could have been saved. It asks no model: the same session gives the same findings. */
export function findSignals(entries: readonly Entry[]): readonly Finding[] {
  const calls = entries.flatMap(({calls: own = []}) => own);
  return [
    ...findRefusals(calls),
    ...findFailures(calls),
    ...findSearches(entries),
    ...findReads(calls),
    ...findRepeatedPrompts(entries),
    ...findRoutines(calls),
    ...findServices(calls),
    ...findOutsidePaths(calls),
  ];
}

/** The same thing refused again and again: a rule would have decided it once. */
function findRefusals(calls: readonly CallRecord[]): readonly Finding[] {
  const refused = groupBy(
    calls.filter(({status}) => status === 'refused'),
    (call) => commandOf(call) ?? call.name,
  );
  return [...refused]
    .filter(([, own]) => own.length >= REFUSALS)
    .map(([subject, own]): Finding => {
      const command = own[0] && commandOf(own[0]);
      const [id] = idsOf(own);
      return {
        kind: 'rule',
        sentence: `${quote(subject)} was refused ${own.length} times. A rule decides it once, in one way or the other.`,
        evidence: idsOf(own),
        ...(id === undefined ? {} : {command: `gemini why ${id}`}),
        file: '~/.gemini/policies/from-sessions.toml',
        text: ruleFor(own[0]?.name ?? subject, command),
      };
    });
}

function ruleFor(tool: string, command: string | undefined): string {
  return [
    '[[rule]]',
    `toolName = ${JSON.stringify(tool)}`,
    ...(command === undefined ? [] : [`commandPrefix = ${JSON.stringify(command)}`]),
    '# "allow", or "deny" if the model should not try it',
    'decision = "allow"',
    'priority = 100',
  ].join('\n');
}

/** The same command failed again and again: the project could say how it is done. */
function findFailures(calls: readonly CallRecord[]): readonly Finding[] {
  const failed = groupBy(calls.filter(hasFailed), (call) => commandOf(call) ?? call.name);
  return [...failed]
    .filter(([, own]) => own.length >= FAILURES)
    .map(([subject, own]): Finding => ({
      kind: 'fact',
      sentence: `${quote(subject)} failed ${own.length} times. A line about how it is done here saves the attempts.`,
      evidence: idsOf(own),
      command: `gemini memory add --scope project ${shellQuote(`How to run ${subject} here: …`)}`,
    }));
}

/** Many searches before the first change or answer: the model did not know where to look. */
function findSearches(entries: readonly Entry[]): readonly Finding[] {
  const findings: Finding[] = [];
  let prompt = '';
  let row: CallRecord[] = [];
  const end = (): void => {
    if (row.length >= SEARCHES)
      findings.push({
        kind: 'fact',
        sentence: `${row.length} searches in a row for ${quote(prompt)}. A line about where things are saves them.`,
        evidence: idsOf(row),
        command: `gemini memory add --scope project ${shellQuote('Where things are: …')}`,
      });
    row = [];
  };
  for (const entry of entries) {
    if (entry.origin === 'person') {
      end();
      prompt = entry.shown ?? '';
    }
    for (const call of entry.calls ?? [])
      if (SEARCH_TOOLS.has(call.name)) row.push(call);
      else if (!call.name.startsWith('read_')) end();
  }
  end();
  return findings;
}

/** The same file read whole again and again. */
function findReads(calls: readonly CallRecord[]): readonly Finding[] {
  const whole = calls.filter(({name, status, input}) => name === 'read_file' && status === 'done' && isWhole(input));
  return [...groupBy(whole, ({input}) => String((input as {file_path?: unknown}).file_path))]
    .filter(([, own]) => own.length >= READS)
    .map(([path, own]): Finding => ({
      kind: 'fact',
      sentence: `${quote(path)} was read ${own.length} times. What matters in it can be in every request.`,
      evidence: idsOf(own),
      command: `gemini memory add --scope project ${shellQuote(`What matters in ${path}: …`)}`,
    }));
}

function isWhole(input: unknown): boolean {
  return typeof input === 'object' && input !== null && !('start_line' in input) && !('offset' in input);
}
