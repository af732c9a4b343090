const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on the disk, then try again.',
  EDQUOT: 'Make room within your quota, then try again.',
  EFBIG: 'Raise the limit of the system (ulimit -f), then try again.',
  EROFS: 'Use a place on another file system.',
  EMFILE: 'Close programs, or raise the limit of the system (ulimit -n).',
  ENFILE: 'Close programs, or raise the limit of the system (ulimit -n).',
  ENAMETOOLONG: 'Use a shorter path.',
};

/** What to do about a failed write, by the code that the system gave; `usual` where that says nothing else. */
export function writeHint(error: unknown, usual: string): string {
  return HINTS[(error as NodeJS.ErrnoException | undefined)?.code ?? ''] ?? usual;
}
