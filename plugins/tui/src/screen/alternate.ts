/** The second screen of a terminal, which leaves the normal one as it is. */
export const alternate = {enter: '\u001b[?1049h', leave: '\u001b[?1049l'};

/**
 * Whether the wheel presses arrow keys in the second screen, as it does in most terminals: in a prompt, these go
 * through earlier prompts.
 */
export const wheelArrows = {on: '\u001b[?1007h', off: '\u001b[?1007l'};
