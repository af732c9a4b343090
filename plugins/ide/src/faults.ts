import type {IdeFault, IdeReason} from './contract.js';

/** The facts of a failure; each reason uses some of them. */
export interface FaultFacts {
  /** Its display name. */
  readonly editor?: string;
  readonly port?: number;
  readonly command?: string;
  readonly file?: string;
  /** The folder of discovery files. */
  readonly folder?: string;
  readonly cwd?: string;
  readonly roots?: readonly string[];
  /** The problem as reported by its source, without a full stop. */
  readonly detail?: string;
}

type Describe = (facts: FaultFacts & {readonly editor: string; readonly place: string}) => {
  readonly message: string;
  readonly hint: string;
};

const MOST_ROOTS = 5;
const AGAIN = 'Restart the editor, or run gemini ide install for its newest companion.';

const faults: Readonly<Record<IdeReason, Describe>> = {
  disabled: () => ({
    message: 'The connection to editors is disabled (ide.enabled).',
    hint: 'To enable it, run gemini ide enable.',
  }),
  'no-editor': () => ({
    message: 'No editor was found: this terminal does not belong to one, and no companion is running.',
    hint: 'Open this folder in your editor and start gemini in its terminal. gemini ide install adds the companion.',
  }),
  'no-discovery-file': ({editor, folder}) => ({
    message:
      `This terminal belongs to ${editor}, but no companion runs in it: ${folder ?? 'its folder'} has no discovery ` +
      'file, and no variable names a port.',
    hint: 'gemini ide install adds the companion. If it is installed, open a folder in the editor and a new terminal.',
  }),
  'discovery-file-unfit': ({file, detail}) => ({
    message: `Cannot use the discovery file ${file ?? ''}: ${detail ?? 'its form is unknown'}.`,
    hint: `${AGAIN} You can remove the file.`,
  }),
  'not-an-ancestor': ({editor, roots, cwd}) => ({
    message:
      `${editor} has a companion, but it did not open this terminal, and it ` +
      `${roots?.length ? `has other folders open (${list(roots)}) than` : 'does not report that it has'} ` +
      `${cwd ?? 'this one'}${roots?.length ? '' : ' open'}.`,
    hint: 'Start gemini in a terminal of the editor, or in one of those folders.',
  }),
  'no-roots': ({editor}) => ({message: `${editor} has no folder open.`, hint: 'Open a folder in the editor.'}),
  'roots-disjoint': ({editor, roots, cwd}) => ({
    message: `${editor} does not have ${cwd ?? 'this folder'} open, but other folders (${list(roots)}).`,
    hint: 'Change to one of those folders, or open this one in the editor.',
  }),
  'port-refused': ({editor, place}) => ({
    message: `Cannot reach ${editor}: nothing listens at ${place}.`,
    hint: `The editor may be closed, or its companion stopped. ${AGAIN}`,
  }),
  'no-answer': ({editor, place, detail}) => ({
    message: `Cannot communicate with ${editor} at ${place}: ${detail ?? 'there was no answer in time'}.`,
    hint: `Another program may have taken its port. ${AGAIN}`,
  }),
  'token-rejected': ({editor, place}) => ({
    message: `${editor} at ${place} rejects the token from its discovery file or from ` + 'GEMINI_CLI_IDE_AUTH_TOKEN.',
    hint: 'Open a new terminal in the editor: it may have been restarted since this one was opened.',
  }),
  'version-skew': ({editor, place, detail}) => ({
    message:
      `The companion of ${editor} at ${place} speaks an unsupported version of the protocol: ` +
      `${detail ?? 'it names no version'}.`,
    hint: 'Update the companion (gemini ide install) and gemini.',
  }),
  'tools-missing': ({editor, detail}) => ({
    message: `The companion of ${editor} cannot show changes: it has no ${detail ?? 'openDiff and closeDiff'}.`,
    hint: 'Approve changes in the terminal. gemini ide install installs the newest companion.',
  }),
  lost: ({editor, detail}) => ({
    message: `The connection to ${editor} broke${detail === undefined ? '' : `: ${detail}`}.`,
    hint: 'gemini reconnects automatically. For details, run gemini ide doctor.',
  }),
};

/** Describes a reason with these facts, and what to do next. */
export function faultOf(reason: IdeReason, facts: FaultFacts = {}): IdeFault {
  const place = facts.command ?? (facts.port === undefined ? 'its port' : `port ${facts.port}`);
  return {reason, ...faults[reason]({...facts, editor: facts.editor ?? 'The editor', place})};
}

function list(roots: readonly string[] = []): string {
  if (roots.length === 0) return 'none';
  const more = roots.length > MOST_ROOTS ? ` and ${roots.length - MOST_ROOTS} more` : '';
  return `${roots.slice(0, MOST_ROOTS).join(', ')}${more}`;
}
