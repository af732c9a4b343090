import type {FoundEditor, IdeStatus} from '../contract.js';

/**
 * An editor as people and programs may see it: without its token, and without the words of a command, which may hold
 * one.
 */
export type ShownEditor = Omit<FoundEditor, 'endpoint'> & {
  readonly endpoint:
    {readonly kind: 'http'; readonly port: number} | {readonly kind: 'stdio'; readonly command: string};
};

/** How the connection stands, as people and programs may see it. */
export type ShownStatus = Omit<IdeStatus, 'editor'> & {readonly editor?: ShownEditor};

/** Leaves out of an editor what nobody else should read. */
export function showEditor({endpoint, ...editor}: FoundEditor): ShownEditor {
  return {
    ...editor,
    endpoint:
      endpoint.kind === 'http' ? {kind: 'http', port: endpoint.port} : {kind: 'stdio', command: endpoint.command},
  };
}

/** Leaves out of a status what nobody else should read. */
export function showStatus({editor, ...status}: IdeStatus): ShownStatus {
  return {...status, ...(editor ? {editor: showEditor(editor)} : {})};
}
