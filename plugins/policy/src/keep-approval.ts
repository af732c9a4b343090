import type {ToolCall} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';
import type {ShellReader} from './bash/analysis.js';
import {place} from './engine/judge-part.js';
import {appendApprovals, autoSavedFileOf} from './read/auto-saved.js';
import {narrowApproval, type ApprovedCall} from './read/narrow-approval.js';
import type {Mode, Rule} from './rule.js';

interface Approval {
  readonly call: ToolCall;
  readonly mode: Mode;
  readonly roots: readonly string[];
  readonly home: string;
  readonly reader: () => Promise<ShellReader>;
  /** Given when the approval is to be kept for good. */
  readonly files?: ConfigFiles;
}

/** The rules that allow what was approved and no more, also written to the user's file when they are to last. */
export async function keepApproval(approval: Approval): Promise<readonly Rule[]> {
  const {call, mode, home, files} = approval;
  const {tool, server, touches} = call;
  const rules = narrowApproval({
    tool,
    mode,
    touches,
    ...(server === undefined ? {} : {server}),
    ...(await readCommands(approval)),
  });
  if (files && rules.length > 0) await appendApprovals(autoSavedFileOf(home), rules, files);
  return rules;
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
