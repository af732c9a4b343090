import type {OpenOptions} from '../contract/session-handle.js';
import type {SessionInfo} from '../contract/session.js';

type Settled = Pick<SessionInfo, 'id' | 'mode'>;

/** What others see of a new session, and the way to settle its id and mode. */
export function createSessionInfo(
  id: string,
  {mode, live = false, interactive, parent, subagent, caller}: OpenOptions,
  isInteractive: boolean,
): {readonly info: SessionInfo; settle(start: Partial<Settled>): void} {
  const above = parent?.info;
  const whose = ({caller: name}: {caller?: string | undefined}) => (name === undefined ? {} : {caller: name});
  let settled: Settled = {id, mode: mode ?? above?.mode ?? 'default'};
  const info = Object.freeze({
    live,
    interactive: interactive ?? above?.interactive ?? isInteractive,
    ...(above ? {parent: above.id} : {}),
    ...(subagent === undefined ? {} : {subagent}),
    ...whose(above ?? {caller}),
    get id() {
      return settled.id;
    },
    get mode() {
      return settled.mode;
    },
  });
  return {info, settle: (start) => void (settled = {id: start.id ?? settled.id, mode: start.mode ?? settled.mode})};
}
