/** What shows that an editor could be around. Without any of it nothing of this plugin is loaded. */
export const present = [
  '$GEMINI_CLI_IDE_SERVER_PORT',
  '$GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
  'tmp/gemini/ide',
] as const;
