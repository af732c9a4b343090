import type {PendingRoot, Root} from '@gemini-kernel/plugin-workspace/contract';

const NAMES: Readonly<Record<Root['source'], string>> = {
  cwd: 'current directory',
  settings: 'settings',
  flag: '--include-directories',
  editor: 'editor',
  session: 'this session',
};

const WANTED: Readonly<Record<PendingRoot['wantedBy'], string>> = {
  project: "the project's settings ask for it",
  session: 'this session had it',
  editor: 'the editor shows it',
};

/** What put a root into the workspace, in words: `settings: <file>, as ../lib`. */
export function nameSource({source, from, given}: Root): string {
  return `${NAMES[source]}${placeOf({from, given})}`;
}

/** What wants a directory that is left out, in words. */
export function nameWanted({wantedBy, from, given}: PendingRoot): string {
  return `${WANTED[wantedBy]}${placeOf({from, given})}`;
}

function placeOf({from, given}: {readonly from: string | undefined; readonly given: string | undefined}): string {
  return `${from === undefined ? '' : `: ${from}`}${given === undefined ? '' : `, as ${given}`}`;
}
