import type {Kernel} from '@gemini-kernel/kernel/host';

/**
 * Has a promise that fails without a handler fail the call that runs, not the program. Where no call can have caused
 * it, it is a bug of the program and ends it. Gives what takes this back.
 */
export function failCallsOf(kernel: Pick<Kernel, 'fail'>): () => void {
  const onError = (error: unknown): void => {
    // What a listener of this event throws ends the program like any error.
    if (!kernel.fail(error)) throw error;
  };
  process.on('unhandledRejection', onError);
  return () => void process.off('unhandledRejection', onError);
}
