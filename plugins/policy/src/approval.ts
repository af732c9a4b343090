import type {ApprovalChoice, ToolCall} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {isSwitchedOn} from './approval-mode.js';
import type {ShellReader, SimpleCommand} from './bash/analysis.js';
import {place} from './engine/judge-part.js';
import {textOfRules} from './read/auto-saved.js';
import {narrowApproval, type ApprovedCall} from './read/narrow-approval.js';
import type {Mode, Rule} from './rule.js';

/** A call that a person is asked about, and where. */
export interface Approval {
  readonly call: ToolCall;
  readonly mode: Mode;
  readonly roots: readonly string[];
  readonly home: string;
  readonly reader: () => Promise<ShellReader>;
  readonly settings: Settings;
}

/** What an approval of a call can keep. */
export interface Approved {
  /** What the shell line of the call runs. */
  readonly commands: readonly SimpleCommand[];
  /** The rules that allow what was approved and no more. */
  readonly rules: readonly Rule[];
  /** Why no answer can be kept. */
  readonly refusal?: string;
  /** Why no answer can be kept for good. */
  readonly passing?: string;
}

/** What an approval of a call can keep, by the call itself and by the settings. */
export async function readApproval(approval: Approval): Promise<Approved> {
  const {call, mode, settings} = approval;
  if (await isSwitchedOn(settings, 'security.disableAlwaysAllow'))
    return {rules: [], commands: [], refusal: 'the setting security.disableAlwaysAllow is on.'};
  const {tool, server, touches} = call;
  const read = await readCommands(approval);
  const {commands = []} = read;
  const rules = narrowApproval({tool, mode, touches, ...(server === undefined ? {} : {server}), ...read});
  if (rules.length === 0) return {rules, commands, refusal: 'no rule would be narrow enough.'};
  const isPassing = await isSwitchedOn(settings, 'security.enablePermanentToolApproval', false);
  return {rules, commands, ...(isPassing ? {passing: 'the setting security.enablePermanentToolApproval is off.'} : {})};
}

/** The answers that keep something, with the text of the rules as it would be written to the file. */
export function choicesOf(
  {rules, refusal, passing = refusal}: Omit<Approved, 'commands'>,
  file: string,
): readonly ApprovalChoice[] {
  const text = textOfRules(rules);
  return [
    {
      value: 'session',
      label: 'session',
      key: 's',
      description: 'until the session ends',
      answer: {decision: 'yes', remember: 'session'},
      ...(refusal === undefined ? {keeps: {rules: text, scope: 'session'}} : {unavailable: refusal}),
    },
    {
      value: 'always',
      label: 'always',
      key: 'a',
      description: `for good, in ${file}`,
      answer: {decision: 'yes', remember: 'always'},
      ...(passing === undefined ? {keeps: {rules: text, scope: 'user', file}} : {unavailable: passing}),
    },
  ];
}

async function readCommands({
  call,
  roots,
  home,
  reader,
}: Approval): Promise<Pick<ApprovedCall, 'commands' | 'redirects' | 'root'>> {
  const line = call.touches.find(({kind}) => kind === 'command');
  if (!line) return {};
  const directory = line.directory ?? roots[0] ?? '/';
  const {commands, redirects, doubts} = (await reader()).read(line.value, {directory, home});
  const {root} = place(directory, roots);
  return {
    commands: doubts.length > 0 || line.hasInput ? [] : commands,
    redirects,
    ...(root === undefined ? {} : {root}),
  };
}
