/** The signs of an editor. Without any of them, no code of this plugin is loaded. */
export const present = [
  '$GEMINI_CLI_IDE_SERVER_PORT',
  '$GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
  'tmp/gemini/ide',
] as const;
