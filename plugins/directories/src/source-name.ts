import type {Root} from '@gemini-kernel/plugin-workspace/contract';

const NAMES: Readonly<Record<Root['source'], string>> = {
  cwd: 'current directory',
  settings: 'settings',
  flag: '--include-directories',
  editor: 'editor',
  session: 'this session',
};

/** What put a root into the workspace, in words. */
export function nameSource(source: Root['source']): string {
  return NAMES[source];
}
