import type {IdeFault, IdeReason} from './contract.js';

/** What is known of a failure; each reason names what it has. */
export interface FaultFacts {
  /** As people call it. */
  readonly editor?: string;
  readonly port?: number;
  readonly command?: string;
  readonly file?: string;
  /** Where discovery files are looked for. */
  readonly folder?: string;
  readonly cwd?: string;
  readonly roots?: readonly string[];
  /** What went wrong, in the words of whoever said it, without a full stop. */
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
    message: 'The connection to editors is off (ide.enabled).',
    hint: 'gemini ide enable switches it on.',
  }),
  'no-editor': () => ({
    message: 'No editor was found: this terminal was not opened by one, and none has a companion running.',
    hint: 'Open this folder in your editor and start gemini in its terminal; gemini ide install adds the companion.',
  }),
  'no-discovery-file': ({editor, folder}) => ({
    message:
      `This terminal belongs to ${editor}, but no companion runs in it: ${folder ?? 'its folder'} has no discovery ` +
      'file, and no variable names a port.',
    hint: 'gemini ide install adds the companion. If it is installed, open a folder in the editor and a new terminal.',
  }),
  'discovery-file-unfit': ({file, detail}) => ({
    message: `The discovery file ${file ?? ''} cannot be used: ${detail ?? 'it is in no known form'}.`,
    hint: `${AGAIN} The file may be removed.`,
  }),
  'not-an-ancestor': ({editor, roots, cwd}) => ({
    message:
      `${editor} has a companion, but this terminal was not opened by it, and it ` +
      `${roots?.length ? `has other folders open (${list(roots)}) than` : 'does not say that it has'} ` +
      `${cwd ?? 'this one'}${roots?.length ? '' : ' open'}.`,
    hint: 'Start gemini in a terminal of the editor, or in one of those folders.',
  }),
  'no-roots': ({editor}) => ({message: `${editor} has no folder open.`, hint: 'Open a folder in the editor.'}),
  'roots-disjoint': ({editor, roots, cwd}) => ({
    message: `${editor} has other folders open (${list(roots)}) than ${cwd ?? 'this one'}.`,
    hint: 'Go to one of those folders, or open this one in the editor.',
  }),
  'port-refused': ({editor, place}) => ({
    message: `${editor} cannot be reached: nobody answers at ${place}.`,
    hint: `The editor may have been closed, or its companion stopped. ${AGAIN}`,
  }),
  'no-answer': ({editor, place, detail}) => ({
    message: `${editor} cannot be talked to: at ${place} ${detail ?? 'nothing was answered in time'}.`,
    hint: `Another program may have taken its port. ${AGAIN}`,
  }),
  'token-rejected': ({editor, place}) => ({
    message:
      `${editor} at ${place} does not accept the token that its discovery file, or ` +
      'GEMINI_CLI_IDE_AUTH_TOKEN, names.',
    hint: 'Open a new terminal in the editor: it may have been restarted since this one was opened.',
  }),
  'version-skew': ({editor, place, detail}) => ({
    message:
      `The companion of ${editor} at ${place} speaks another version of the protocol: ` +
      `${detail ?? 'it names none'}.`,
    hint: 'Update the companion (gemini ide install) and gemini.',
  }),
  'tools-missing': ({editor, detail}) => ({
    message: `The companion of ${editor} cannot show changes: it has no ${detail ?? 'openDiff and closeDiff'}.`,
    hint: 'Changes are confirmed in the terminal. gemini ide install adds the newest companion.',
  }),
  lost: ({editor, detail}) => ({
    message: `The connection to ${editor} is lost${detail === undefined ? '' : `: ${detail}`}.`,
    hint: 'It is tried again by itself; gemini ide doctor says more.',
  }),
};

/** Says what a reason means here, and what to do next. */
export function faultOf(reason: IdeReason, facts: FaultFacts = {}): IdeFault {
  const place = facts.command ?? (facts.port === undefined ? 'its port' : `port ${facts.port}`);
  return {reason, ...faults[reason]({...facts, editor: facts.editor ?? 'The editor', place})};
}

function list(roots: readonly string[] = []): string {
  if (roots.length === 0) return 'none';
  const more = roots.length > MOST_ROOTS ? ` and ${roots.length - MOST_ROOTS} more` : '';
  return `${roots.slice(0, MOST_ROOTS).join(', ')}${more}`;
}
