/** An agent may call an agent if its definition names `invoke_agent`; this deep and no deeper. */
export const MOST_DEPTH = 3;
