import type {Session} from '@gemini-kernel/kernel/host';
import type {ServerContext} from '#sdk';

/** Runs something in the session of the client whose request is under way. */
export type Use = <T>(context: ServerContext, act: (session: Session) => Promise<T>) => Promise<T>;
