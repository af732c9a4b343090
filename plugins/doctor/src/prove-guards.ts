import {messageOf} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {GuardProof} from './contract.js';

/** A proof, and the service that gave it. */
export interface SourcedProof extends GuardProof {
  readonly source: string;
}

/** Has every source prove its guards. A source that fails is down. */
export async function proveGuards(
  services: Iterable<string>,
  session: Session,
  signal: AbortSignal,
): Promise<readonly SourcedProof[]> {
  const names = [...services].filter((name): name is `guards:${string}` => name.startsWith('guards:'));
  const proofs = await Promise.all(
    names.map(async (source) => {
      try {
        return (await (await session.service(source)).prove(signal)).map((proof) => ({...proof, source}));
      } catch (error) {
        signal.throwIfAborted();
        return [{name: source, details: 'service', state: 'down' as const, reason: messageOf(error), source}];
      }
    }),
  );
  return proofs.flat();
}
