import type {Progress} from '@gemini-kernel/kernel';
import type {ServerContext} from '#sdk';

/** Sends progress to a client that asked for it. The number always grows, as the protocol demands. */
export function createProgress({mcpReq}: ServerContext): (update: Progress) => void {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => undefined;
  let last = -1;
  return ({text, done, total}) => {
    last = done !== undefined && done > last ? done : last + 1;
    const counts = done !== undefined && total !== undefined && last <= total ? {total} : {};
    const params = {progressToken: token, progress: last, message: text, ...counts};
    // A client that has gone needs no progress.
    mcpReq.notify({method: 'notifications/progress', params}).catch(() => undefined);
  };
}
