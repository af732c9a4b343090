/** Where the relay listens inside, and the socket of the exit that it leads to. */
export const PORT = 3128;
export const SOCKET = '/run/gemini-exit';
/** What the starter does before it becomes the program, as letters of its first argument. This one: most processes. */
export const LIMIT = 'l';
export const RELAY = 'x';
export const WATCH = 'q';
/** Megabytes of memory of each process. As behind LIMIT, the number is behind it. */
export const MEMORY_LIMIT = 'm';
/** The socket inside that leads to who decides about paths. */
export const ASKED = '/run/gemini-ask';
/** Hides the files of a list, which is read from a descriptor and has so many bytes at most. */
export const HIDE = 'h';
export const LIST = 6;
export const LONGEST_LIST = 0xf000;
/** What the starter does outside instead of starting a program: it opens a path to a sandbox that runs. */
export const OPEN = 'o';
