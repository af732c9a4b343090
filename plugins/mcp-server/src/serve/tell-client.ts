import type {SentNotice} from '@gemini-kernel/kernel';
import type {ServerContext} from '#sdk';

/** Sends notices as log messages, within the request that is under way. */
export function createTell({mcpReq}: ServerContext): (notice: SentNotice) => void {
  return ({level, code, sentence, source}) => {
    // A client that has gone needs no notices.
    mcpReq.log(level, {code, sentence}, source).catch(() => undefined);
  };
}
