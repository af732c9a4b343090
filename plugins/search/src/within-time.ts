import {ToolError} from '@gemini-kernel/kernel';

const LONGEST_MS = 120_000;

/** Gives an act two minutes, unless told otherwise. Throws ToolError SEARCH_TIMEOUT after that. */
export async function withinTime<T>(
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<T>,
  longest = LONGEST_MS,
): Promise<T> {
  const time = AbortSignal.timeout(longest);
  try {
    return await act(AbortSignal.any([signal, time]));
  } catch (error) {
    if (!time.aborted || signal.aborted) throw error;
    throw new ToolError('SEARCH_TIMEOUT', `The search took longer than ${longest / 1000} seconds.`, {
      cause: error,
      hint: 'Search in one directory with dir_path, or make the pattern narrower.',
    });
  }
}
