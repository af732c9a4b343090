import type {ServiceContext} from '@gemini-kernel/kernel';
import type {PendingRoot} from './contract.js';

const WANTED: Readonly<Record<PendingRoot['wantedBy'], string>> = {
  project: "The project's settings ask for",
  session: 'This session had',
  editor: 'The editor shows',
};

/** Names what is left out, and the command that adds it. In a conversation, a question asks for it. */
export function tellPending(
  pending: readonly PendingRoot[],
  {tell, session}: Pick<ServiceContext, 'tell' | 'session'>,
): void {
  if (session.live && session.interactive) return;
  for (const {path, wantedBy} of pending)
    tell({
      code: 'DIRECTORY_PENDING',
      sentence:
        `${WANTED[wantedBy]} ${path}, outside the project: left out. To add it, run: gemini directory add ` +
        `${JSON.stringify(path)}`,
    });
}
