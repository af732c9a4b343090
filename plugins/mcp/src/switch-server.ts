import {KernelError, type SessionInfo} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';
import {Enablement} from './config/enablement.js';
import type {Mcp} from './contract.js';
import {findInfo} from './find-info.js';

export interface Switched {
  readonly name: string;
  readonly enabled: boolean;
  /** The file that keeps it; absent for the session only. */
  readonly file?: string;
}

interface Wish {
  readonly name: string;
  readonly isOn: boolean;
  readonly onlySession: boolean;
  readonly session: SessionInfo;
  readonly home: string;
}

/** Enables or disables a server, permanently or until the conversation ends. */
export async function switchServer(
  {mcp, files}: {readonly mcp: Mcp; readonly files: ConfigFiles},
  {name, isOn, onlySession, session, home}: Wish,
): Promise<Switched> {
  findInfo(await mcp.list(), name);
  if (onlySession && !session.live)
    throw new KernelError('MCP_SERVER_INVALID', '--session has no effect outside of a conversation.', {
      hint: 'Leave it out, or type the command in a conversation.',
    });
  if (onlySession) {
    await mcp.switch(name, isOn);
    return {name, enabled: isOn};
  }
  const enablement = new Enablement(home, files);
  await enablement.set(name, isOn);
  await mcp.reload();
  return {name, enabled: isOn, file: enablement.file};
}
