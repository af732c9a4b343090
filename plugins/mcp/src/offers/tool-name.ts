const LONGEST = 63;
const KEPT = 30;

/** The name that the model knows a tool of a server by, composed as Gemini CLI does it. */
export function composeToolName(server: string, tool: string): string {
  const name = `mcp_${server}_${tool}`.startsWith(`mcp_${server}_mcp_${server}_`) ? tool : prefixed(server, tool);
  const valid = name.replace(/[^A-Za-z0-9_.:-]/g, '_');
  return valid.length > LONGEST ? `${valid.slice(0, KEPT)}...${valid.slice(-KEPT)}` : valid;
}

/** A name that already begins with `mcp_` gets no second prefix. */
function prefixed(server: string, tool: string): string {
  const name = `${server}_${tool}`;
  return name.startsWith('mcp_') ? name : `mcp_${name}`;
}
