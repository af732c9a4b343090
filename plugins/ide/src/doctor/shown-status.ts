import type {FoundEditor, IdeStatus} from '../contract.js';

/**
 * An editor as people and programs may see it: without its token, and without command arguments, which may contain one.
 */
export type ShownEditor = Omit<FoundEditor, 'endpoint'> & {
  readonly endpoint:
    {readonly kind: 'http'; readonly port: number} | {readonly kind: 'stdio'; readonly command: string};
};

/** The connection state as people and programs may see it. */
export type ShownStatus = Omit<IdeStatus, 'editor'> & {readonly editor?: ShownEditor};

/** Removes the secret parts of an editor. */
export function showEditor({endpoint, ...editor}: FoundEditor): ShownEditor {
  return {
    ...editor,
    endpoint:
      endpoint.kind === 'http' ? {kind: 'http', port: endpoint.port} : {kind: 'stdio', command: endpoint.command},
  };
}

/** Removes the secret parts of a status. */
export function showStatus({editor, ...status}: IdeStatus): ShownStatus {
  return {...status, ...(editor ? {editor: showEditor(editor)} : {})};
}
